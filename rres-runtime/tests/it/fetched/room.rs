//! What is kept of packs that are read in parts, and who may go on while there is no room.

use rres_runtime::FromAsset;

use super::*;

#[test]
fn little_memory_is_enough_for_a_large_group() {
    const KEPT: u64 = 5 << 20;
    let texts = (0..40).map(|number| text(&format!("{number}.txt"), &"word ".repeat(200_000 + number)));
    let bytes = pack(texts).to_vec().unwrap();
    let server = Server::new(bytes);
    let pack = PackOptions::default().keep_parts(KEPT).open_from(server.clone()).wait().unwrap();
    let store = Store::from_packs([pack]);
    server.wait();
    let loading = store.load_group(list((0..40).map(|number| format!("{number}.txt"))));
    let mut most = 0;
    loop {
        wait::until("it goes on", || server.waiting() > 0 || loading.progress().is_done());
        if server.waiting() == 0 {
            break;
        }
        let waiting = server.0.waiting.lock().unwrap();
        most = most.max(waiting.iter().flatten().map(|(range, _)| range.end - range.start).sum::<u64>());
        drop(waiting);
        server.answer_next();
    }
    loading.wait().unwrap();
    assert!(most <= KEPT + (2 << 20), "{most} bytes were asked for at once");
    // What is no longer kept is read again.
    let before = server.asked().len();
    *server.0.waiting.lock().unwrap() = None;
    store.load::<Text>(id("0.txt")).unwrap();
    assert_eq!(server.asked().len(), before + 1);
}

/// A value that is made of a text, and of one that its text names.
#[derive(Debug)]
struct Both(usize);

impl FromAsset for Both {
    type Source = Text;
    type Error = Error;

    fn from_asset(text: &Text, store: &Store) -> Result<Self, Self::Error> {
        Ok(Self(text.as_str().len() + store.load(id::<Text>("other.txt"))?.get().as_str().len()))
    }
}

/// The load that waits is the one that holds what leaves no room.
#[test]
fn a_value_that_loads_another_asset_gets_it_although_there_is_no_room() {
    let large = "word ".repeat(50_000);
    let bytes = pack([text("level.txt", &large), raw("far.bin", &noise(3 << 20)), text("other.txt", &large)]);
    let server = Server::new(bytes.to_vec().unwrap());
    let pack = PackOptions::default().keep_parts(1000).open_from(server).wait().unwrap();
    let store = Store::from_packs([pack]);
    let loading = store.load_async(id::<Text>("level.txt").into_type::<Both>());
    assert_eq!(loading.wait_for(wait::LIMIT).expect("it waits for itself").unwrap().get().0, 2 * large.len());
}

#[test]
fn a_load_of_its_own_goes_on_when_its_group_is_cancelled() {
    let server = Server::new(pack([text("a.txt", "text")]).to_vec().unwrap());
    let store = server.store();
    server.wait();
    let group = store.load_group(list(["a.txt".to_owned()]));
    let alone = store.load_async(id::<Text>("a.txt"));
    wait::until("it is asked for", || server.waiting() > 0);
    drop(group);
    while server.waiting() > 0 {
        server.answer_next();
    }
    *server.0.waiting.lock().unwrap() = None;
    assert_eq!(alone.wait_for(wait::LIMIT).expect("nobody loads it").unwrap().get().as_str(), "text");
}

/// What the old value depends on has been loaded, and is kept: it is not read again, and nothing that nobody needs fills the room.
#[test]
fn a_mod_for_a_model_reads_no_images_and_leaves_the_room_to_others() {
    let model = |path: &str| {
        let dependencies = (0..8).map(|number| ResourceId::from_path(&format!("{number}.bin"))).collect();
        Resource { dependencies, ..raw(path, b"model") }
    };
    let images = (0..8).map(|number| raw(&format!("{number}.bin"), &noise(400_000)));
    let resources = images.chain([model("fox.bin"), raw("late.bin", &noise(400_000))]);
    let server = Server::new(pack(resources).to_vec().unwrap());
    let pack_in_parts = PackOptions::default().keep_parts(1 << 20).open_from(server.clone()).wait().unwrap();
    let store = Store::from_packs([pack_in_parts]);
    let fox = store.load(id::<Raw>("fox.bin")).unwrap();
    let before = server.asked().len();
    let changed = Resource { dependencies: model("").dependencies, ..raw("fox.bin", b"other") };
    store.mount(PackOptions::default().from_bytes(pack([changed]).to_vec().unwrap()).unwrap()).unwrap();
    assert_eq!((fox.get().bytes(), server.asked().len()), (&b"other"[..], before));
    let late = store.load_group(list(["late.bin".to_owned()])).wait_for(wait::LIMIT).expect("there is room");
    assert_eq!(late.unwrap().iter().len(), 1);
}
