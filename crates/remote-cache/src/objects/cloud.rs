//! Objects in object storage and on web servers, with time limits. What is asynchronous is in this file.

use std::future::Future;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Once};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, Error, GetOptions, GetResult, ObjectStore, ObjectStoreExt as _, ObjectStoreScheme,
    PutMode, PutPayload, RetryConfig, UpdateVersion,
};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use url::Url;

use super::{Objects, Part, Replaced, too_large, without_secrets};
use crate::config::Config;

/// How many requests run at once.
const AT_ONCE: usize = 8;

/// How much of what arrives is in memory at once, in units of 1 KiB, unless one part alone is larger.
const MOST_MEMORY: usize = 64 << 10;

/// The least speed of a store that is not given up, in bytes a second: of all requests together.
const LEAST_SPEED: u64 = 64 << 10;

/// How often a request is sent again if the store says that it is busy, or breaks off.
const RETRIES: usize = 2;

/// A store, and the prefix of all names in it.
#[derive(Debug)]
pub(crate) struct CloudObjects {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    timeout: Duration,
    runtime: InBackground,
}

/// A runtime that does not wait at its end for what still runs, such as the look-up of a name that nobody answers.
#[derive(Debug)]
struct InBackground(Option<Runtime>);

impl InBackground {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.0.as_ref().expect("it is taken when it is dropped").block_on(future)
    }
}

impl Drop for InBackground {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl CloudObjects {
    /// Opens the store at an address. Sends nothing.
    pub(crate) fn open(config: &Config) -> Result<Self, String> {
        // The first of a process. Another library may have chosen one; either does.
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
        let fault = |why: String| format!("{}: {why}", without_secrets(&config.address));
        let url = Url::parse(&config.address).map_err(|e| {
            let expected = "expected an address such as s3://bucket/prefix, gs://bucket/prefix, az://container/prefix or https://host/path";
            fault(format!("{e}; {expected}"))
        })?;
        let store = store(&url, config).map_err(|e| fault(e.to_string()))?;
        let (_, prefix) = ObjectStoreScheme::parse(&url).map_err(|e| fault(e.to_string()))?;
        let runtime =
            Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(|e| fault(e.to_string()))?;
        Ok(Self { store, prefix, timeout: config.timeout, runtime: InBackground(Some(runtime)) })
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), |path, part| path.join(part))
    }

    /// Waits for a request that moves `len` bytes, as long as such a request may take.
    fn wait<T>(&self, len: u64, request: impl Future<Output = Result<T, Error>>) -> io::Result<Result<T, Error>> {
        self.runtime.block_on(in_time(limit(self.timeout, len, 1), request))
    }
}

