//! Jobs.

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rres_remote_execution::{Contents, Farm, Input, Job, JobFailed, Outputs};
use tonic::Code;

use crate::server::{Fault, Server};
use crate::{bytes, farm};

/// A job that runs a script of the shell.
pub fn job(script: &str, inputs: Vec<Input>) -> Job {
    Job {
        arguments: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
        environment: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned()), ("NAME".to_owned(), "value".to_owned())],
        inputs,
        output_directory: "out/dir".to_owned(),
        timeout: Duration::from_secs(30),
    }
}

pub fn input(path: &str, contents: impl AsRef<[u8]>) -> Input {
    Input { path: path.to_owned(), contents: Contents::Bytes(contents.as_ref().to_vec()), is_executable: false }
}

/// Runs jobs, and returns what becomes of each.
pub fn run(farm: &Farm, jobs: &[Job]) -> Vec<io::Result<Outputs>> {
    let mut results = HashMap::new();
    farm.run(jobs, &mut |number, result| assert!(results.insert(number, result).is_none(), "job {number} twice"))
        .unwrap();
    (0..jobs.len()).map(|number| results.remove(&number).unwrap()).collect()
}

#[test]
fn jobs_have_their_inputs_and_their_outputs_come_back() {
    let server = Server::start();
    let farm = farm(&server);
    let script = "cp a/b.txt out/dir/copy; mkdir -p out/dir/x/y; printf %s $NAME > out/dir/x/y/name; : > out/dir/x/empty; ls > out/dir/list";
    let results = run(&farm, &[job(script, vec![input("a/b.txt", "text"), input("c", "")])]);
    let expected = [("copy", "text"), ("list", "a\nc\nout\n"), ("x/empty", ""), ("x/y/name", "value")];
    let expected: Outputs = expected.map(|(path, text)| (path.to_owned(), text.into())).into();
    assert_eq!(results[0].as_ref().unwrap(), &expected);
}

#[test]
fn a_program_is_uploaded_once_for_all_jobs() {
    let server = Server::start();
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("tool");
    let padding = format!("# {}\n", "x".repeat(2_000_000));
    fs::write(&program, format!("#!/bin/sh\ncp \"$1\" out/dir/made\nexit\n{padding}")).unwrap();
    let jobs: Vec<Job> = (0..200)
        .map(|number| {
            let tool =
                Input { path: "bin/tool".to_owned(), contents: Contents::File(program.clone()), is_executable: true };
            let mut job = job("", vec![tool, input("source", format!("source {number}"))]);
            job.arguments = ["bin/tool", "source"].map(str::to_owned).to_vec();
            job
        })
        .collect();
    let farm = farm(&server).at_once(16);
    for (number, result) in run(&farm, &jobs).into_iter().enumerate() {
        assert_eq!(result.unwrap(), [("made".to_owned(), format!("source {number}").into_bytes())]);
    }
    let calls = server.calls();
    assert_eq!((calls["Write"], server.executed()), (1, 200), "{calls:?}");
    assert_eq!(calls["FindMissingBlobs"], 4, "one for each group of 64");
    // What has been executed before is not executed again.
    assert!(run(&farm, &jobs).iter().all(Result::is_ok));
    assert_eq!((server.executed(), server.calls().get("FindMissingBlobs")), (0, None));
}

#[test]
fn large_outputs_arrive() {
    let server = Server::start();
    let blob = bytes(3_000_000, 5);
    let results =
        run(&farm(&server), &[job("cp large out/dir; head -c 10 large > out/dir/small", vec![input("large", &blob)])]);
    let expected: Outputs = vec![("large".to_owned(), blob.clone()), ("small".to_owned(), blob[..10].to_vec())];
    assert!(results[0].as_ref().unwrap() == &expected);
}

#[test]
fn a_job_that_fails_says_why_and_the_others_go_on() {
    let server = Server::start();
    let mut slow = job("exec sleep 30", Vec::new());
    slow.timeout = Duration::from_secs(1);
    let mut outside = job("true", vec![input("../a", "")]);
    outside.output_directory = "out".to_owned();
    let absent = Input { path: "a".to_owned(), contents: Contents::File("/nonexistent".into()), is_executable: false };
    let jobs = [
        job("echo one >&2; echo two >&2; exit 7", Vec::new()),
        slow,
        outside,
        job("true", vec![absent]),
        job("echo right > out/dir/a", Vec::new()),
    ];
    let results = run(&farm(&server), &jobs);
    let failed = results[0].as_ref().unwrap_err();
    let failed = failed.get_ref().and_then(|error| error.downcast_ref::<JobFailed>()).unwrap();
    assert_eq!((failed.exit_code, &*failed.stderr), (7, "one\ntwo"));
    let kinds: Vec<ErrorKind> = results[1..4].iter().map(|result| result.as_ref().unwrap_err().kind()).collect();
    assert_eq!(kinds, [ErrorKind::TimedOut, ErrorKind::InvalidInput, ErrorKind::NotFound]);
    assert!(results[3].as_ref().unwrap_err().to_string().contains("/nonexistent"));
    assert_eq!(results[4].as_ref().unwrap(), &[("a".to_owned(), b"right\n".to_vec())]);
}

