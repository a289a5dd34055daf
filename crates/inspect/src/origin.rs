//! Which requests come from the page itself, or from a tool of this machine.
//!
//! Any site that is open in a browser can send requests to this machine. Three things keep it out: the name in `Host`, which a site with a name that
//! leads here cannot change (DNS rebinding); `Origin` and `Sec-Fetch-Site`, which name the page that asks; and, for changes, a token.

use std::net::IpAddr;

use crate::request::Request;
use crate::response::Status;

/// Checks that a request was sent to this machine by its own page, or by a program that is not a browser.
pub(crate) fn check(request: &Request) -> Result<(), Status> {
    let host = request.header("host")?.ok_or(Status::BadRequest)?;
    if !is_local(host) {
        return Err(Status::Forbidden);
    }
    let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(|of| of.eq_ignore_ascii_case(host));
    if request.header("origin")?.is_some_and(|origin| !is_own(origin)) {
        return Err(Status::Forbidden);
    }
    match request.header("sec-fetch-site")? {
        // `none`: a person has entered the address.
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) => Err(Status::Forbidden),
    }
}

/// Whether a host, with or without a port, is this machine. The port may be another one, because of an SSH tunnel.
fn is_local(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, port)) => (name, port),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port =
        |port: &str| port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    let is_loopback = name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    is_port(port) && (name.eq_ignore_ascii_case("localhost") || is_loopback)
}

/// Whether both texts are equal, in a time that does not depend on where they differ.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_this_machine() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:7777", "127.0.0.1", "[::1]:7777", "[::1]", "127.1.2.3:1"] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "",
            ":80",
            "example.com",
            "localhost.example.com:7777",
            "127.0.0.1.example.com",
            "127.0.0.1@example.com",
            "localhost:80:80",
            "localhost:x",
            "0.0.0.0:7777",
            "192.168.0.1",
            "[::]:1",
            "::1",
            "[::1",
            "[::1]x",
        ] {
            assert!(!is_local(host), "{host}");
        }
        assert!(is_same("abc", "abc") && !is_same("abc", "abd") && !is_same("abc", "ab") && !is_same("", "a"));
    }
}