impl Objects for CloudObjects {
    fn get(&self, name: &str, most: u64) -> io::Result<Option<(Vec<u8>, UpdateVersion)>> {
        let path = self.path(name);
        let found = match self.wait(0, self.store.get_opts(&path, GetOptions::default()))? {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(readable(&error)),
        };
        let size = found.meta.size;
        if size > most {
            return Err(too_large(name, size, most));
        }
        let version = UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
        let bytes = self.runtime.block_on(body(found, size, self.timeout, 1))?;
        let bytes = bytes.ok_or_else(|| {
            let why = format!("{name} has more than the {size} bytes that the store has announced");
            io::Error::new(io::ErrorKind::InvalidData, why)
        })?;
        Ok(Some((bytes, version)))
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> io::Result<()> {
        let (path, len) = (self.path(name), bytes.len() as u64);
        let put = self.wait(len, self.store.put(&path, PutPayload::from(bytes)))?;
        put.map(drop).map_err(|error| readable(&error))
    }

    fn replace(&self, name: &str, bytes: &[u8], version: Option<UpdateVersion>) -> io::Result<Replaced> {
        let path = self.path(name);
        let mode = version.map_or(PutMode::Create, PutMode::Update);
        let payload = || PutPayload::from(bytes.to_vec());
        match self.wait(bytes.len() as u64, self.store.put_opts(&path, payload(), mode.into()))? {
            Ok(_) => Ok(Replaced::Yes),
            Err(Error::Precondition { .. } | Error::AlreadyExists { .. }) => Ok(Replaced::No),
            Err(error) if has_no_conditions(&error) => {
                let put = self.wait(bytes.len() as u64, self.store.put(&path, payload()))?;
                put.map(|_| Replaced::InAnyCase).map_err(|error| readable(&error))
            }
            Err(error) => Err(readable(&error)),
        }
    }

    fn get_parts(&self, parts: &[Part], take: &mut dyn FnMut(usize, &[u8])) -> io::Result<()> {
        self.runtime.block_on(async {
            let at_once = parts.len().min(AT_ONCE) as u64;
            let memory = Arc::new(Semaphore::new(MOST_MEMORY));
            let requests = parts.iter().enumerate().map(|(number, Part { name, range })| {
                let (store, path) = (Arc::clone(&self.store), self.path(name));
                // On a thread of the runtime, so that requests go on while what has arrived is stored.
                let request = part(store, path, range.clone(), self.timeout, at_once);
                let (memory, wanted) = (Arc::clone(&memory), units(range.end - range.start));
                let request = tokio::spawn(async move {
                    let held = memory.acquire_many_owned(wanted).await.map_err(io::Error::other)?;
                    Ok::<_, io::Error>((request.await?, held))
                });
                async move { (number, request.await) }
            });
            let mut requests = stream::iter(requests).buffer_unordered(AT_ONCE);
            while let Some((number, result)) = requests.next().await {
                let (bytes, _held) = result.map_err(io::Error::other)??;
                if let Some(bytes) = bytes {
                    take(number, &bytes);
                }
            }
            Ok(())
        })
    }
}

/// How many units of memory a part of so many bytes takes. One that is larger than all has all for itself.
fn units(bytes: u64) -> u32 {
    u32::try_from((bytes >> 10) + 1).unwrap_or(u32::MAX).min(MOST_MEMORY as u32)
}

/// A part of an object; `None` if the object does not exist, is shorter, or is sent with other bytes than those.
async fn part(
    store: Arc<dyn ObjectStore>,
    path: Path,
    range: Range<u64>,
    timeout: Duration,
    at_once: u64,
) -> io::Result<Option<Vec<u8>>> {
    let len = range.end - range.start;
    let options = GetOptions { range: Some(range.into()), ..GetOptions::default() };
    let found = match in_time(timeout, store.get_opts(&path, options)).await? {
        Ok(found) => found,
        Err(Error::NotFound { .. }) => return Ok(None),
        Err(error) if is_beyond_the_end(&error) => return Ok(None),
        Err(error) => return Err(readable(&error)),
    };
    let bytes = body(found, len, timeout, at_once).await?;
    Ok(bytes.filter(|bytes| bytes.len() as u64 == len))
}

/// Whether an error says that the store cannot replace an object under a condition.
fn has_no_conditions(error: &Error) -> bool {
    match error {
        Error::NotImplemented { .. } | Error::NotSupported { .. } => true,
        Error::Generic { source, .. } => source.to_string().contains("status code: 501"),
        _ => false,
    }
}

/// Whether an error says that the object ends before the range that was asked for. The type of the error has no such case, so this reads its text.
fn is_beyond_the_end(error: &Error) -> bool {
    matches!(error, Error::Generic { source, .. } if source.to_string().contains("status code: 416"))
}

/// What follows the head of an answer; `None` if that is more than `most` bytes, whatever the head has announced. `at_once` answers share the line.
async fn body(found: GetResult, most: u64, timeout: Duration, at_once: u64) -> io::Result<Option<Vec<u8>>> {
    let mut pieces = found.into_stream();
    let all = async {
        let mut bytes = Vec::new();
        // A store that has fallen silent is not waited for as long as one that is slow.
        while let Some(piece) = in_time(timeout, pieces.next()).await? {
            let piece = piece.map_err(|error| readable(&error))?;
            if (bytes.len() + piece.len()) as u64 > most {
                return Ok(None);
            }
            bytes.extend_from_slice(&piece);
        }
        Ok(Some(bytes))
    };
    in_time(limit(timeout, most, at_once), all).await?
}

/// How long a transfer of `len` bytes may take, if so many share the line.
fn limit(timeout: Duration, len: u64, at_once: u64) -> Duration {
    timeout + Duration::from_secs(len.saturating_mul(at_once) / LEAST_SPEED)
}

/// Waits for an answer, but not longer than `limit`.
async fn in_time<T>(limit: Duration, answer: impl Future<Output = T>) -> io::Result<T> {
    tokio::time::timeout(limit, answer)
        .await
        .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, format!("did not answer within {} s", limit.as_secs())))
}

