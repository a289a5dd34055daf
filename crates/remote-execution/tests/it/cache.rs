//! Blobs and names.

use std::io::ErrorKind;
use std::sync::atomic::{AtomicU64, Ordering};

use rres_remote_execution::{Client, Digest, Part};
use tonic::Code;

use crate::server::{Fault, Server};
use crate::{bytes, client, config};

const MOST: u64 = 1 << 30;

#[test]
fn blobs_and_names_come_back() {
    let server = Server::start();
    let client = client(&server);
    // One that fits into a batch, one that does not, and none.
    for (number, len) in [100, 3_000_000, 0].into_iter().enumerate() {
        let blob = bytes(len, 7);
        let digest = client.put(blob.clone()).unwrap();
        let name = format!("blob {number}");
        assert_eq!(client.named(&name).unwrap(), None);
        client.set_named(&name, &digest).unwrap();
        assert_eq!(client.named(&name).unwrap(), Some(digest));
        assert!(client.get(&digest, MOST).unwrap() == Some(blob));
    }
    let first = client.named("blob 0").unwrap().unwrap();
    client.set_named("blob 1", &first).unwrap();
    assert_eq!(client.named("blob 1").unwrap(), Some(first), "the last one counts");
    assert_eq!(client.get(&Digest::of(b"absent"), MOST).unwrap(), None);
    let calls = server.calls();
    assert_eq!((calls["GetCapabilities"], calls["Write"]), (1, 1), "{calls:?}");
    client.put(bytes(3_000_000, 7)).unwrap();
    assert_eq!(server.calls().get("Write"), None, "the server has it");
}

#[test]
fn names_of_one_prefix_are_not_those_of_another() {
    let server = Server::start();
    let mut of_game = config(&server);
    of_game.address += "#game";
    let (one, two) = (client(&server), Client::open(&of_game).unwrap());
    let digest = one.put(b"contents".to_vec()).unwrap();
    one.set_named("list", &digest).unwrap();
    assert_eq!(two.named("list").unwrap(), None);
}

#[test]
fn parts_arrive_with_few_calls() {
    let server = Server::start();
    let client = client(&server);
    let blobs: Vec<Vec<u8>> = (0..300).map(|seed| bytes(2000, seed)).chain([bytes(5_000_000, 500)]).collect();
    let digests: Vec<Digest> = blobs.iter().map(|blob| client.put(blob.clone()).unwrap()).collect();
    let mut parts: Vec<Part> = digests.iter().map(|digest| Part { digest: *digest, range: 0..digest.size() }).collect();
    parts.push(Part { digest: digests[300], range: 1_000_000..1_200_000 });
    parts.push(Part { digest: digests[3], range: 0..digests[3].size() });
    parts.push(Part { digest: Digest::of(b"absent"), range: 0..6 });
    parts.push(Part { digest: Digest::of(b"absent, too"), range: 1..6 });
    server.calls();
    server.sent();
    let mut taken = vec![0; parts.len()];
    let take = &mut |number: usize, part: std::io::Result<&[u8]>| {
        taken[number] += 1;
        match (number, part) {
            (303 | 304, part) => assert_eq!(part.unwrap_err().kind(), ErrorKind::NotFound),
            (301, part) => assert!(part.unwrap() == &blobs[300][1_000_000..1_200_000]),
            (302, part) => assert!(part.unwrap() == blobs[3]),
            (number, part) => assert!(part.unwrap() == blobs[number]),
        }
    };
    client.read_parts(&parts, take).unwrap();
    assert_eq!(taken, vec![1; parts.len()]);
    let calls = server.calls();
    assert!(calls["BatchReadBlobs"] <= 2 && calls["Read"] == 3, "{calls:?}");
    assert_eq!(server.sent(), 300 * 2000 + 5_000_000 + 200_000, "what is wanted twice is sent once");
}

