//! What a server sends once both sides have proved the token.

use std::fmt;

use super::Error;
use super::token::is_equal;

const ASSETS: u8 = 1;
const FAULT: u8 = 2;
const ALIVE: u8 = 3;

/// What a server sends.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum News {
    /// All assets that differ from those of the game, as a pack. It replaces the one before it. Empty if none differs any more.
    Assets(Vec<u8>),
    /// What is wrong with the assets at the moment, for people to read. What was sent before stays.
    Fault(String),
    /// Nothing is new, and the server is still connected. A page cannot see the pings of a WebSocket, nor how much of a message has arrived.
    Alive {
        /// The size of the pack in the next message, in bytes; 0 if that is not on its way.
        coming: u64,
    },
}

/// One direction of a connection, from the server to the game. Both sides count the messages.
pub struct Session {
    key: [u8; 32],
    number: u64,
}

impl Session {
    pub(super) fn new(key: [u8; 32]) -> Self {
        Self { key, number: 0 }
    }

    /// Returns the message for the game.
    pub fn seal(&mut self, news: &News) -> Vec<u8> {
        let size;
        let (sort, body) = match news {
            News::Assets(pack) => (ASSETS, &pack[..]),
            News::Fault(text) => (FAULT, text.as_bytes()),
            News::Alive { coming } => {
                size = coming.to_le_bytes();
                (ALIVE, &size[..])
            }
        };
        let proof = self.proof(sort, body);
        [&proof[..], &[sort], body].concat()
    }

    /// Reads a message of the server.
    ///
    /// # Errors
    /// [`Error::Message`] if it is not the next one of this session.
    pub fn open(&mut self, message: &[u8]) -> Result<News, Error> {
        let (proof, rest) = message.split_first_chunk::<32>().ok_or(Error::Message)?;
        let (sort, body) = rest.split_first().ok_or(Error::Message)?;
        if !is_equal(proof, &self.proof(*sort, body)) {
            return Err(Error::Message);
        }
        match *sort {
            ASSETS => Ok(News::Assets(body.to_vec())),
            FAULT => Ok(News::Fault(String::from_utf8_lossy(body).into_owned())),
            ALIVE => {
                let coming = body.try_into().map_err(|_| Error::Message)?;
                Ok(News::Alive { coming: u64::from_le_bytes(coming) })
            }
            _ => Err(Error::Message),
        }
    }

    fn proof(&mut self, sort: u8, body: &[u8]) -> [u8; 32] {
        let mut hash = blake3::Hasher::new_keyed(&self.key);
        hash.update(&self.number.to_le_bytes());
        hash.update(&[sort]);
        hash.update(body);
        self.number += 1;
        *hash.finalize().as_bytes()
    }
}

impl fmt::Debug for Session {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("number", &self.number).finish_non_exhaustive()
    }
}

impl fmt::Debug for News {
    /// Without the bytes of a pack.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assets(pack) => write!(f, "Assets({} bytes)", pack.len()),
            Self::Fault(text) => write!(f, "Fault({text:?})"),
            Self::Alive { coming } => write!(f, "Alive({coming} bytes are coming)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_once_and_in_order() {
        let alive = News::Alive { coming: 1 << 40 };
        let news =
            [News::Assets(vec![1, 2, 3]), News::Fault("no such file".to_owned()), News::Assets(Vec::new()), alive];
        let mut server = Session::new([9; 32]);
        let sent: Vec<Vec<u8>> = news.iter().map(|news| server.seal(news)).collect();
        let mut game = Session::new([9; 32]);
        assert!(sent.iter().map(|message| game.open(message).unwrap()).eq(news));
        for order in [[0, 0], [1, 0], [0, 2]] {
            let mut game = Session::new([9; 32]);
            let [_, last] = order.map(|at: usize| game.open(&sent[at]));
            assert_eq!(last, Err(Error::Message), "{order:?}");
        }
    }

    #[test]
    fn a_changed_bit_is_noticed() {
        let sent = Session::new([9; 32]).seal(&News::Assets(vec![1, 2, 3]));
        for bit in 0..sent.len() * 8 {
            let mut changed = sent.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Session::new([9; 32]).open(&changed), Err(Error::Message));
        }
        assert_eq!(Session::new([9; 32]).open(&sent[..32]), Err(Error::Message));
    }
}
