//! Whatever a store does, builds are right, and end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::server::{Fault, Server};
use crate::{reader, writer};

/// Numbers that look random, and are the same each time.
fn mix(number: u64) -> u64 {
    let hash = blake3::hash(&number.to_le_bytes());
    u64::from_le_bytes(*hash.as_bytes().first_chunk().unwrap())
}

#[test]
fn five_hundred_faults_harm_no_build() {
    let server = Server::start();
    let first = writer(&server.address());
    first.write_files(20);
    let (pack, _) = first.build();
    let mut machine = writer(&server.address());
    machine.config.timeout = Duration::from_secs(1);
    machine.write_files(25);
    let right = {
        let alone = writer(&Server::start().address());
        alone.write_files(25);
        alone.build().0
    };
    assert!(pack != right);

    let count = std::sync::Arc::new(AtomicU64::new(0));
    let (of_server, mut fetched, mut failed, mut builds) = (std::sync::Arc::clone(&count), 0, 0, 0);
    let request = AtomicU64::new(0);
    server.fail(move |_, _| {
        let drawn = mix(request.fetch_add(1, Ordering::SeqCst));
        // Half of the requests succeed, so that faults reach every step.
        let fault = match drawn % 100 {
            0..50 => return None,
            50..60 => Fault::Status(503),
            60..68 => Fault::Status(403),
            68..75 => Fault::Status(404),
            75..84 => Fault::Close,
            84..91 => Fault::Cut,
            91.. if drawn % 1000 != 999 => Fault::Wrong,
            _ => Fault::Hang,
        };
        of_server.fetch_add(1, Ordering::SeqCst);
        Some(fault)
    });
    while count.load(Ordering::SeqCst) < 500 {
        machine.forget();
        let (bytes, used) = machine.build();
        assert!(bytes == right, "build {builds} is wrong");
        let used = used.unwrap();
        assert_eq!(used.wanted, 25);
        fetched += used.fetched;
        failed += usize::from(used.fault.is_some());
        builds += 1;
    }
    assert!(fetched > 0 && failed > 0 && failed < builds, "{fetched} assets in {builds} builds, {failed} with faults");
    assert_eq!(machine.cache().verify().unwrap().removed.len(), 0);
    // What is in the store is whole, too.
    server.mend();
    let last = reader(&server.address());
    last.write_files(25);
    let (bytes, used) = last.build();
    let used = used.unwrap();
    assert!(bytes == right && used.fault.is_none() && used.damaged == 0, "{used}");
}

#[test]
fn a_store_that_is_away_costs_one_wait_and_nothing_else() {
    let server = Server::start();
    server.fail(|_, _| Some(Fault::Hang));
    let mut machine = writer(&server.address());
    machine.config.timeout = Duration::from_secs(1);
    machine.write_files(5);
    let (_, used) = machine.build();
    let used = used.unwrap();
    assert!(used.fault.as_ref().unwrap().contains("did not answer"), "{used}");
    // The next build does not ask.
    server.counted();
    machine.write("new.bin", "new");
    assert!(machine.build().1.is_none());
    assert_eq!(server.counted().0, 0);
}

#[test]
fn a_store_that_refuses_what_is_added_is_still_read() {
    let server = Server::start();
    let first = writer(&server.address());
    first.write_files(5);
    first.build();
    server.fail(|method, _| (method == "PUT").then_some(Fault::Status(403)));
    let machine = writer(&server.address());
    machine.write("new.bin", "new");
    let used = machine.build().1.unwrap();
    assert!(used.fault.as_ref().unwrap().contains("permissions"), "{used}");
    // The next build does not try to add, but it reads.
    machine.write_files(5);
    let used = machine.build().1.unwrap();
    assert_eq!((used.fetched, used.fault.as_deref()), (5, None), "{used}");
}

#[test]
fn nobody_answers() {
    let machine = writer("http://127.0.0.1:9/x");
    machine.write_files(5);
    let (_, used) = machine.build();
    assert!(used.unwrap().fault.is_some());
}
