//! Reload over a network: `cargo rres watch --network` → a game on another machine, or in a browser.
//!
//! Both sides have a [`Token`]. They prove it to each other before anything else is said, so that nobody else on the network learns what the
//! assets are, or gives a game other ones. Nothing is encrypted.
//!
//! | from | message | contents |
//! |---|---|---|
//! | server | hello | [`HELLO`], 32 bytes that were never used before |
//! | game | join | its own 32 bytes, proof of the token, the checksums of its packs |
//! | server | welcome, or refusal | proof of the token; or why not, as text |
//! | server | [`News`], any number | a number is in the proof of each, so none can be left out, repeated or replaced. At least every ten seconds one, unless a large one is on its way |
//!
//! Each message is a binary message of a WebSocket. Numbers are little-endian.
//!
//! ```
//! use rres_protocol::network::{News, Token, Welcome, greet, join};
//!
//! let token = Token::new("dgs3-vk3w-x4qa-7t5m")?;
//! let (greeting, hello) = greet([1; 32]); // the server's random bytes
//! let (joining, joined) = join(&token, [2; 32], &hello, &[0x1234_5678])?; // the game's
//! let (mut server, welcome, packs) = greeting.welcome(&token, &joined)?;
//! assert_eq!(packs, [0x1234_5678]);
//! let Welcome::Session(mut game) = joining.read(&welcome)? else { panic!() };
//! let message = server.seal(&News::Fault("ui/icon.png: it is cut off".to_owned()));
//! assert_eq!(game.open(&message)?, News::Fault("ui/icon.png: it is cut off".to_owned()));
//! # Ok::<(), rres_protocol::network::Error>(())
//! ```

pub mod finding;
mod handshake;
mod session;
mod token;

use std::fmt;

pub use handshake::{Greeting, Joining, Welcome, greet, join};
pub use session::{News, Session};
pub use token::Token;

/// The port of a server, and of the packets that find one, unless another is given.
pub const PORT: u16 = 7313;

/// How a server begins. The number increases with each change of the messages.
pub const HELLO: &[u8; 16] = b"rres reload 2\r\n\0";

/// The largest message before both sides have proved the token, in bytes.
pub const MAX_HANDSHAKE: usize = 4 << 10;

/// The largest message after that, in bytes.
pub const MAX_NEWS: usize = 256 << 20;

/// The most packs that a game names.
pub const MAX_PACKS: usize = 256;

/// Why a message is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A token is too short to be safe.
    ShortToken {
        /// The number of its characters.
        found: usize,
    },
    /// The other side is no server of rres, or one of another version.
    NoServer,
    /// The other side does not have this token.
    WrongToken,
    /// A message has no meaning, or was changed on its way.
    Message,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShortToken { found } => {
                write!(
                    f,
                    "the token has {found} characters, expected at least {}; use the one that the server prints",
                    Token::MIN
                )
            }
            Self::NoServer => f.write_str(
                "the other side is no `cargo rres watch --network` of this version; check the address, and use one version on both sides",
            ),
            Self::WrongToken => f.write_str("the other side has another token; use the one that the server prints"),
            Self::Message => f.write_str("a message was changed on its way, or is of another version; connect again"),
        }
    }
}

impl std::error::Error for Error {}
