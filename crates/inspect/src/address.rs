//! The value of `RRES_INSPECT` → an address of this machine.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Where the page is served, or that it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// Nowhere.
    Off,
    /// At this address, which is always one of this machine alone. With the port 0, the system chooses one.
    At(SocketAddr),
}

impl Address {
    /// Reads the value of `RRES_INSPECT`: `1` for any free port, a port, or an address with a port. An empty value, `0` and `off` turn the page off.
    ///
    /// ```
    /// use rres_inspect::Address;
    ///
    /// assert_eq!(Address::parse("7777"), Ok(Address::At(([127, 0, 0, 1], 7777).into())));
    /// assert_eq!(Address::parse("1"), Ok(Address::At(([127, 0, 0, 1], 0).into())));
    /// assert_eq!(Address::parse("off"), Ok(Address::Off));
    /// assert!(Address::parse("0.0.0.0:7777").is_err(), "other machines could connect");
    /// ```
    ///
    /// # Errors
    /// If it is none of these, or an address that other machines can reach.
    pub fn parse(value: &str) -> Result<Self, BadAddress> {
        let value = value.trim();
        let local = |port| Ok(Self::At((Ipv4Addr::LOCALHOST, port).into()));
        match value {
            "" | "0" | "off" => return Ok(Self::Off),
            "1" | "on" => return local(0),
            _ => {}
        }
        if let Ok(port) = value.parse() {
            return local(port);
        }
        if let Some(Ok(port)) = value.strip_prefix("localhost:").map(str::parse) {
            return local(port);
        }
        match value.parse::<SocketAddr>() {
            Ok(address) if address.ip().is_loopback() => Ok(Self::At(address)),
            Ok(address) => Err(BadAddress { value: value.to_owned(), other: Some(address.ip()) }),
            Err(_) => Err(BadAddress { value: value.to_owned(), other: None }),
        }
    }
}

/// A value of `RRES_INSPECT` that is not an address of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAddress {
    value: String,
    /// The address, if other machines can reach it.
    other: Option<IpAddr>,
}

impl fmt::Display for BadAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = &self.value;
        match self.other {
            Some(ip) => write!(
                f,
                "RRES_INSPECT is {value:?}, but other machines may reach {ip}; use 127.0.0.1 and a port, or `ssh -L` from the other machine"
            ),
            None => write!(f, "RRES_INSPECT is {value:?}; use 1, a port such as 7777, 127.0.0.1:7777, or off"),
        }
    }
}

impl std::error::Error for BadAddress {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ports_or_addresses_of_this_machine() {
        for off in ["", " ", "0", "off"] {
            assert_eq!(Address::parse(off), Ok(Address::Off), "{off:?}");
        }
        for (value, address) in [
            ("1", "127.0.0.1:0"),
            ("on", "127.0.0.1:0"),
            ("7777", "127.0.0.1:7777"),
            ("localhost:80", "127.0.0.1:80"),
            ("127.0.0.2:7777", "127.0.0.2:7777"),
            ("[::1]:7777", "[::1]:7777"),
        ] {
            assert_eq!(Address::parse(value), Ok(Address::At(address.parse().unwrap())), "{value:?}");
        }
        for (bad, part) in [
            ("yes", "use 1, a port"),
            ("65536", "use 1, a port"),
            ("example.com:80", "use 1, a port"),
            ("0.0.0.0:7777", "other machines"),
            ("[::]:7777", "other machines"),
            ("192.168.0.1:7777", "other machines"),
        ] {
            let error = Address::parse(bad).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(bad), "{error}");
        }
    }
}
