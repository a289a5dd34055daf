//! Objects on a server of the Remote Execution API: each is a blob of its content-addressable storage, and an entry of its action cache for the name.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use object_store::UpdateVersion;
use rres_remote_execution::{Client, Digest, Part as BlobPart};

use super::{Objects, Part, Replaced, too_large, without_secrets};
use crate::config::Config;

/// A server. What precedes all names is its instance, and what the address has after a `#`.
#[derive(Debug)]
pub(crate) struct ReapiObjects {
    client: Client,
    /// The blobs of objects that are read in parts. Such an object never changes, and its name is asked for once.
    known: Mutex<HashMap<String, Digest>>,
}

/// The same configuration for the client.
pub(crate) fn of_client(config: &Config) -> rres_remote_execution::Config {
    let mut of_client = rres_remote_execution::Config::new(&config.address);
    of_client.token.clone_from(&config.token);
    of_client.headers.extend(config.header.clone());
    of_client.ca.clone_from(&config.ca);
    of_client.timeout = config.timeout;
    of_client
}

impl ReapiObjects {
    /// Opens a server. Sends nothing.
    pub(crate) fn open(config: &Config) -> Result<Self, String> {
        let client = Client::open(&of_client(config));
        let client = client.map_err(|why| format!("{}: {why}", without_secrets(&config.address)))?;
        Ok(Self { client, known: Mutex::default() })
    }

    /// The blobs of the objects of these parts. Asks for those names that are not known yet.
    fn look_up(&self, parts: &[Part]) -> io::Result<HashMap<String, Digest>> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<&str> = parts.iter().map(|part| &*part.name).collect();
        names.sort_unstable();
        names.dedup();
        let mut found: HashMap<String, Digest> = {
            let known = known();
            names.iter().filter_map(|name| Some(((*name).to_owned(), *known.get(*name)?))).collect()
        };
        names.retain(|name| !found.contains_key(*name));
        let asked = self.client.named_all(&names)?;
        let asked = names.into_iter().zip(asked).filter_map(|(name, digest)| Some((name.to_owned(), digest?)));
        let asked: Vec<(String, Digest)> = asked.collect();
        known().extend(asked.iter().cloned());
        found.extend(asked);
        Ok(found)
    }
}

impl Objects for ReapiObjects {
    fn get(&self, name: &str, most: u64) -> io::Result<Option<(Vec<u8>, UpdateVersion)>> {
        let Some(digest) = self.client.named(name)? else { return Ok(None) };
        if digest.size() > most {
            return Err(too_large(name, digest.size(), most));
        }
        // A blob that the server has evicted is an object that does not exist.
        let bytes = self.client.get(&digest, most)?;
        Ok(bytes.map(|bytes| (bytes, UpdateVersion { e_tag: None, version: None })))
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> io::Result<()> {
        let digest = self.client.put(bytes)?;
        self.client.set_named(name, &digest)
    }

    fn replace(&self, name: &str, bytes: &[u8], _version: Option<UpdateVersion>) -> io::Result<Replaced> {
        // The protocol has no conditions.
        self.put(name, bytes.to_vec()).map(|()| Replaced::InAnyCase)
    }

    fn get_parts(&self, parts: &[Part], take: &mut dyn FnMut(usize, &[u8])) -> io::Result<()> {
        let digests = self.look_up(parts)?;
        // The numbers of the parts whose objects exist and are long enough.
        let mut numbers = Vec::new();
        let mut of_blobs = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let Some(digest) = digests.get(&part.name).filter(|digest| part.range.end <= digest.size()) else {
                continue;
            };
            numbers.push(number);
            of_blobs.push(BlobPart { digest: *digest, range: part.range.clone() });
        }
        self.client.read_parts(&of_blobs, &mut |at, part| match part {
            Ok(bytes) => take(numbers[at], bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // Without bytes, the blobs in it are damaged.
            Err(_) => take(numbers[at], &[]),
        })
    }
}
