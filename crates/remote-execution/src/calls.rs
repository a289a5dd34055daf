//! Calls to a server: with limits of time and size, and again if it is busy.

use std::future::Future;
use std::time::Duration;

use futures_util::Stream;
use http::uri::PathAndQuery;
use prost::Message;
use tokio::sync::OnceCell;
use tonic::client::Grpc;
use tonic::metadata::{Ascii, Binary, MetadataKey, MetadataValue};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Request, Streaming};
use tonic_prost::ProstCodec;

use crate::config::{Address, Config};
use crate::fault::Fault;
use crate::messages::{GetCapabilitiesRequest, RequestMetadata, SHA256, ServerCapabilities, ToolDetails};

/// The least speed of a server that is not given up, in bytes a second.
const LEAST_SPEED: u64 = 64 << 10;

/// How often a call is made again if the server is busy, or breaks off.
pub(crate) const REPEATS: u32 = 2;

/// The pause before the first repetition; each further one is four times as long.
const PAUSE: Duration = Duration::from_millis(100);

/// Larger messages are refused before memory is taken for them. Servers send up to 4 MiB.
const MOST_MESSAGE: usize = 8 << 20;

/// How many bytes a server sends before it waits for this machine: in one call, and in all.
const STREAM_WINDOW: u32 = 2 << 20;
const CONNECTION_WINDOW: u32 = 16 << 20;

/// The most bytes of the blobs of one call, whatever the server allows: with their digests, they stay below what gRPC takes by default.
const MOST_BATCH: u64 = 3 << 20;

/// A method of a service.
pub(crate) struct Method {
    /// The name, for messages.
    pub(crate) name: &'static str,
    path: &'static str,
}

macro_rules! methods {
    ($($constant:ident = $service:literal $name:literal;)*) => {
        $(pub(crate) const $constant: Method = Method { name: $name, path: concat!("/", $service, "/", $name) };)*
    };
}

methods! {
    GET_CAPABILITIES = "build.bazel.remote.execution.v2.Capabilities" "GetCapabilities";
    FIND_MISSING_BLOBS = "build.bazel.remote.execution.v2.ContentAddressableStorage" "FindMissingBlobs";
    BATCH_UPDATE_BLOBS = "build.bazel.remote.execution.v2.ContentAddressableStorage" "BatchUpdateBlobs";
    BATCH_READ_BLOBS = "build.bazel.remote.execution.v2.ContentAddressableStorage" "BatchReadBlobs";
    READ = "google.bytestream.ByteStream" "Read";
    WRITE = "google.bytestream.ByteStream" "Write";
    GET_ACTION_RESULT = "build.bazel.remote.execution.v2.ActionCache" "GetActionResult";
    UPDATE_ACTION_RESULT = "build.bazel.remote.execution.v2.ActionCache" "UpdateActionResult";
    EXECUTE = "build.bazel.remote.execution.v2.Execution" "Execute";
    WAIT_EXECUTION = "build.bazel.remote.execution.v2.Execution" "WaitExecution";
}

/// What a server can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capabilities {
    /// The most bytes of the blobs of one call.
    pub(crate) most_batch: u64,
    pub(crate) updates_actions: bool,
    pub(crate) executes: bool,
    /// Whether a command names its outputs in `output_paths`: since version 2.1.
    pub(crate) has_output_paths: bool,
}

/// An instance of a server.
#[derive(Debug)]
pub(crate) struct Remote {
    channel: Channel,
    pub(crate) instance: String,
    pub(crate) prefix: String,
    headers: Vec<(MetadataKey<Ascii>, MetadataValue<Ascii>)>,
    who_asks: MetadataValue<Binary>,
    pub(crate) timeout: Duration,
    capabilities: OnceCell<Capabilities>,
}

