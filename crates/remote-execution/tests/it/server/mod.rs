//! A server in this process that keeps what it is sent and executes jobs, and has faults if a test asks for them.

#[allow(dead_code, reason = "the tests of some crates need some of them")]
#[path = "../../../src/messages.rs"]
pub mod messages;

pub mod execution;

use std::collections::HashMap;
use std::future::Future;
use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use futures_util::{Stream, StreamExt as _, stream};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use messages::*;
use prost::bytes::Bytes;
use tokio_rustls::TlsAcceptor;
use tonic::body::Body;
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_prost::ProstCodec;

/// What a server does wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Answers with this status.
    Status(Code),
    /// Sends other bytes.
    Wrong,
    /// Ends a stream in its midst, as if it were its end.
    Cut,
    /// Breaks a stream off with an error.
    Break,
    /// Sends more of a blob than was asked for.
    More,
    /// Declares a message of 4 GB.
    Huge,
    /// Sends nothing, until the client goes away.
    Hang,
}

type Chosen = dyn Fn(&str) -> Option<Fault> + Send + Sync;
type Answer = http::Response<Body>;

#[derive(Default)]
pub struct State {
    pub blobs: Mutex<HashMap<String, Bytes>>,
    /// The results of actions, by the hashes of these.
    pub actions: Mutex<HashMap<String, ActionResult>>,
    operations: Mutex<HashMap<String, Option<Operation>>>,
    fault: Mutex<Option<Box<Chosen>>>,
    token: Mutex<Option<String>>,
    capabilities: Mutex<ServerCapabilities>,
    calls: Mutex<HashMap<String, u64>>,
    sent: AtomicU64,
    executed: AtomicU64,
}

/// A server on this machine. It ends with the process.
pub struct Server {
    pub state: Arc<State>,
    port: u16,
}

impl Server {
    pub fn start() -> Self {
        Self::start_with(None)
    }

    pub fn start_with(tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<State>::default();
        *state.capabilities.lock().unwrap() = ServerCapabilities {
            cache_capabilities: Some(CacheCapabilities {
                digest_functions: vec![SHA256],
                action_cache_update_capabilities: Some(Enabled { update_enabled: true }),
                max_batch_total_size_bytes: 1 << 20,
            }),
            execution_capabilities: Some(ExecutionCapabilities {
                exec_enabled: true,
                ..ExecutionCapabilities::default()
            }),
            high_api_version: Some(SemVer { major: 2, minor: 3 }),
        };
        let of_server = Arc::clone(&state);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(accept(of_server, listener, tls));
        });
        Self { state, port }
    }

    pub fn address(&self) -> String {
        format!("grpc://127.0.0.1:{}/main", self.port)
    }

    /// Has calls fail: `fault` gets the name of the method.
    pub fn fail(&self, fault: impl Fn(&str) -> Option<Fault> + Send + Sync + 'static) {
        *self.state.fault.lock().unwrap() = Some(Box::new(fault));
    }

    pub fn mend(&self) {
        *self.state.fault.lock().unwrap() = None;
    }

    /// Has the server refuse who does not send this token.
    pub fn ask_for(&self, token: &str) {
        *self.state.token.lock().unwrap() = Some(token.to_owned());
    }

    pub fn change_capabilities(&self, change: impl FnOnce(&mut ServerCapabilities)) {
        change(&mut self.state.capabilities.lock().unwrap());
    }

    /// The calls of each method since the last call.
    pub fn calls(&self) -> HashMap<String, u64> {
        std::mem::take(&mut self.state.calls.lock().unwrap())
    }

    /// The bytes of blobs that have been sent since the last call.
    pub fn sent(&self) -> u64 {
        self.state.sent.swap(0, Ordering::SeqCst)
    }

    /// How many jobs have been executed since the last call.
    pub fn executed(&self) -> u64 {
        self.state.executed.swap(0, Ordering::SeqCst)
    }
}

async fn accept(state: Arc<State>, listener: TcpListener, tls: Option<TlsAcceptor>) {
    listener.set_nonblocking(true).unwrap();
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    while let Ok((stream, _)) = listener.accept().await {
        let (state, tls) = (Arc::clone(&state), tls.clone());
        tokio::spawn(async move {
            // A client that goes away ends its task.
            match tls {
                None => serve(state, TokioIo::new(stream)).await,
                Some(tls) => {
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(state, TokioIo::new(stream)).await;
                    }
                }
            }
        });
    }
}

async fn serve(state: Arc<State>, stream: impl hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static) {
    let service = hyper::service::service_fn(move |request| {
        let state = Arc::clone(&state);
        async move { Ok::<_, std::convert::Infallible>(answer(state, request).await) }
    });
    let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new()).serve_connection(stream, service).await;
}

