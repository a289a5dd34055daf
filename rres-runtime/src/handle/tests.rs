use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rres_test_support::wait;

use super::load_once::{Acquired, LoadOnce, Phase, WaitGraph};
use crate::error::{Error, ErrorKind};

#[test]
fn every_thread_that_waits_for_a_failed_load_gets_its_error_and_none_tries_again() {
    const WAITING: usize = 15;
    let (load, waits, attempts) = (LoadOnce::new(), WaitGraph::new(), AtomicUsize::new(0));
    let Acquired::MustLoad(guard) = load.acquire(&waits) else { panic!("nobody else loads it") };
    thread::scope(|scope| {
        for _ in 0..WAITING {
            scope.spawn(|| match load.acquire(&waits) {
                Acquired::Failed(error) => assert!(matches!(error.kind(), ErrorKind::Stale)),
                Acquired::MustLoad(_) => _ = attempts.fetch_add(1, Ordering::Relaxed),
                Acquired::Ready | Acquired::Cycle => panic!("it is neither loaded nor a cycle"),
            });
        }
        wait::until("every thread waits", || load.waiting() >= WAITING);
        guard.finish(Err(Error::new(ErrorKind::Stale)));
    });
    assert_eq!(attempts.load(Ordering::Relaxed), 0);
    assert!(matches!(load.phase(), Phase::Failed(_)));
    assert!(matches!(load.acquire(&waits), Acquired::MustLoad(_)), "the next one tries again");
}