#[test]
fn a_busy_server_is_asked_again_and_not_for_ever() {
    let server = Server::start();
    let client = client(&server);
    for code in [Code::Unavailable, Code::ResourceExhausted] {
        let left = AtomicU64::new(2);
        server.fail(move |_| {
            let fails = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
            fails.then_some(Fault::Status(code))
        });
        client.put(format!("{code:?}").into_bytes()).unwrap();
        server.fail(move |_| Some(Fault::Status(code)));
        server.calls();
        let fault = client.put(format!("{code:?} for ever").into_bytes()).unwrap_err().to_string();
        assert!(fault.contains(&format!("FindMissingBlobs: the server answers {code:?}")), "{fault}");
        assert_eq!(server.calls()["FindMissingBlobs"], 3);
    }
    server.fail(|_| Some(Fault::Status(Code::InvalidArgument)));
    client.put(b"refused".to_vec()).unwrap_err();
    assert_eq!(server.calls()["FindMissingBlobs"], 1, "asking again does not help");
}

#[test]
fn other_bytes_are_not_believed() {
    let server = Server::start();
    let client = client(&server);
    let (small, large) = (client.put(bytes(1000, 1)).unwrap(), client.put(bytes(2_000_000, 2)).unwrap());
    server.fail(|method| matches!(method, "Read" | "BatchReadBlobs").then_some(Fault::Wrong));
    let fault = client.get(&large, MOST).unwrap_err();
    assert_eq!(fault.kind(), ErrorKind::InvalidData);
    assert!(fault.to_string().contains("other bytes than those of blob"), "{fault}");
    let parts = [small, large].map(|digest| Part { digest, range: 0..digest.size() });
    let mut damaged = 0;
    client
        .read_parts(&parts, &mut |_, part| {
            assert_eq!(part.unwrap_err().kind(), ErrorKind::InvalidData);
            damaged += 1;
        })
        .unwrap();
    assert_eq!(damaged, 2);
}

#[test]
fn streams_that_end_early_are_read_again_and_refused() {
    let server = Server::start();
    let client = client(&server);
    let digest = client.put(bytes(2_000_000, 3)).unwrap();
    for fault in [Fault::Cut, Fault::Break] {
        let once = AtomicU64::new(0);
        server.fail(move |method| (method == "Read" && once.fetch_add(1, Ordering::SeqCst) == 0).then_some(fault));
        assert!(client.get(&digest, MOST).unwrap().is_some());
        server.fail(move |method| (method == "Read").then_some(fault));
        let text = client.get(&digest, MOST).unwrap_err().to_string();
        assert!(text.contains("has sent 1000000 bytes") || text.contains("Unavailable"), "{text}");
    }
}

#[test]
fn more_than_was_asked_for_is_left() {
    let server = Server::start();
    let client = client(&server);
    let blob = bytes(2_000_000, 6);
    let digest = client.put(blob.clone()).unwrap();
    server.fail(|method| (method == "Read").then_some(Fault::More));
    let part = Part { digest, range: 150_000..350_001 };
    let mut taken = 0;
    client
        .read_parts(&[part], &mut |_, part| {
            assert!(part.unwrap() == &blob[150_000..350_001]);
            taken += 1;
        })
        .unwrap();
    assert_eq!(taken, 1);
}