#[test]
fn a_stream_that_breaks_off_is_followed_further() {
    for fault in [Fault::Break, Fault::Cut] {
        let server = Server::start();
        let count = AtomicU64::new(0);
        server.fail(move |method| match method {
            "Execute" => Some(fault),
            "WaitExecution" if count.fetch_add(1, Ordering::SeqCst) < 4 => Some(fault),
            _ => None,
        });
        let results = run(&farm(&server), &[job("sleep 0.2; echo a > out/dir/a", Vec::new())]);
        assert!(results[0].is_ok(), "{results:?}");
        let calls = server.calls();
        assert_eq!((calls["Execute"], calls["WaitExecution"], server.executed()), (1, 5, 1));
    }
}

#[test]
fn inputs_that_the_farm_has_evicted_are_uploaded_again() {
    let server = Server::start();
    let farm = farm(&server);
    let of = |text: &str| job(&format!("cp kept out/dir/{text}"), vec![input("kept", "kept by the farm")]);
    assert!(run(&farm, &[of("one")])[0].is_ok());
    server.state.blobs.lock().unwrap().retain(|_, blob| &**blob != b"kept by the farm");
    assert!(run(&farm, &[of("two")])[0].is_ok());
}

#[test]
fn a_farm_that_fails_ends_the_run() {
    let server = Server::start();
    let none = &mut |_, _: io::Result<Outputs>| panic!("no job has run");
    server.fail(|method| (method == "FindMissingBlobs").then_some(Fault::Status(Code::Unavailable)));
    assert!(farm(&server).run(&[job("true", Vec::new())], none).unwrap_err().to_string().contains("Unavailable"));
    server.fail(|method| (method == "Execute").then_some(Fault::Status(Code::PermissionDenied)));
    let fault = farm(&server).run(&[job("true", Vec::new())], none).unwrap_err();
    assert_eq!(fault.kind(), ErrorKind::PermissionDenied);
    server.fail(|method| (method == "Execute").then_some(Fault::Status(Code::Unavailable)));
    let jobs: Vec<Job> = (0..20).map(|number| job(&format!("echo {number}"), Vec::new())).collect();
    let mut failed = 0;
    let fault =
        farm(&server).at_once(2).run(&jobs, &mut |_, result| failed += usize::from(result.is_err())).unwrap_err();
    assert!(failed == 3 && fault.to_string().contains("Unavailable"), "{failed}: {fault}");
    server.mend();
    server.change_capabilities(|of| of.execution_capabilities = None);
    let fault = farm(&server).run(&[job("true", Vec::new())], none).unwrap_err().to_string();
    assert!(fault.contains("executes nothing"), "{fault}");
    assert!(farm(&server).run(&[], none).is_err());
}

#[test]
fn a_farm_that_hangs_is_given_up() {
    let server = Server::start();
    server.fail(|method| (method == "Execute").then_some(Fault::Hang));
    let mut job = job("true", Vec::new());
    job.timeout = Duration::from_secs(1);
    let farm = farm(&server).patience(Duration::from_secs(1)).at_once(2);
    let results = run(&farm, std::slice::from_ref(&job));
    assert_eq!(results[0].as_ref().unwrap_err().kind(), ErrorKind::TimedOut);
    // Not every job waits.
    let jobs = vec![job; 100];
    let fault = farm.run(&jobs, &mut |_, result| assert!(result.is_err())).unwrap_err();
    assert_eq!(fault.kind(), ErrorKind::TimedOut);
}

#[test]
fn a_run_that_is_over_waits_for_no_job() {
    let server = Server::start();
    server.fail(|call| (call == "Execute").then_some(Fault::Hang));
    let asked = std::sync::atomic::AtomicU64::new(0);
    let is_over = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 3;
    let jobs = [job("true", Vec::new())];
    farm(&server).run_until(&jobs, &is_over, &mut |number, _| panic!("job {number} has no result")).unwrap();
}

#[test]
fn servers_before_version_2_1_get_the_older_fields() {
    let server = Server::start();
    server.change_capabilities(|of| of.high_api_version.as_mut().unwrap().minor = 0);
    let results = run(&farm(&server), &[job("echo a > out/dir/a", Vec::new())]);
    assert_eq!(results[0].as_ref().unwrap().len(), 1);
}