async fn answer(state: Arc<State>, request: http::Request<Incoming>) -> Answer {
    let method = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
    *state.calls.lock().unwrap().entry(method.clone()).or_default() += 1;
    let token = state.token.lock().unwrap().clone();
    let sent = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    if token.is_some_and(|token| sent != Some(&format!("Bearer {token}"))) {
        return Status::unauthenticated("no, not with this token").into_http();
    }
    let fault = state.fault.lock().unwrap().as_ref().and_then(|fault| fault(&method));
    match fault {
        Some(Fault::Status(code)) => return Status::new(code, "as the test wants it").into_http(),
        Some(Fault::Hang) => std::future::pending().await,
        Some(Fault::Huge) => {
            let head = [&[0][..], &u32::MAX.to_be_bytes(), b"and little more"].concat();
            let response = http::Response::builder().header("content-type", "application/grpc");
            return response.body(Body::new(http_body_util::Full::new(Bytes::from(head)))).unwrap();
        }
        _ => {}
    }
    match &*method {
        "GetCapabilities" => {
            unary(request, |_: GetCapabilitiesRequest| Ok(state.capabilities.lock().unwrap().clone())).await
        }
        "FindMissingBlobs" => unary(request, |asked| Ok(state.find_missing(asked))).await,
        "BatchUpdateBlobs" => unary(request, |asked| Ok(state.batch_update(asked))).await,
        "BatchReadBlobs" => unary(request, |asked| Ok(state.batch_read(asked, fault))).await,
        "GetActionResult" => {
            unary(request, |asked: GetActionResultRequest| {
                let hash = asked.action_digest.unwrap_or_default().hash;
                state.actions.lock().unwrap().get(&hash).cloned().ok_or_else(|| Status::not_found("no such action"))
            })
            .await
        }
        "UpdateActionResult" => {
            unary(request, |asked: UpdateActionResultRequest| {
                let (hash, result) =
                    (asked.action_digest.unwrap_or_default().hash, asked.action_result.unwrap_or_default());
                state.blob(&hash).ok_or_else(|| Status::failed_precondition("the action is missing"))?;
                state.actions.lock().unwrap().insert(hash, result.clone());
                Ok(result)
            })
            .await
        }
        "Read" => streams(request, |asked| state.read(asked, fault)).await,
        "Write" => {
            let service = tower::service_fn(|request: Request<Streaming<WriteRequest>>| {
                let state = Arc::clone(&state);
                async move { state.write(request.into_inner()).await.map(Response::new) }
            });
            let mut grpc = tonic::server::Grpc::new(ProstCodec::<WriteResponse, WriteRequest>::default());
            grpc.client_streaming(service, request).await
        }
        "Execute" => streams(request, |asked| Ok(execution::execute(&state, asked, fault))).await,
        "WaitExecution" => streams(request, |asked| execution::wait(&state, asked, fault)).await,
        _ => Status::unimplemented("no such method").into_http(),
    }
}

/// Answers a call with one message and one answer.
async fn unary<A, B>(request: http::Request<Incoming>, of: impl Fn(A) -> Result<B, Status>) -> Answer
where
    A: prost::Message + Default + 'static,
    B: prost::Message + 'static,
{
    let service =
        tower::service_fn(|request: Request<A>| std::future::ready(of(request.into_inner()).map(Response::new)));
    let mut grpc = tonic::server::Grpc::new(ProstCodec::<B, A>::default()).max_decoding_message_size(8 << 20);
    grpc.unary(service, request).await
}

/// Answers a call with one message and a stream of answers.
async fn streams<A, B, S>(request: http::Request<Incoming>, of: impl Fn(A) -> Result<S, Status>) -> Answer
where
    A: prost::Message + Default + 'static,
    B: prost::Message + 'static,
    S: Stream<Item = Result<B, Status>> + Send + 'static,
{
    let service =
        tower::service_fn(|request: Request<A>| std::future::ready(of(request.into_inner()).map(Response::new)));
    tonic::server::Grpc::new(ProstCodec::<B, A>::default()).server_streaming(service, request).await
}

impl State {
    pub fn blob(&self, hash: &str) -> Option<Bytes> {
        // Servers have the blob without bytes.
        if hash == sha256(b"") {
            return Some(Bytes::new());
        }
        self.blobs.lock().unwrap().get(hash).cloned()
    }

    fn find_missing(&self, asked: FindMissingBlobsRequest) -> FindMissingBlobsResponse {
        assert_eq!(asked.instance_name, "main");
        let missing = asked.blob_digests.into_iter().filter(|digest| self.blob(&digest.hash).is_none());
        FindMissingBlobsResponse { missing_blob_digests: missing.collect() }
    }