#[test]
fn sizes_are_checked_before_memory_is_taken() {
    let server = Server::start();
    let client = client(&server);
    let digest = client.put(bytes(2_000_000, 4)).unwrap();
    assert_eq!(client.get(&digest, 1_999_999).unwrap_err().kind(), ErrorKind::InvalidData);
    for method in ["GetActionResult", "FindMissingBlobs", "Read"] {
        server.fail(move |called| (called == method).then_some(Fault::Huge));
        let fault = match method {
            "GetActionResult" => client.named("x").map(drop),
            "Read" => client.get(&digest, MOST).map(drop),
            _ => client.put(b"new".to_vec()).map(drop),
        };
        let fault = fault.unwrap_err().to_string();
        assert!(fault.contains(method) && fault.contains("too large"), "{fault}");
    }
    // A name of a blob that no memory holds.
    server.mend();
    client.set_named("huge", &digest).unwrap();
    for result in server.state.actions.lock().unwrap().values_mut() {
        result.output_files[0].digest.as_mut().unwrap().size_bytes = i64::MAX;
    }
    let huge = client.named("huge").unwrap().unwrap();
    assert_eq!(client.get(&huge, MOST).unwrap_err().kind(), ErrorKind::InvalidData);
    let mut faults = 0;
    client
        .read_parts(&[Part { digest: huge, range: 0..huge.size() }], &mut |_, part| {
            faults += usize::from(part.is_err())
        })
        .unwrap();
    assert_eq!(faults, 1);
}

#[test]
fn a_server_that_hangs_costs_one_wait() {
    let server = Server::start();
    let client = client(&server);
    client.put(b"before".to_vec()).unwrap();
    server.fail(|_| Some(Fault::Hang));
    let started = std::time::Instant::now();
    let fault = client.named("x").unwrap_err();
    assert_eq!(fault.kind(), ErrorKind::TimedOut);
    assert!(fault.to_string().contains("did not answer within 2 s"), "{fault}");
    assert!(started.elapsed().as_secs() < 4);
}

#[test]
fn a_server_of_another_kind_is_noticed() {
    let server = Server::start();
    server.change_capabilities(|of| of.cache_capabilities.as_mut().unwrap().digest_functions = vec![9]);
    let fault = client(&server).named("x").unwrap_err().to_string();
    assert!(fault.contains("digest functions [9], expected SHA256"), "{fault}");
    server.change_capabilities(|of| {
        let cache = of.cache_capabilities.as_mut().unwrap();
        cache.digest_functions = vec![1];
        cache.action_cache_update_capabilities = None;
    });
    let fault = client(&server).set_named("x", &Digest::of(b"")).unwrap_err();
    assert_eq!(fault.kind(), ErrorKind::PermissionDenied);
    server.fail(|_| Some(Fault::Status(Code::Unimplemented)));
    assert!(client(&server).named("x").unwrap_err().to_string().contains("GetCapabilities"));
}

#[test]
fn the_token_is_sent_and_not_shown() {
    let server = Server::start();
    server.ask_for("let-me-in");
    let with = |token: Option<&str>| {
        let mut config = config(&server);
        config.token = token.map(str::to_owned);
        Client::open(&config).unwrap().named("x")
    };
    for token in [None, Some("wrong-token")] {
        let fault = with(token).unwrap_err();
        assert_eq!(fault.kind(), ErrorKind::PermissionDenied);
        assert!(!fault.to_string().contains("wrong-token"), "{fault}");
    }
    assert_eq!(with(Some("let-me-in")).unwrap(), None);
    let mut config = config(&server);
    config.headers = vec![("Authorization".to_owned(), "Bearer let-me-in".to_owned())];
    assert_eq!(Client::open(&config).unwrap().named("x").unwrap(), None, "a header is as good");
    for (name, value) in [("x-key", "secret\n"), ("secret name", "x"), ("", "secret")] {
        config.headers = vec![(name.to_owned(), value.to_owned())];
        let fault = Client::open(&config).unwrap_err();
        assert!(fault.contains("header") && !fault.contains("secret"), "{fault}");
    }
    config.headers.clear();
    config.token = Some("secret\n".to_owned());
    let fault = Client::open(&config).unwrap_err();
    assert!(fault.contains("header authorization") && !fault.contains("secret"), "{fault}");
}

#[test]
fn nobody_answers() {
    let mut config = config(&Server::start());
    config.address = "grpc://127.0.0.1:9".to_owned();
    let fault = Client::open(&config).unwrap().named("x").unwrap_err().to_string();
    assert!(fault.contains("GetCapabilities") && fault.contains("refused"), "{fault}");
}
