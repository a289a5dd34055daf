//! What one machine has imported, another one has without importing.

use rres_engine::cache::RemoteUse;
use rres_format::signature::SecretKey;

use crate::server::Server;
use crate::{Machine, reader, writer};

fn used(of: Option<RemoteUse>) -> RemoteUse {
    let used = of.expect("the build has asked the remote cache");
    assert_eq!(used.fault, None);
    used
}

#[test]
fn a_second_machine_imports_nothing_and_gets_the_same_bytes() {
    const COUNT: usize = 1500;
    let server = Server::start();
    let (first, second) = (writer(&server.address()), reader(&server.address()));
    first.write_files(COUNT);
    second.write_files(COUNT);
    let (pack, of_first) = first.build();
    let of_first = used(of_first);
    assert_eq!((of_first.wanted, of_first.fetched, of_first.stored.assets), (COUNT, 0, COUNT));
    server.counted();

    let (same, of_second) = second.build();
    let of_second = used(of_second);
    assert!(pack == same, "the packs differ");
    assert_eq!((of_second.wanted, of_second.fetched, of_second.stored.assets), (COUNT, COUNT, 0));
    let (requests, bytes) = server.counted();
    assert!(requests <= 10, "{requests} requests");
    assert!(bytes <= of_second.fetched_bytes * 102 / 100, "{bytes} bytes for blobs of {}", of_second.fetched_bytes);

    // A machine that has everything asks nobody.
    let (_, again) = second.build();
    assert!(again.is_none());
    assert_eq!(server.counted().0, 0);
    // One that adds looks what there is, and adds nothing.
    assert!(first.build().1.is_none());
    assert!(server.counted().0 <= 2);
}

/// The comparisons of similar files take longer than their imports.
#[test]
fn what_one_machine_has_compared_no_other_compares() {
    let server = Server::start();
    let (first, second) = (writer(&server.address()), reader(&server.address()));
    for machine in [&first, &second] {
        for number in 0..60 {
            let lines = (0..80).map(|line| format!("{} {}\n", blake3::hash(&[line]).to_hex(), (line + number) / 70));
            machine.write(&format!("{number:02}.bin"), lines.collect::<String>());
        }
    }
    let (pack, _) = first.build();
    server.counted();
    let (same, of_second) = second.build();
    assert!(pack == same);
    used(of_second);
    // The list, two index files, the blobs of the sources, and the results of the comparisons.
    assert_eq!(server.counted().0, 5);
    let blobs = |machine: &Machine| machine.cache().stats().unwrap().blobs;
    assert!(blobs(&first) > 100, "{} blobs: nothing was compared", blobs(&first));
    assert_eq!(blobs(&second), blobs(&first));
}

#[test]
fn only_what_is_missing_is_read() {
    let server = Server::start();
    let (first, second) = (writer(&server.address()), reader(&server.address()));
    first.write_files(200);
    first.build();
    second.write("0007.bin", std::fs::read(first.assets().join("0007.bin")).unwrap());
    second.write("own.bin", "only here");
    server.counted();
    let of_second = used(second.build().1);
    assert_eq!((of_second.wanted, of_second.fetched), (2, 1));
    let (_, bytes) = server.counted();
    assert!(bytes < 200 * 40 + 5_000, "the index and one blob, but {bytes} bytes");
}

#[test]
fn input_files_of_this_machine_choose_the_entry() {
    let server = Server::start();
    let (first, second) = (writer(&server.address()), reader(&server.address()));
    for machine in [&first, &second] {
        machine.write("a.txt", "#include other.bin");
        machine.write("other.bin", "one");
    }
    let (pack, _) = first.build();
    let (same, of_second) = second.build();
    assert!(pack == same);
    assert_eq!(used(of_second).fetched, 2);

    second.forget();
    second.write("other.bin", "two");
    let (other, of_second) = second.build();
    assert!(other != pack);
    let of_second = used(of_second);
    assert_eq!((of_second.wanted, of_second.fetched), (2, 0), "both are others now");
}

#[test]
fn entries_of_many_machines_become_one_index() {
    let server = Server::start();
    let all = reader(&server.address());
    for number in 0..40 {
        let machine = writer(&server.address());
        for of in [&machine, &all] {
            of.write(&format!("{number}.bin"), format!("asset {number}"));
        }
        assert_eq!(used(machine.build().1).stored.assets, 1);
    }
    server.change(|objects| {
        let list = String::from_utf8(objects["/team/v1/list"].clone()).unwrap();
        assert!(list.lines().count() <= 17, "{list}");
    });
    server.counted();
    assert_eq!(used(all.build().1).fetched, 40);
    // Small bundles are small objects: one request each.
    assert!(server.counted().0 <= 17 + 40);
}

