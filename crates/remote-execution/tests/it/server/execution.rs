//! The execution of jobs, on this machine.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use futures_util::{Stream, StreamExt as _, stream};
use prost::Message as _;
use prost::bytes::Bytes;
use tonic::{Code, Status};

use super::messages::{
    Action, ActionResult, Any, Command, Digest, Directory, DirectoryNode, ExecuteRequest, ExecuteResponse, FileNode,
    Operation, OutputDirectory, Tree, WaitExecutionRequest,
};
use super::{Fault, State, sha256, until};

type Operations = std::pin::Pin<Box<dyn Stream<Item = Result<Operation, Status>> + Send>>;

/// Starts a job, and follows it.
pub fn execute(state: &Arc<State>, asked: ExecuteRequest, fault: Option<Fault>) -> Operations {
    let hash = asked.action_digest.unwrap_or_default().hash;
    let name = format!("operation of {hash}");
    let cached = state.actions.lock().unwrap().get(&hash).cloned();
    if let Some(result) = cached {
        state.operations.lock().unwrap().insert(name.clone(), Some(ended(&name, Ok(result))));
    } else {
        state.operations.lock().unwrap().insert(name.clone(), None);
        let (state, of_thread) = (Arc::clone(state), name.clone());
        thread::spawn(move || {
            let result = run(&state, &hash);
            if let Ok(result) = &result
                && result.exit_code == 0
            {
                state.actions.lock().unwrap().insert(hash, result.clone());
            }
            let operation = ended(&of_thread, result);
            state.operations.lock().unwrap().insert(of_thread, Some(operation));
        });
    }
    follow(state, name, fault)
}

/// Follows a job that has been started.
pub fn wait(state: &Arc<State>, asked: WaitExecutionRequest, fault: Option<Fault>) -> Result<Operations, Status> {
    if !state.operations.lock().unwrap().contains_key(&asked.name) {
        return Err(Status::not_found("no such operation"));
    }
    Ok(follow(state, asked.name, fault))
}

fn follow(state: &Arc<State>, name: String, fault: Option<Fault>) -> Operations {
    let first = Operation { name: name.clone(), ..Operation::default() };
    let begin = stream::iter([Ok(first.clone()), Ok(first)]);
    match fault {
        Some(Fault::Cut) => return Box::pin(begin),
        Some(Fault::Break) => {
            return Box::pin(begin.chain(stream::iter([Err(Status::unavailable("the test breaks it off"))])));
        }
        _ => {}
    }
    let state = Arc::clone(state);
    let end = async move { Ok(until(|| state.operations.lock().unwrap().get(&name).cloned().flatten()).await) };
    Box::pin(begin.chain(stream::once(end)))
}

fn ended(name: &str, result: Result<ActionResult, Status>) -> Operation {
    let response = match result {
        Ok(result) => ExecuteResponse { result: Some(result), ..ExecuteResponse::default() },
        Err(why) => {
            let status = super::messages::Status { code: why.code() as i32, message: why.message().to_owned() };
            ExecuteResponse { status: Some(status), ..ExecuteResponse::default() }
        }
    };
    let type_url = "type.googleapis.com/build.bazel.remote.execution.v2.ExecuteResponse".to_owned();
    let response = Some(Any { type_url, value: response.encode_to_vec().into() });
    Operation { name: name.to_owned(), done: true, error: None, response }
}

/// Runs a job whose blobs are all there.
pub fn run(state: &State, action: &str) -> Result<ActionResult, Status> {
    let missing = |what: &str| Status::failed_precondition(format!("{what} is missing"));
    let blob = |digest: Option<Digest>| state.blob(&digest.unwrap_or_default().hash);
    let action = Action::decode(state.blob(action).ok_or_else(|| missing("the action"))?).unwrap();
    let command = Command::decode(blob(action.command_digest).ok_or_else(|| missing("the command"))?).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let root = blob(action.input_root_digest).ok_or_else(|| missing("the root"))?;
    place(state, root, dir.path()).ok_or_else(|| missing("an input"))?;
    state.executed.fetch_add(1, Ordering::SeqCst);

    let mut process = Process::new(&command.arguments[0]);
    process.args(&command.arguments[1..]).current_dir(dir.path()).env_clear();
    process.envs(command.environment_variables.iter().map(|of| (&of.name, &of.value)));
    process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = loop {
        match process.spawn() {
            // A process that another thread has just started still has the file open for writing.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => thread::sleep(Duration::from_millis(5)),
            child => break child,
        }
    };
    let output = child.and_then(|child| {
        let limit = action.timeout.unwrap_or_default();
        let id = child.id().to_string();
        let limit = Duration::new(limit.seconds as u64, limit.nanos as u32);
        thread::spawn(move || {
            thread::sleep(limit);
            let _ = Process::new("kill").args(["-9", &id]).stderr(Stdio::null()).status();
        });
        child.wait_with_output()
    });
    let output = output.map_err(|e| Status::invalid_argument(format!("{}: {e}", command.arguments[0])))?;
    let Some(exit_code) = output.status.code() else {
        return Err(Status::new(Code::DeadlineExceeded, "the job has taken too long"));
    };
    let mut result = ActionResult { exit_code, stderr_raw: output.stderr.into(), ..ActionResult::default() };
    for path in command.output_paths.iter().chain(&command.output_directories) {
        let mut children = Vec::new();
        let root = collect(state, &dir.path().join(path), &mut children).unwrap();
        let tree = keep(state, Tree { root, children }.encode_to_vec());
        result.output_directories.push(OutputDirectory { path: path.clone(), tree_digest: Some(tree) });
    }
    Ok(result)
}

/// Writes the inputs.
fn place(state: &State, directory: Bytes, dir: &Path) -> Option<()> {
    let directory = Directory::decode(directory).unwrap();
    for file in directory.files {
        let path = dir.join(file.name);
        fs::write(&path, state.blob(&file.digest?.hash)?).unwrap();
        let mode = if file.is_executable { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
    for of in directory.directories {
        let path = dir.join(of.name);
        fs::create_dir(&path).unwrap();
        place(state, state.blob(&of.digest?.hash)?, &path)?;
    }
    Some(())
}

/// Keeps the files of a directory, and returns its message.
fn collect(state: &State, dir: &Path, children: &mut Vec<Bytes>) -> io::Result<Bytes> {
    let mut directory = Directory::default();
    let mut entries = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type()?.is_dir() {
            let child = collect(state, &entry.path(), children)?;
            let digest = Some(Digest { hash: sha256(&child), size_bytes: child.len() as i64 });
            children.push(child);
            directory.directories.push(DirectoryNode { name, digest });
        } else {
            let digest = Some(keep(state, fs::read(entry.path())?));
            directory.files.push(FileNode { name, digest, is_executable: false });
        }
    }
    Ok(directory.encode_to_vec().into())
}

fn keep(state: &State, bytes: Vec<u8>) -> Digest {
    let digest = Digest { hash: sha256(&bytes), size_bytes: bytes.len() as i64 };
    state.blobs.lock().unwrap().insert(digest.hash.clone(), bytes.into());
    digest
}