impl Remote {
    /// Opens an instance. Sends nothing. Must be called within a runtime.
    pub(crate) fn open(config: &Config) -> Result<Self, String> {
        let Address { has_tls, authority, instance, prefix } = Address::parse(&config.address)?;
        let fault = |error: &dyn std::error::Error| match error.source() {
            Some(source) => format!("{authority}: {error}: {source}"),
            None => format!("{authority}: {error}"),
        };
        let uri = format!("{}://{authority}", if has_tls { "https" } else { "http" });
        let mut endpoint = Endpoint::from_shared(uri).map_err(|e| fault(&e))?;
        endpoint = endpoint.connect_timeout(config.timeout.min(Duration::from_secs(5)));
        endpoint = endpoint.tcp_keepalive(Some(Duration::from_secs(30)));
        // With the 64 KiB of the protocol, a server far away sends little in each round trip. A window that adapts itself is no way: some servers take its
        // pings for an attack.
        endpoint = endpoint.initial_stream_window_size(STREAM_WINDOW).initial_connection_window_size(CONNECTION_WINDOW);
        if has_tls {
            let mut tls = ClientTlsConfig::new().with_webpki_roots();
            if let Some(file) = &config.ca {
                let pem = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
                if !String::from_utf8_lossy(&pem).contains("BEGIN CERTIFICATE") {
                    return Err(format!(
                        "{}: has no certificate, expected PEM with `BEGIN CERTIFICATE`",
                        file.display()
                    ));
                }
                tls = tls.ca_certificate(Certificate::from_pem(pem));
            }
            endpoint = endpoint.tls_config(tls).map_err(|e| fault(&e))?;
        }
        let authorization = config.token.iter().map(|token| ("authorization".to_owned(), format!("Bearer {token}")));
        let headers = authorization.chain(config.headers.iter().cloned()).map(|(name, value)| header(&name, &value));
        let headers = headers.collect::<Result<_, _>>()?;
        let tool = ToolDetails { tool_name: "rres".to_owned(), tool_version: env!("CARGO_PKG_VERSION").to_owned() };
        let who_asks = RequestMetadata { tool_details: Some(tool) }.encode_to_vec();
        Ok(Self {
            channel: endpoint.connect_lazy(),
            instance,
            prefix,
            headers,
            who_asks: MetadataValue::from_bytes(&who_asks),
            timeout: config.timeout,
            capabilities: OnceCell::new(),
        })
    }

    /// What the server can do. It is asked once.
    pub(crate) async fn capabilities(&self) -> Result<Capabilities, Fault> {
        self.capabilities.get_or_try_init(|| self.ask_capabilities()).await.copied()
    }

    async fn ask_capabilities(&self) -> Result<Capabilities, Fault> {
        let asked = GetCapabilitiesRequest { instance_name: self.instance.clone() };
        let found: ServerCapabilities = self.unary(&GET_CAPABILITIES, 0, asked).await?;
        let cache = found.cache_capabilities.unwrap_or_default();
        if !cache.digest_functions.contains(&SHA256) {
            let why =
                format!("the server has the digest functions {:?}, expected SHA256 ({SHA256})", cache.digest_functions);
            return Err(Fault::wrong(GET_CAPABILITIES.name, why));
        }
        // 0 means that there is no limit.
        let most = u64::try_from(cache.max_batch_total_size_bytes).ok().filter(|most| *most > 0).unwrap_or(MOST_BATCH);
        let version = found.high_api_version.map(|version| (version.major, version.minor));
        let execution = found.execution_capabilities;
        Ok(Capabilities {
            most_batch: most.min(MOST_BATCH),
            updates_actions: cache.action_cache_update_capabilities.is_some_and(|of| of.update_enabled),
            executes: execution.is_some_and(|of| of.exec_enabled),
            has_output_paths: version.is_none_or(|version| version >= (2, 1)),
        })
    }

    /// How long a call that moves `len` bytes may take.
    pub(crate) fn limit(&self, len: u64) -> Duration {
        self.timeout + Duration::from_secs(len / LEAST_SPEED)
    }

    /// Makes a call that moves `len` bytes, again if the server is busy.
    pub(crate) async fn repeated<T, F>(
        &self,
        method: &Method,
        len: u64,
        mut call: impl FnMut() -> F + Send,
    ) -> Result<T, Fault>
    where
        F: Future<Output = Result<T, Fault>> + Send,
    {
        let limit = self.limit(len);
        let mut repeats = 0;
        loop {
            let result = tokio::time::timeout(limit, call()).await;
            match result.unwrap_or_else(|_| Err(Fault::timed_out(method.name, limit))) {
                Err(fault) if fault.is_passing() && repeats < REPEATS => pause(repeats).await,
                result => return result,
            }
            repeats += 1;
        }
    }

