//! A pack on a server that answers later.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use bevy_asset::{AssetServer, LoadState};
use rres_format::PackBuilder;
use rres_format::chunk::image::PixelFormat;
use rres_runtime::{ByteSource, Group, Id, PackOptions, Reply, Store, Text};

use super::{app, image, text, until, with};

#[derive(Clone, Default)]
struct Server {
    pack: Arc<Vec<u8>>,
    /// Requests that are not answered yet.
    waiting: Arc<Mutex<Vec<Asked>>>,
}

type Asked = (Range<u64>, Reply);

impl ByteSource for Server {
    fn name(&self) -> String {
        "a server".to_owned()
    }

    fn read(&self, range: Range<u64>, reply: Reply) {
        self.waiting.lock().unwrap().push((range, reply));
    }
}

impl Server {
    /// Answers all requests, and returns how many they were.
    fn answer(&self) -> usize {
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap());
        let count = waiting.len();
        for (range, mut reply) in waiting {
            let end = range.end.min(self.pack.len() as u64);
            reply.set_pack_len(self.pack.len() as u64);
            let _ = reply.push(&self.pack[range.start as usize..end as usize]);
            reply.finish();
        }
        count
    }
}

#[test]
fn a_group_is_loaded_when_its_bytes_are_here() {
    let mut builder = PackBuilder::new();
    let paths: Vec<String> = (0..40).map(|number| format!("level/{number}.png")).collect();
    // More than the request that opens the pack reads.
    builder.push(text("filler.txt", &"a long story. ".repeat(10_000)));
    paths.iter().for_each(|path| builder.push(image(path, PixelFormat::RGBA8, 1)));
    let server = Server { pack: Arc::new(builder.to_vec().unwrap()), ..Server::default() };
    let mut opening = PackOptions::default().open_from(server.clone());
    let pack = loop {
        server.answer();
        if let Some(pack) = opening.poll() {
            break pack.unwrap();
        }
    };
    let mut app = app(&Store::from_packs([pack]));
    let ids: Vec<u32> = paths.iter().map(|path| Id::<Text>::from_path(path).resource().0).collect();
    let level = with(&mut app, |rres| rres.load_group(Group::<()>::new("level", ids.leak())));
    let assets = app.world().resource::<AssetServer>().clone();
    for _ in 0..100 {
        app.update();
    }
    let states = level.handles().map(|handle| assets.load_state(handle.id()));
    assert!(
        states.into_iter().all(|state| matches!(state, LoadState::Loading)),
        "nothing is here, and nothing has failed"
    );
    // Bevy asks for one after the other. Six requests run at once; what waits meanwhile is joined.
    let mut requests = 0;
    until(&mut app, "the group is loaded", |_| {
        requests += server.answer();
        level.progress(&assets).is_done()
    });
    assert_eq!((level.progress(&assets).loaded, requests <= 8), (40, true), "{requests} requests");
}
