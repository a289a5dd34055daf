//! Assets that the program keeps itself.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use rres_format::{Compression, Resource};
use rres_runtime::{ErrorKind, Id, PackOptions, Raw, Result, Store, Text};

use super::{Server, content, files, image, pack, path, place, raw, text};
use crate::id;

/// Counts how often it was woken.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Wake for Counting {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn poll<T>(load: impl Future<Output = T>) -> Poll<T> {
    pin!(load).poll(&mut Context::from_waker(Waker::noop()))
}

/// Loads something whose bytes are on this computer.
fn now<T>(load: impl Future<Output = Result<T>>) -> Result<T> {
    match poll(load) {
        Poll::Ready(loaded) => loaded,
        Poll::Pending => panic!("the bytes are here"),
    }
}

#[test]
fn what_is_here_is_loaded_at_the_first_poll_and_left_to_the_program() {
    let dependencies = vec![id::<Raw>("ui.png").resource()];
    let level = Resource { dependencies, ..text("level.txt", "one") };
    let bytes = pack([level, image("ui.png", Compression::NONE)]).to_vec().unwrap();
    let store = Store::from_packs([PackOptions::default().from_bytes(bytes).unwrap()]);
    let level: Text = now(store.load_owned(id("level.txt"))).unwrap();
    assert_eq!(level.as_str(), "one");
    assert!(store.dump().rows.is_empty(), "neither the text nor the image is one of the store's");
    let missing: Id<Text> = id("missing.txt");
    assert!(matches!(now(store.load_owned(missing)).unwrap_err().kind(), ErrorKind::NotFound { .. }));
}

#[test]
fn what_is_not_here_is_waited_for() {
    let bytes = files(3);
    let server = Server::new(bytes.clone());
    let store = server.store();
    server.wait();
    let wakes = Arc::new(Counting::default());
    let waker = Waker::from(Arc::clone(&wakes));
    let context = &mut Context::from_waker(&waker);
    let mut load = pin!(store.load_owned::<Raw>(id(&path(1))));
    assert!(load.as_mut().poll(context).is_pending());
    assert_eq!((server.waiting(), wakes.0.load(Ordering::Relaxed)), (1, 0));
    server.answer_next();
    assert_eq!(wakes.0.load(Ordering::Relaxed), 1);
    let Poll::Ready(Ok(file)) = load.as_mut().poll(context) else { panic!("it has arrived") };
    assert!(file.bytes() == content(1));
    assert!(server.asked().last().unwrap().end >= place(&bytes, &path(1)).end);

    // A load that nobody waits for any more leaves nothing behind, and the next one asks again.
    assert!(poll(store.load_owned::<Raw>(id(&path(2)))).is_pending());
    let (_, dropped) = server.next();
    drop(dropped);
    assert!(poll(store.load_owned::<Raw>(id(&path(2)))).is_pending());
    assert_eq!(server.waiting(), 1);
}

#[test]
fn a_server_that_fails_is_the_error_of_the_load() {
    let server = Server::new(files(2));
    let store = server.store();
    server.wait();
    let (mut first, mut second) =
        (pin!(store.load_owned::<Raw>(id(&path(1)))), pin!(store.load_owned::<Raw>(id(&path(1)))));
    let context = &mut Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(context).is_pending() && second.as_mut().poll(context).is_pending());
    let (range, reply) = server.next();
    assert_eq!((server.waiting(), range), (0, server.asked()[1].clone()), "both wait for one answer");
    reply.fail(std::io::Error::other("no power"));
    for load in [first, second] {
        let error = now(load).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
        assert!(error.to_string().contains("no power"), "{error}");
    }
    assert_eq!(server.waiting(), 0, "neither has asked again");
}

#[test]
fn a_load_that_waits_has_what_it_was_asked_for() {
    let server = Server::new(files(2));
    let store = server.store();
    server.wait();
    let mut load = pin!(store.load_owned::<Raw>(id(&path(1))));
    let context = &mut Context::from_waker(Waker::noop());
    assert!(load.as_mut().poll(context).is_pending());
    let watcher = store.watch();
    let other = Server::new(pack([raw(&path(1), b"mod")]).to_vec().unwrap());
    store.mount(other.open()).unwrap();
    server.answer_next();
    let Poll::Ready(Ok(file)) = load.as_mut().poll(context) else { panic!("it has arrived") };
    assert!(file.bytes() == content(1));
    assert_eq!(watcher.changed().len(), 1, "and it is known to be old");
}