    /// Makes a call with one message and one answer.
    pub(crate) async fn unary<A, B>(&self, method: &Method, len: u64, message: A) -> Result<B, Fault>
    where
        A: Message + Clone + 'static,
        B: Message + Default + 'static,
    {
        self.repeated(method, len, || self.unary_once(method, message.clone())).await
    }

    /// Makes a call with one message and one answer, without a limit of time.
    pub(crate) async fn unary_once<A, B>(&self, method: &Method, message: A) -> Result<B, Fault>
    where
        A: Message + 'static,
        B: Message + Default + 'static,
    {
        let (mut grpc, request) = self.ready(method, message).await?;
        let answer = grpc.unary(request, path(method), ProstCodec::<A, B>::default()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| Fault::of_status(method.name, &status))
    }

    /// Begins a call with one message and many answers.
    pub(crate) async fn server_streaming<A, B>(&self, method: &Method, message: A) -> Result<Streaming<B>, Fault>
    where
        A: Message + 'static,
        B: Message + Default + 'static,
    {
        let (mut grpc, request) = self.ready(method, message).await?;
        let answer = grpc.server_streaming(request, path(method), ProstCodec::<A, B>::default()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| Fault::of_status(method.name, &status))
    }

    /// Makes a call with many messages and one answer.
    pub(crate) async fn client_streaming<A, B>(
        &self,
        method: &Method,
        messages: impl Stream<Item = A> + Send + 'static,
    ) -> Result<B, Fault>
    where
        A: Message + 'static,
        B: Message + Default + 'static,
    {
        let (mut grpc, request) = self.ready(method, messages).await?;
        let answer = grpc.client_streaming(request, path(method), ProstCodec::<A, B>::default()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| Fault::of_status(method.name, &status))
    }

    async fn ready<M>(&self, method: &Method, message: M) -> Result<(Grpc<Channel>, Request<M>), Fault> {
        let mut grpc = Grpc::new(self.channel.clone()).max_decoding_message_size(MOST_MESSAGE);
        let status = grpc.ready().await.map_err(|error| tonic::Status::from_error(error.into()));
        status.map_err(|status| Fault::of_status(method.name, &status))?;
        let mut request = Request::new(message);
        for (name, value) in &self.headers {
            request.metadata_mut().insert(name.clone(), value.clone());
        }
        let key = "build.bazel.remote.execution.v2.requestmetadata-bin";
        request.metadata_mut().insert_bin(key, self.who_asks.clone());
        Ok((grpc, request))
    }
}

/// A header. What it has is a secret.
fn header(name: &str, value: &str) -> Result<(MetadataKey<Ascii>, MetadataValue<Ascii>), String> {
    let key = name.to_lowercase().parse().map_err(|_| "a header has a name that no header may have".to_owned())?;
    let value = value.parse::<MetadataValue<Ascii>>();
    let mut value =
        value.map_err(|_| format!("the value of the header {key} has characters that no header may have"))?;
    value.set_sensitive(true);
    Ok((key, value))
}

/// The next message of a stream; `None` at its end.
pub(crate) async fn next<B>(method: &Method, stream: &mut Streaming<B>) -> Result<Option<B>, Fault> {
    stream.message().await.map_err(|status| Fault::of_status(method.name, &status))
}

/// The same, for a stream that a server sends without a break: it must not be silent longer than `silence`.
pub(crate) async fn next_in<B>(
    method: &Method,
    stream: &mut Streaming<B>,
    silence: Duration,
) -> Result<Option<B>, Fault> {
    let message = tokio::time::timeout(silence, next(method, stream)).await;
    message.unwrap_or_else(|_| {
        Err(Fault::cut_off(method.name, format!("the server has sent nothing for {} s", silence.as_secs())))
    })
}

/// The pause before a repetition.
pub(crate) async fn pause(repeats: u32) {
    tokio::time::sleep(PAUSE * 4_u32.pow(repeats.min(4))).await;
}

fn path(method: &Method) -> PathAndQuery {
    PathAndQuery::from_static(method.path)
}
