//! A server of the Remote Execution API in place of a store of objects.

#[allow(dead_code, reason = "the tests of `rres-remote-execution` need the rest")]
#[path = "../../../remote-execution/tests/it/server/mod.rs"]
mod server;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rres_engine::cache::RemoteUse;
use tonic::Code;

use crate::{reader, writer};
use server::{Fault, Server};

fn used(of: Option<RemoteUse>) -> RemoteUse {
    let used = of.expect("the build has asked the remote cache");
    assert_eq!(used.fault, None);
    used
}

#[test]
fn a_second_machine_imports_nothing_and_sends_few_calls() {
    const COUNT: usize = 1500;
    let server = Server::start();
    let (first, second) = (writer(&server.address()), reader(&server.address()));
    first.write_files(COUNT);
    second.write_files(COUNT);
    let (pack, of_first) = first.build();
    assert_eq!(used(of_first).stored.assets, COUNT);
    server.calls();
    server.sent();
    let (same, of_second) = second.build();
    let of_second = used(of_second);
    assert!(pack == same, "the packs differ");
    assert_eq!((of_second.wanted, of_second.fetched, of_second.damaged), (COUNT, COUNT, 0));
    let calls = server.calls();
    assert!(calls.values().sum::<u64>() <= 10, "{calls:?}");
    let sent = server.sent();
    assert!(sent <= of_second.fetched_bytes * 102 / 100, "{sent} bytes for blobs of {}", of_second.fetched_bytes);
    assert!(second.build().1.is_none());
    assert!(server.calls().is_empty());
}

#[test]
fn many_small_bundles_are_few_calls() {
    let server = Server::start();
    let all = reader(&server.address());
    for number in 0..40 {
        let machine = writer(&server.address());
        for of in [&machine, &all] {
            of.write(&format!("{number}.bin"), format!("asset {number}"));
        }
        assert_eq!(used(machine.build().1).stored.assets, 1);
    }
    server.calls();
    assert_eq!(used(all.build().1).fetched, 40);
    let calls = server.calls();
    assert_eq!(calls["BatchReadBlobs"], 1, "{calls:?}");
    assert!(calls["GetActionResult"] <= 40 + 18, "{calls:?}");
}

#[test]
fn caches_of_two_games_fit_into_an_instance() {
    let server = Server::start();
    let game = |name: &str| server.address() + "#" + name;
    let (one, other, same) = (writer(&game("one")), reader(&game("other")), reader(&game("one")));
    for machine in [&one, &other, &same] {
        machine.write_files(5);
    }
    one.build();
    assert_eq!(used(other.build().1).fetched, 0);
    assert_eq!(used(same.build().1).fetched, 5);
}

#[test]
fn what_the_server_has_evicted_is_added_again() {
    let server = Server::start();
    let (first, second) = (writer(&server.address()), reader(&server.address()));
    first.write_files(8);
    second.write_files(8);
    first.build();
    // The bundle; its name stays, as on servers that do not look whether blobs are there.
    let is_bundle = |blob: &[u8]| blob.starts_with(b"rres") && !blob.starts_with(b"rres r");
    let evicted = server.state.blobs.lock().unwrap().extract_if(|_, blob| is_bundle(blob)).count();
    assert_eq!(evicted, 1);
    first.forget();
    let again = used(first.build().1);
    assert_eq!((again.fetched, again.stored.assets), (0, 8));
    assert_eq!(used(second.build().1).fetched, 8);
    // Nothing is left.
    server.state.blobs.lock().unwrap().clear();
    second.forget();
    assert_eq!(used(second.build().1).fetched, 0);
    first.forget();
    assert_eq!(used(first.build().1).stored.assets, 8);
}

#[test]
fn a_server_that_may_not_be_written_is_read() {
    let server = Server::start();
    let (first, second) = (writer(&server.address()), writer(&server.address()));
    first.write_files(5);
    second.write_files(6);
    first.build();
    server.change_capabilities(|of| of.cache_capabilities.as_mut().unwrap().action_cache_update_capabilities = None);
    let of_second = second.build().1.unwrap();
    assert_eq!((of_second.fetched, of_second.stored.assets), (5, 0));
    assert!(of_second.fault.unwrap().contains("does not let this machine write"));
}