/// The store at an address. Buckets and credentials are as each service's own tools have them, in variables and on machines of the service.
fn store(url: &Url, config: &Config) -> Result<Arc<dyn ObjectStore>, Error> {
    let retry = RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(2),
            base: 2.0,
        },
        max_retries: RETRIES,
        retry_timeout: config.timeout,
    };
    let mut options =
        ClientOptions::new().with_timeout_disabled().with_connect_timeout(config.timeout.min(Duration::from_secs(5)));
    let address = url.as_str();
    Ok(match ObjectStoreScheme::parse(url)?.0 {
        ObjectStoreScheme::AmazonS3 => {
            let allows_http = std::env::var("AWS_ENDPOINT_URL").is_ok_and(|url| url.starts_with("http://"));
            let options = options.with_allow_http(allows_http);
            let builder = AmazonS3Builder::from_env().with_url(address);
            Arc::new(builder.with_client_options(options).with_retry(retry).build()?)
        }
        ObjectStoreScheme::GoogleCloudStorage => {
            let builder = GoogleCloudStorageBuilder::from_env().with_url(address);
            Arc::new(builder.with_client_options(options).with_retry(retry).build()?)
        }
        ObjectStoreScheme::MicrosoftAzure => {
            let builder = MicrosoftAzureBuilder::from_env().with_url(address);
            Arc::new(builder.with_client_options(options).with_retry(retry).build()?)
        }
        ObjectStoreScheme::Http => {
            options = options.with_allow_http(true);
            if let Some(token) = &config.token {
                let value = format!("Bearer {token}").parse::<reqwest::header::HeaderValue>();
                let mut value = value.map_err(|_| Error::Generic {
                    store: "HTTP",
                    source: format!("{} has characters that no header may have", crate::config::TOKEN).into(),
                })?;
                value.set_sensitive(true);
                options = options.with_default_headers([(reqwest::header::AUTHORIZATION, value)].into_iter().collect());
            }
            let builder = HttpBuilder::new().with_url(&url[..url::Position::BeforePath]);
            Arc::new(builder.with_client_options(options).with_retry(retry).build()?)
        }
        other => {
            let why = format!("addresses of {other:?} are not supported: s3, gs, az and https are");
            return Err(Error::Generic { store: "object store", source: why.into() });
        }
    })
}

/// An error of a store, without secrets, in one line.
fn readable(error: &Error) -> io::Error {
    let kind = match error {
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    // Each error has the text of its source in its own.
    let text = without_secrets(&error.to_string());
    let help = match kind {
        io::ErrorKind::PermissionDenied => PERMISSIONS,
        _ => "",
    };
    io::Error::new(kind, format!("{}{help}", one_line(&text)))
}

/// What a store must allow. Without the permission to list, object storage forbids to read what does not exist.
const PERMISSIONS: &str = "; the cache needs the permissions to list a bucket and to read objects, and machines that add that to write objects";

/// A text of a store for people: a line without control characters, and of a document in XML the code and the message alone, since some repeat the
/// token of the request.
fn one_line(text: &str) -> String {
    let element = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        Some(rest.split_once(&format!("</{name}>"))?.0)
    };
    let text = match (text.find("<Error>"), text.find("<?xml")) {
        (None, None) => text.to_owned(),
        (error, xml) => {
            let start = error.into_iter().chain(xml).min().unwrap_or(text.len());
            let shown = [element("Code"), element("Message")].into_iter().flatten().collect::<Vec<_>>();
            format!("{}{}", &text[..start], shown.join(": "))
        }
    };
    let line = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    line.collect::<Vec<_>>().join(" ").chars().take(400).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_a_store_are_shown_without_what_they_repeat() {
        let text = "GET failed 400: <?xml version=\"1.0\"?>\n<Error><Code>ExpiredToken</Code><Message>The token has expired.</Message>\
                    <Token-0>secret</Token-0></Error>";
        assert_eq!(one_line(text), "GET failed 400: ExpiredToken: The token has expired.");
        assert_eq!(one_line("a\u{1b}[31m\r\n b"), "a [31m b");
    }

    #[test]
    fn parts_in_memory_are_limited_and_a_large_one_still_arrives() {
        assert_eq!((units(0), units(1 << 20)), (1, 1025));
        assert_eq!(units(u64::MAX) as usize, MOST_MEMORY);
    }
}
