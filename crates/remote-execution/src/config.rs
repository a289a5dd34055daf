//! Where a server is.

use std::path::PathBuf;
use std::time::Duration;

/// The address of a server, and how to reach it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Config {
    /// The address: `grpc://host:port/instance`, or `grpcs://…` with TLS. The instance may be missing. What follows a `#` is part of all names of
    /// [`Client::named`](crate::Client::named), so that several caches fit into an instance.
    pub address: String,
    /// The token that is sent as `Authorization: Bearer`.
    pub token: Option<String>,
    /// Further headers of each call, by their names: some servers expect a key there.
    pub headers: Vec<(String, String)>,
    /// A file with certificates in PEM that are trusted besides those of the web.
    pub ca: Option<PathBuf>,
    /// How long a call may take, and a second more for each 64 KiB. Default: 10 seconds.
    pub timeout: Duration,
}

impl Config {
    /// Returns a configuration with the defaults.
    pub fn new(address: impl Into<String>) -> Self {
        Self { address: address.into(), token: None, headers: Vec::new(), ca: None, timeout: Duration::from_secs(10) }
    }
}

/// Without the token and headers.
impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let address = Address::parse(&self.address).map(|address| address.authority).unwrap_or_default();
        f.debug_struct("Config").field("authority", &address).field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

/// The parts of an address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) has_tls: bool,
    /// Host and port.
    pub(crate) authority: String,
    pub(crate) instance: String,
    pub(crate) prefix: String,
}

impl Address {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected grpc://host:port/instance, or grpcs://… with TLS";
        let (scheme, rest) = text.split_once("://").ok_or(EXPECTED)?;
        let has_tls = match scheme {
            "grpc" => false,
            "grpcs" => true,
            // What precedes `://` in a text that is no address may be anything.
            _ => return Err(EXPECTED.to_owned()),
        };
        let (rest, prefix) = rest.split_once('#').unwrap_or((rest, ""));
        if rest.contains('?') {
            return Err(format!("the address has a `?`: {EXPECTED}"));
        }
        let (host, instance) = rest.split_once('/').unwrap_or((rest, ""));
        if host.contains('@') {
            return Err(
                "the address has a user or a password before the host: this protocol has tokens instead".to_owned()
            );
        }
        let port = host.rsplit_once(':').filter(|(name, port)| !name.is_empty() && port.parse::<u16>().is_ok());
        let authority = match (port, has_tls) {
            (Some(_), _) => host.to_owned(),
            (None, true) if !host.is_empty() && (!host.contains(':') || host.ends_with(']')) => format!("{host}:443"),
            (None, _) => return Err(format!("the address has no port: {EXPECTED}")),
        };
        let instance = instance.trim_matches('/').to_owned();
        Ok(Self { has_tls, authority, instance, prefix: prefix.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_their_parts() {
        let parts = |text: &str| {
            let Address { has_tls, authority, instance, prefix } = Address::parse(text).unwrap();
            format!("{has_tls} {authority} {instance:?} {prefix:?}")
        };
        assert_eq!(parts("grpc://localhost:50051"), r#"false localhost:50051 "" """#);
        assert_eq!(parts("grpc://[::1]:8980/main/"), r#"false [::1]:8980 "main" """#);
        assert_eq!(parts("grpcs://farm.example.com/a/b#game"), r#"true farm.example.com:443 "a/b" "game""#);
    }

    #[test]
    fn addresses_that_are_none_are_refused_without_secrets() {
        for text in [
            "",
            "host:1",
            "http://host:1",
            "grpc://host",
            "grpc://:1",
            "grpcs://",
            "grpc://secret@host:1",
            "grpc://host:1?secret",
        ] {
            let fault = Address::parse(text).unwrap_err();
            assert!(!fault.contains("secret"), "{text}: {fault}");
        }
        let mut config = Config::new("grpc://secret@host:1");
        config.token = Some("secret".to_owned());
        assert!(!format!("{config:?}").contains("secret"));
    }
}