#[test]
fn three_hundred_faults_harm_no_build() {
    let server = Server::start();
    let first = writer(&server.address());
    first.write_files(20);
    first.build();
    let mut machine = writer(&server.address());
    machine.config.timeout = Duration::from_secs(1);
    machine.write_files(25);
    let right = {
        let alone = writer(&Server::start().address());
        alone.write_files(25);
        alone.build().0
    };
    let count = Arc::new(AtomicU64::new(0));
    let (of_server, call) = (Arc::clone(&count), AtomicU64::new(0));
    server.fail(move |_| {
        let hash = blake3::hash(&call.fetch_add(1, Ordering::SeqCst).to_le_bytes());
        let drawn = u16::from_le_bytes(*hash.as_bytes().first_chunk().unwrap());
        let fault = match drawn % 100 {
            0..60 => return None,
            60..70 => Fault::Status(Code::Unavailable),
            70..76 => Fault::Status(Code::NotFound),
            76..80 => Fault::Status(Code::PermissionDenied),
            80..86 => Fault::Wrong,
            86..92 => Fault::Cut,
            92..96 => Fault::Break,
            96.. if drawn % 1000 != 999 => Fault::Huge,
            _ => Fault::Hang,
        };
        of_server.fetch_add(1, Ordering::SeqCst);
        Some(fault)
    });
    let (mut fetched, mut failed, mut builds) = (0, 0, 0);
    while count.load(Ordering::SeqCst) < 300 {
        machine.forget();
        let (bytes, used) = machine.build();
        assert!(bytes == right, "build {builds} is wrong");
        let used = used.unwrap();
        fetched += used.fetched;
        failed += usize::from(used.fault.is_some());
        builds += 1;
    }
    assert!(fetched > 0 && failed > 0 && failed < builds, "{fetched} assets in {builds} builds, {failed} with faults");
    assert_eq!(machine.cache().verify().unwrap().removed.len(), 0);
    server.mend();
    let last = reader(&server.address());
    last.write_files(25);
    let (bytes, of_last) = last.build();
    assert!(bytes == right && used(of_last).damaged == 0);
}

#[test]
fn messages_have_no_token() {
    let server = Server::start();
    server.ask_for("let-me-in");
    let build = |token: &str| {
        let mut machine = writer(&server.address());
        machine.config.token = Some(token.to_owned());
        machine.write_files(3);
        machine.build().1.unwrap()
    };
    let refused = build("wrong-token");
    let shown = refused.to_string();
    assert!(refused.fault.is_some() && refused.fetched == 0 && !shown.contains("wrong-token"), "{shown}");
    assert_eq!(used(Some(build("let-me-in"))).stored.assets, 3);
}

/// Needs a server: `RRES_TEST_REMOTE_CACHE`, its address.
#[test]
#[ignore = "needs a server of the Remote Execution API: crates/remote-execution/tests/real-servers.sh starts one"]
fn machines_share_a_real_server() {
    let address = std::env::var("RRES_TEST_REMOTE_CACHE").expect("RRES_TEST_REMOTE_CACHE is the address of a server");
    // The server may have what an earlier run has added.
    let address = format!("{address}#{}", std::process::id());
    let (first, second) = (writer(&address), reader(&address));
    first.write_files(2000);
    second.write_files(2000);
    let (pack, of_first) = first.build();
    assert_eq!(used(of_first).stored.assets, 2000);
    let (same, of_second) = second.build();
    assert!(pack == same);
    assert_eq!(used(of_second).fetched, 2000);
    for number in 0..3 {
        let machine = writer(&address);
        machine.write("own.bin", format!("of machine {number}"));
        assert_eq!(used(machine.build().1).stored.assets, 1);
        let other = reader(&address);
        other.write("own.bin", format!("of machine {number}"));
        assert_eq!(used(other.build().1).fetched, 1);
    }
}
