//! Where the server is, and the token.

use rres_protocol::network::{Error, PORT, Token};
use rres_runtime::PackOptions;

/// The machine that a game follows: `cargo rres watch --network`.
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) place: Place,
    pub(crate) token: Token,
    pub(crate) options: PackOptions,
}

#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A name or an address of the network, with the port.
    Address(String),
    /// A name that the server answers to, and the port that it is asked at.
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    Named(String, u16),
}

impl Server {
    /// The machine with an address, such as `192.168.1.20`, `studio.local` or `[fe80::1]:7400`. The port is 7313 if none is named.
    ///
    /// An emulator of Android reaches the computer that it runs on as `10.0.2.2`.
    ///
    /// # Errors
    /// [`Error::ShortToken`].
    pub fn at(address: &str, token: &str) -> Result<Self, Error> {
        Self::new(Place::Address(with_port(address)), token)
    }

    /// The machine of the local network that answers to a name: that of the directory with the assets directory, unless
    /// `cargo rres watch --network-name` gives it another. It is looked for again whenever the connection is lost.
    ///
    /// The network has to let packets to all of its machines through, which those of phone companies and some hotels do not.
    ///
    /// # Errors
    /// [`Error::ShortToken`].
    #[cfg(not(target_family = "wasm"))]
    pub fn named(name: &str, token: &str) -> Result<Self, Error> {
        let (name, port) = match name.rsplit_once(':') {
            Some((name, port)) if port.parse::<u16>().is_ok() => (name, port.parse().unwrap_or(PORT)),
            _ => (name, PORT),
        };
        Self::new(Place::Named(name.to_owned(), port), token)
    }

    /// The machine that the address of the page names: `https://…/index.html#rres-reload=192.168.1.20,dgs3-vk3w-x4qa-7t5m`. `None` if it
    /// names none. What follows `#` in an address is not sent to the server of the page.
    ///
    /// A page that was loaded over https may only connect to its own machine, `127.0.0.1`.
    ///
    /// # Errors
    /// [`Error::ShortToken`].
    #[cfg(target_family = "wasm")]
    pub fn of_page() -> Option<Result<Self, Error>> {
        let fragment = crate::system::fragment()?;
        let (address, token) = named_in(&fragment)?;
        Some(Self::at(address, token))
    }

    fn new(place: Place, token: &str) -> Result<Self, Error> {
        Ok(Self { place, token: Token::new(token)?, options: PackOptions::default() })
    }

    /// Opens what the server sends with these options: with the key of encrypted assets, for example.
    #[must_use]
    pub fn pack_options(mut self, options: PackOptions) -> Self {
        self.options = options;
        self
    }
}

/// Adds the port to an address without one.
fn with_port(address: &str) -> String {
    let address = address.trim();
    let has_port = match address.rsplit_once(':') {
        // An IPv6 address without brackets is all colons.
        Some((host, port)) => port.parse::<u16>().is_ok() && (host.ends_with(']') || !host.contains(':')),
        None => false,
    };
    match () {
        () if has_port => address.to_owned(),
        () if address.contains(':') && !address.starts_with('[') => format!("[{address}]:{PORT}"),
        () => format!("{address}:{PORT}"),
    }
}

/// The address and the token in the fragment of a page's address.
#[cfg_attr(not(any(test, target_family = "wasm")), allow(dead_code))]
fn named_in(fragment: &str) -> Option<(&str, &str)> {
    let parts = fragment.trim_start_matches('#').split('&');
    parts.filter_map(|part| part.strip_prefix("rres-reload=")).find_map(|value| value.split_once(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_port_gets_the_usual_one() {
        for (given, expected) in [
            ("192.168.1.20", "192.168.1.20:7313"),
            (" studio.local ", "studio.local:7313"),
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("fe80::1", "[fe80::1]:7313"),
            ("[fe80::1]", "[fe80::1]:7313"),
            ("[fe80::1]:7400", "[fe80::1]:7400"),
        ] {
            assert_eq!(with_port(given), expected);
        }
    }

    #[test]
    fn a_page_names_the_server_after_its_own_address() {
        let named = ("192.168.1.20:80", "dgs3-vk3w");
        assert_eq!(named_in("#rres-reload=192.168.1.20:80,dgs3-vk3w"), Some(named));
        assert_eq!(named_in("#level=2&rres-reload=192.168.1.20:80,dgs3-vk3w"), Some(named));
        assert_eq!((named_in(""), named_in("#level=2"), named_in("#rres-reload=x")), (None, None, None));
    }
}
