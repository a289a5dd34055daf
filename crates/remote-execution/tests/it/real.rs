//! Servers as they are used, by other programs that speak the protocol: `tests/real-servers.sh` starts them.

use std::fs;

use rres_remote_execution::{Client, Config, Contents, Farm, Input, Job, JobFailed, Part};

use crate::bytes;
use crate::farm::{input, job, run};

fn config(variable: &str) -> Config {
    let address = std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is the address of a server"));
    Config::new(address)
}

/// Bytes that no earlier run has uploaded.
fn fresh(len: usize) -> Vec<u8> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    bytes(len, now.as_nanos() as u64)
}

/// Needs a server that keeps blobs and names: `RRES_TEST_REMOTE_CACHE`.
#[test]
#[ignore = "needs a server of the Remote Execution API: tests/real-servers.sh starts one"]
fn a_real_server_keeps_blobs_and_names() {
    let client = Client::open(&config("RRES_TEST_REMOTE_CACHE")).unwrap();
    let mut parts = Vec::new();
    let mut blobs = Vec::new();
    for (number, len) in [0, 100, 1000, 3_000_000, 10_000_000].into_iter().enumerate() {
        let blob = fresh(len);
        let digest = client.put(blob.clone()).unwrap();
        let name = format!("{number} of {:?}", &blob[..len.min(16)]);
        if len > 0 {
            assert_eq!(client.named(&name).unwrap(), None);
        }
        client.set_named(&name, &digest).unwrap();
        assert_eq!(client.named(&name).unwrap(), Some(digest));
        assert!(client.get(&digest, 1 << 30).unwrap().as_ref() == Some(&blob), "{len} bytes");
        parts.push(Part { digest, range: 0..digest.size() });
        blobs.push(blob);
    }
    parts.push(Part { digest: parts[4].digest, range: 5_000_000..6_000_000 });
    blobs.push(blobs[4][5_000_000..6_000_000].to_vec());
    let mut count = 0;
    client
        .read_parts(&parts, &mut |number, part| {
            assert!(part.unwrap() == blobs[number], "part {number}");
            count += 1;
        })
        .unwrap();
    assert_eq!(count, parts.len());
    assert_eq!(client.get(&rres_remote_execution::Digest::of(&fresh(50)), 100).unwrap(), None);
}

/// Needs a server: `RRES_TEST_FARM`. If it has no machines of its own, `RRES_TEST_FARM_MACHINES` says how many this test starts.
#[test]
#[ignore = "needs a farm of the Remote Execution API: tests/real-servers.sh starts one"]
fn a_real_farm_executes_jobs() {
    let machines = std::env::var("RRES_TEST_FARM_MACHINES").map_or(0, |count| count.parse().unwrap());
    for number in 0..machines {
        crate::bot::start(&config("RRES_TEST_FARM"), number);
    }
    let mut farm = Farm::open(&config("RRES_TEST_FARM")).unwrap().at_once(8);
    for property in std::env::var("RRES_TEST_FARM_PLATFORM").unwrap_or_default().split_whitespace() {
        let (name, value) = property.split_once('=').expect("NAME=VALUE");
        farm = farm.platform(name, value);
    }
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("tool");
    let padding = format!("# {}\n", "x".repeat(5_000_000));
    fs::write(
        &program,
        format!(
            "#!/bin/sh\ncat source > out/dir/made\nmkdir out/dir/deep\necho $NAME > out/dir/deep/name\nexit\n{padding}"
        ),
    )
    .unwrap();
    let salt = fresh(20);
    let mut jobs: Vec<Job> = (0..40)
        .map(|number| {
            let tool =
                Input { path: "tool".to_owned(), contents: Contents::File(program.clone()), is_executable: true };
            let source = [format!("source {number} ").as_bytes(), &salt].concat();
            let mut job = job("", vec![tool, input("source", source)]);
            job.arguments = vec!["./tool".to_owned()];
            job
        })
        .collect();
    jobs.push(job("echo what is wrong >&2; exit 7", vec![input("salt", &salt)]));
    jobs.push(job("head -c 8000000 /dev/zero > out/dir/large", vec![input("salt", &salt)]));
    for _ in 0..2 {
        let mut results = run(&farm, &jobs);
        let large = results.pop().unwrap().unwrap();
        assert!(large.len() == 1 && large[0].1 == vec![0; 8_000_000]);
        let failed = results.pop().unwrap().unwrap_err();
        let failed = failed.get_ref().and_then(|error| error.downcast_ref::<JobFailed>());
        let failed = failed.map(|failed| (failed.exit_code, failed.stderr.trim().to_owned()));
        assert_eq!(failed, Some((7, "what is wrong".to_owned())));
        for (number, result) in results.into_iter().enumerate() {
            let made = [format!("source {number} ").as_bytes(), &salt].concat();
            let expected = [("deep/name".to_owned(), b"value\n".to_vec()), ("made".to_owned(), made)];
            assert_eq!(result.unwrap(), expected, "job {number}");
        }
    }
}