#[test]
fn entries_that_nobody_trusted_has_signed_are_not_used() {
    let server = Server::start();
    let (ci, fork) = (SecretKey::from_seed([1; 32]).unwrap(), SecretKey::from_seed([2; 32]).unwrap());
    let mut laptop = reader(&server.address());
    laptop.write_files(10);
    laptop.config.trusted = vec![ci.public_key()];
    let signed = |key: Option<&SecretKey>| {
        let mut machine = writer(&server.address());
        machine.config.key = key.cloned();
        machine.config.trusted = vec![ci.public_key()];
        machine.write_files(10);
        used(machine.build().1).stored.assets
    };
    assert_eq!(signed(None), 10);
    assert_eq!(signed(Some(&fork)), 10);
    assert_eq!(used(laptop.build().1).fetched, 0);
    assert_eq!(signed(Some(&ci)), 10, "what others have added does not count");
    laptop.forget();
    assert_eq!(used(laptop.build().1).fetched, 10);
}

#[test]
fn right_checksums_for_other_contents_are_not_enough() {
    let server = Server::start();
    let (first, second) = (writer(&server.address()), reader(&server.address()));
    first.write_files(5);
    second.write_files(5);
    let (pack, _) = first.build();
    // Whoever can write to the store swaps two bundles of equal length for other bytes.
    server.change(|objects| {
        for (name, object) in objects.iter_mut().filter(|(name, _)| name.contains("bundles")) {
            assert!(name.starts_with("/team/v1/"));
            object.reverse();
        }
    });
    let (same, of_second) = second.build();
    let of_second = used(of_second);
    assert!(pack == same);
    assert_eq!((of_second.fetched, of_second.damaged), (0, 5));
    assert!(of_second.to_string().contains("5 damaged and imported again"), "{of_second}");
    assert_eq!(second.cache().verify().unwrap().removed.len(), 0);
}

/// A store deletes old objects, or damages them.
#[test]
fn what_the_store_has_lost_is_added_again() {
    let server = Server::start();
    let (first, second) = (writer(&server.address()), reader(&server.address()));
    first.write_files(8);
    second.write_files(8);
    first.build();
    let is_bundle = |name: &String| name.contains("bundles");
    server.change(|objects| objects.retain(|name, _| !is_bundle(name)));
    first.forget();
    let again = used(first.build().1);
    assert_eq!((again.fetched, again.stored.assets), (0, 8));
    server.change(|objects| objects.iter_mut().filter(|of| is_bundle(of.0)).for_each(|(_, bundle)| bundle.reverse()));
    first.forget();
    let again = used(first.build().1);
    assert_eq!((again.damaged, again.stored.assets), (8, 8));
    assert_eq!(used(second.build().1).fetched, 8);
}

#[test]
fn a_bundle_that_is_cut_off_costs_its_own_entries_and_no_others() {
    let server = Server::start();
    let (first, second, all) = (writer(&server.address()), writer(&server.address()), reader(&server.address()));
    first.write_files(8);
    first.build();
    server.change(|objects| {
        for (_, bundle) in objects.iter_mut().filter(|(name, _)| name.contains("bundles")) {
            bundle.truncate(1);
        }
    });
    second.write("other.bin", "in another bundle");
    second.build();
    // Not the first one, so the range begins beyond the end.
    all.write("0007.bin", std::fs::read(first.assets().join("0007.bin")).unwrap());
    all.write("0006.bin", std::fs::read(first.assets().join("0006.bin")).unwrap());
    all.write("other.bin", "in another bundle");
    let of_all = used(all.build().1);
    assert_eq!((of_all.wanted, of_all.fetched), (3, 1));
    // A machine that adds finds out, and adds them again.
    first.forget();
    assert_eq!(used(first.build().1).stored.assets, 8);
    all.forget();
    assert_eq!(used(all.build().1).fetched, 3);
}

#[test]
fn a_server_gets_the_token_and_messages_do_not() {
    let server = Server::start();
    server.ask_for("let-me-in");
    let address = server.address().replace("http://", "http://user:word@") + "?signature=abc";
    let build = |token: Option<&str>| {
        let mut machine: Machine = writer(&address);
        machine.config.token = token.map(str::to_owned);
        machine.write_files(3);
        machine.build().1.unwrap()
    };
    let refused = build(Some("wrong-token"));
    let shown = refused.to_string();
    assert!(refused.fault.is_some() && refused.fetched == 0, "{shown}");
    assert!(!["word@", "abc", "wrong-token"].iter().any(|secret| shown.contains(secret)), "{shown}");
    assert_eq!(used(Some(build(Some("let-me-in")))).stored.assets, 3);
}
