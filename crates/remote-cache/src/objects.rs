//! Objects of a store by their names.

mod cloud;
#[cfg(test)]
pub(crate) mod memory;
#[cfg(feature = "grpc")]
pub(crate) mod reapi;

use std::fmt;
use std::io;
use std::ops::Range;

pub(crate) use object_store::UpdateVersion;

use crate::config::Config;

/// A part of an object.
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) range: Range<u64>,
}

/// What has become of an object that was to be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replaced {
    /// It has the new bytes, in place of the version that was named.
    Yes,
    /// Another machine has changed it, so it has no new bytes.
    No,
    /// It has the new bytes, in place of whatever another machine may have written meanwhile: the store has no conditions.
    InAnyCase,
}

/// A store, which has a prefix before all names.
pub(crate) trait Objects: fmt::Debug + Send + Sync {
    /// Reads an object of at most `most` bytes; `None` if there is none of this name.
    fn get(&self, name: &str, most: u64) -> io::Result<Option<(Vec<u8>, UpdateVersion)>>;

    /// Writes an object.
    fn put(&self, name: &str, bytes: Vec<u8>) -> io::Result<()>;

    /// Replaces an object if it still has this version, or does not exist if there is none. Stores without conditions replace it in any case.
    fn replace(&self, name: &str, bytes: &[u8], version: Option<UpdateVersion>) -> io::Result<Replaced>;

    /// Reads parts of objects, several at once, and passes each to `take` with its number when it has arrived. An object that does not exist, or is
    /// shorter, is passed over.
    fn get_parts(&self, parts: &[Part], take: &mut dyn FnMut(usize, &[u8])) -> io::Result<()>;
}

/// Opens the store at an address. Sends nothing.
pub(crate) fn open(config: &Config) -> Result<Box<dyn Objects>, String> {
    if config.address.starts_with("grpc://") || config.address.starts_with("grpcs://") {
        return open_reapi(config);
    }
    Ok(Box::new(cloud::CloudObjects::open(config)?))
}

#[cfg(feature = "grpc")]
fn open_reapi(config: &Config) -> Result<Box<dyn Objects>, String> {
    Ok(Box::new(reapi::ReapiObjects::open(config)?))
}

#[cfg(not(feature = "grpc"))]
fn open_reapi(config: &Config) -> Result<Box<dyn Objects>, String> {
    let needed = "the feature `grpc` of rres-remote-cache, which is `remote-cache-grpc` of rres-build and cargo-rres";
    Err(format!(
        "{}: such addresses need {needed}, and this program is compiled without it",
        without_secrets(&config.address)
    ))
}

/// The error of an object that is larger than it may be.
fn too_large(name: &str, size: u64, most: u64) -> io::Error {
    let why = format!("{name} has {size} bytes, expected at most {most}: the address may be that of something else");
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// How many bytes of an address, after `://`, are a user and a password with the `@` that ends them. A password may have any character that is no
/// space, also a `/` that somebody has not written as `%2F`.
fn user_len(address: &str) -> usize {
    let end = address.find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>')).unwrap_or(address.len());
    let first = address[..end].split('/').next().unwrap_or_default();
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let has_password = first.rsplit_once(':').is_some_and(|(_, port)| !is_port(port) && !first.ends_with(']'));
    let among = if has_password { &address[..end] } else { first };
    among.rfind('@').map_or(0, |at| at + 1)
}

/// A text without what addresses in it have of secrets: passwords before the host, and queries, in which there are signatures.
pub(crate) fn without_secrets(text: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')' | '>' | '<');
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        out.push_str(&rest[..at + 3]);
        let address = &rest[at + 3..];
        let end = address.find(is_end).unwrap_or(address.len());
        let (address, end) = match user_len(address) {
            0 => (address, end),
            user => {
                let address = &address[user..];
                (address, address.find(is_end).unwrap_or(address.len()))
            }
        };
        let shown = &address[..end];
        match shown.find('?') {
            Some(query) => out.extend([&shown[..query], "?…"]),
            None => out.push_str(shown),
        }
        rest = &address[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_secrets() {
        for (text, shown) in [
            ("no address", "no address"),
            ("s3://bucket/prefix", "s3://bucket/prefix"),
            (
                "error for url (https://user:pass@host/a?sig=abc&x=1): refused",
                "error for url (https://host/a?…): refused",
            ),
            ("https://a?b https://c@d/e@f", "https://a?… https://d/e@f"),
            ("https://ci:pa)s's@host:8080/x", "https://host:8080/x"),
            ("(https://ci:pa/ss@host/x)", "(https://host/x)"),
            ("http://[::1]/a@b and http://host:80/a@b", "http://[::1]/a@b and http://host:80/a@b"),
        ] {
            assert_eq!(without_secrets(text), shown);
        }
    }

    #[test]
    fn an_address_that_no_store_has_is_refused() {
        for (address, why) in [
            ("bucket", "expected an address"),
            ("ftp://x/y", "ftp"),
            ("file:///tmp/x", "not supported"),
            ("grpc://x", "grpc"),
        ] {
            let fault = open(&Config::new(address)).unwrap_err();
            assert!(fault.contains(why), "{fault}");
        }
    }
}
