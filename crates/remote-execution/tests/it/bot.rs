//! A machine of a farm: it asks a scheduler for jobs by the Remote Workers API, and executes them like the server of the tests.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use prost::Message;
use prost::bytes::Bytes;
use rres_remote_execution::{Client, Config};
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use tonic_prost::ProstCodec;

use crate::server::messages::{self, Action, Any, Command, Digest, Directory};
use crate::server::{State, execution, sha256};

/// The states of sessions and of leases.
const OK: i32 = 1;
const PENDING: i32 = 1;
const ACTIVE: i32 = 2;
const COMPLETED: i32 = 4;

#[derive(Clone, PartialEq, Message)]
struct BotSession {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    bot_id: String,
    #[prost(int32, tag = "3")]
    status: i32,
    #[prost(message, optional, tag = "4")]
    worker: Option<Worker>,
    #[prost(message, repeated, tag = "5")]
    leases: Vec<Lease>,
    #[prost(string, tag = "7")]
    version: String,
}

#[derive(Clone, PartialEq, Message)]
struct Worker {}

#[derive(Clone, PartialEq, Message)]
struct Lease {
    #[prost(int32, tag = "2")]
    state: i32,
    #[prost(message, optional, tag = "3")]
    status: Option<messages::Status>,
    #[prost(string, tag = "7")]
    id: String,
    #[prost(message, optional, tag = "8")]
    payload: Option<Any>,
    #[prost(message, optional, tag = "9")]
    result: Option<Any>,
}

/// `CreateBotSession` with the instance, and `UpdateBotSession` with the name of the session.
#[derive(Clone, PartialEq, Message)]
struct SessionRequest {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "2")]
    bot_session: Option<BotSession>,
}

/// Starts a machine, which ends with the process.
pub fn start(config: &Config, number: usize) {
    let config = config.clone();
    thread::spawn(move || {
        if let Err(status) = work(&config, number) {
            panic!("machine {number}: {status}");
        }
    });
}

fn work(config: &Config, number: usize) -> Result<(), Status> {
    let rest = config.address.strip_prefix("grpc://").unwrap();
    let (authority, instance) = rest.split_once('/').unwrap_or((rest, ""));
    let client = Client::open(config).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let channel =
        runtime.block_on(async { Endpoint::from_shared(format!("http://{authority}")).unwrap().connect_lazy() });
    let call = |method: &'static str, name: &str, session: BotSession| {
        let asked = SessionRequest { name: name.to_owned(), bot_session: Some(session) };
        runtime.block_on(call(channel.clone(), method, asked))
    };
    let bot_id = format!("machine {number} of process {}", std::process::id());
    let session = BotSession { bot_id, status: OK, worker: Some(Worker {}), ..BotSession::default() };
    let mut session = call("/google.devtools.remoteworkers.v1test2.Bots/CreateBotSession", instance, session)?;
    loop {
        for lease in &mut session.leases {
            match lease.state {
                PENDING => lease.state = ACTIVE,
                ACTIVE => {
                    let payload = lease.payload.as_ref().unwrap();
                    (lease.status, lease.result) = match execute(&client, payload) {
                        Ok(result) => (Some(messages::Status::default()), Some(result)),
                        Err(why) => (
                            Some(messages::Status { code: why.code() as i32, message: why.message().to_owned() }),
                            None,
                        ),
                    };
                    lease.state = COMPLETED;
                }
                _ => {}
            }
        }
        let name = session.name.clone();
        session = call("/google.devtools.remoteworkers.v1test2.Bots/UpdateBotSession", &name, session)?;
    }
}

async fn call(channel: Channel, method: &'static str, asked: SessionRequest) -> Result<BotSession, Status> {
    let mut grpc = Grpc::new(channel);
    grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
    let mut request = Request::new(asked);
    // The scheduler waits almost as long for a job.
    request.set_timeout(Duration::from_secs(30));
    let codec = ProstCodec::<SessionRequest, BotSession>::default();
    Ok(grpc.unary(request, http::uri::PathAndQuery::from_static(method), codec).await?.into_inner())
}

/// Executes the action of a lease, which is there itself or by its digest.
fn execute(client: &Client, payload: &Any) -> Result<Any, Status> {
    let state = State::default();
    let action = if payload.type_url.ends_with(".Digest") {
        let digest = Digest::decode(payload.value.clone()).unwrap();
        fetch(client, &state, Some(&digest))?
    } else {
        state.blobs.lock().unwrap().insert(sha256(&payload.value), payload.value.clone());
        payload.value.clone()
    };
    let hash = sha256(&action);
    let action = Action::decode(action).unwrap();
    Command::decode(fetch(client, &state, action.command_digest.as_ref())?).unwrap();
    fetch_directory(client, &state, action.input_root_digest.as_ref())?;
    let inputs: HashSet<String> = state.blobs.lock().unwrap().keys().cloned().collect();
    let result = execution::run(&state, &hash)?;
    let blobs = state.blobs.into_inner().unwrap();
    for (_, blob) in blobs.into_iter().filter(|(hash, _)| !inputs.contains(hash)) {
        client.put(blob.into()).map_err(|error| Status::unavailable(error.to_string()))?;
    }
    let type_url = "type.googleapis.com/build.bazel.remote.execution.v2.ActionResult".to_owned();
    Ok(Any { type_url, value: result.encode_to_vec().into() })
}

fn fetch(client: &Client, state: &State, digest: Option<&Digest>) -> Result<Bytes, Status> {
    let Digest { hash, size_bytes } = digest.unwrap();
    let blob = client.get(&format!("{hash}/{size_bytes}").parse().unwrap(), 1 << 30);
    let blob = blob.map_err(|error| Status::unavailable(error.to_string()))?;
    let blob = Bytes::from(blob.ok_or_else(|| Status::failed_precondition(format!("{hash} is missing")))?);
    state.blobs.lock().unwrap().insert(hash.clone(), blob.clone());
    Ok(blob)
}

fn fetch_directory(client: &Client, state: &State, digest: Option<&Digest>) -> Result<(), Status> {
    let directory = Directory::decode(fetch(client, state, digest)?).unwrap();
    for file in &directory.files {
        fetch(client, state, file.digest.as_ref())?;
    }
    directory.directories.iter().try_for_each(|of| fetch_directory(client, state, of.digest.as_ref()))
}