    fn batch_update(&self, asked: BatchUpdateBlobsRequest) -> BatchUpdateBlobsResponse {
        let total: usize = asked.requests.iter().map(|request| request.data.len()).sum();
        assert!(total <= 1 << 20, "a batch of {total} bytes");
        let responses = asked.requests.into_iter().map(|BlobUpdate { digest, data }| {
            let status = self.keep(&digest.clone().unwrap_or_default().hash, data).err();
            BlobUpdated { digest, status: status.map(|why| messages::Status { code: 3, message: why }) }
        });
        BatchUpdateBlobsResponse { responses: responses.collect() }
    }

    fn keep(&self, hash: &str, data: Bytes) -> Result<(), String> {
        if sha256(&data) != hash {
            return Err("these are other bytes".to_owned());
        }
        self.blobs.lock().unwrap().insert(hash.to_owned(), data);
        Ok(())
    }

    fn batch_read(&self, asked: BatchReadBlobsRequest, fault: Option<Fault>) -> BatchReadBlobsResponse {
        let responses = asked.digests.into_iter().map(|digest| match self.blob(&digest.hash) {
            Some(data) => {
                self.sent.fetch_add(data.len() as u64, Ordering::SeqCst);
                BlobRead { digest: Some(digest), data: spoilt(data, fault), status: None }
            }
            None => {
                let status = messages::Status { code: Code::NotFound as i32, message: "no such blob".to_owned() };
                BlobRead { digest: Some(digest), data: Bytes::new(), status: Some(status) }
            }
        });
        BatchReadBlobsResponse { responses: responses.collect() }
    }

    fn read(
        &self,
        asked: ReadRequest,
        fault: Option<Fault>,
    ) -> Result<impl Stream<Item = Result<ReadResponse, Status>> + use<>, Status> {
        let hash = asked.resource_name.strip_prefix("main/blobs/").and_then(|name| name.split('/').next());
        let hash = hash.ok_or_else(|| Status::invalid_argument("no name of a blob"))?;
        let blob = self.blob(hash).ok_or_else(|| Status::not_found("no such blob"))?;
        let start = usize::try_from(asked.read_offset).unwrap().min(blob.len());
        let mut end = start.saturating_add(usize::try_from(asked.read_limit).unwrap()).min(blob.len());
        if fault == Some(Fault::More) {
            end = blob.len();
        }
        let part = spoilt(blob.slice(start..end), fault);
        self.sent.fetch_add(part.len() as u64, Ordering::SeqCst);
        let mut pieces: Vec<_> =
            part.chunks(100_000).map(|piece| Ok(ReadResponse { data: Bytes::copy_from_slice(piece) })).collect();
        match fault {
            Some(Fault::Cut) => pieces.truncate(pieces.len() / 2),
            Some(Fault::Break) => {
                pieces.truncate(pieces.len() / 2);
                pieces.push(Err(Status::unavailable("the test breaks it off")));
            }
            _ => {}
        }
        Ok(stream::iter(pieces))
    }

    async fn write(&self, mut stream: Streaming<WriteRequest>) -> Result<WriteResponse, Status> {
        let (mut name, mut bytes) = (String::new(), Vec::new());
        while let Some(message) = stream.next().await {
            let message = message?;
            assert_eq!(message.write_offset, bytes.len() as i64);
            name += &message.resource_name;
            bytes.extend_from_slice(&message.data);
            if message.finish_write {
                break;
            }
        }
        let parts: Vec<&str> = name.split('/').collect();
        let &["main", "uploads", _, "blobs", hash, size] = &*parts else {
            return Err(Status::invalid_argument(format!("{name} is no upload")));
        };
        if size != bytes.len().to_string() {
            return Err(Status::invalid_argument(format!("{} bytes of {size}", bytes.len())));
        }
        self.keep(hash, bytes.into()).map_err(Status::invalid_argument)?;
        Ok(WriteResponse { committed_size: size.parse().unwrap() })
    }
}

fn spoilt(data: Bytes, fault: Option<Fault>) -> Bytes {
    if fault != Some(Fault::Wrong) || data.is_empty() {
        return data;
    }
    let mut bytes = Vec::from(data);
    let at = bytes.len() / 2;
    bytes[at] ^= 0x10;
    bytes.into()
}

pub fn sha256(bytes: &[u8]) -> String {
    let hash = ring::digest::digest(&ring::digest::SHA256, bytes);
    hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Waits until something is there.
async fn until<T>(mut found: impl FnMut() -> Option<T>) -> T {
    loop {
        match found() {
            Some(found) => return found,
            None => sleep().await,
        }
    }
}

fn sleep() -> impl Future<Output = ()> {
    tokio::time::sleep(Duration::from_millis(5))
}
