//! The first three messages: both sides prove the token.

use super::session::Session;
use super::token::{Token, is_equal};
use super::{Error, HELLO, MAX_HANDSHAKE, MAX_PACKS};

const WELCOME: u8 = 1;
const REFUSAL: u8 = 2;

/// The server's side after its hello.
#[derive(Debug)]
pub struct Greeting {
    nonce: [u8; 32],
}

/// The game's side after it has joined.
#[derive(Debug)]
pub struct Joining {
    token: Token,
    nonces: Nonces,
}

/// What a server answers.
#[derive(Debug)]
pub enum Welcome {
    /// The game receives what changes.
    Session(Session),
    /// Why it does not.
    Refused(String),
}

/// The random bytes of server and game.
#[derive(Clone, Copy, Debug)]
struct Nonces([u8; 32], [u8; 32]);

impl Nonces {
    fn session(&self, token: &Token) -> Session {
        Session::new(token.proof("session", &[&self.0, &self.1]))
    }
}

/// Returns the server's hello. `nonce` are random bytes.
pub fn greet(nonce: [u8; 32]) -> (Greeting, Vec<u8>) {
    (Greeting { nonce }, [&HELLO[..], &nonce].concat())
}

/// Returns the game's answer to a hello. `nonce` are random bytes; `packs` are the checksums of its packs.
///
/// # Errors
/// [`Error::NoServer`].
pub fn join(token: &Token, nonce: [u8; 32], hello: &[u8], packs: &[u32]) -> Result<(Joining, Vec<u8>), Error> {
    let of_server = hello.strip_prefix(HELLO).and_then(|rest| <[u8; 32]>::try_from(rest).ok());
    let nonces = Nonces(of_server.ok_or(Error::NoServer)?, nonce);
    let packs: Vec<u8> = packs.iter().take(MAX_PACKS).flat_map(|checksum| checksum.to_le_bytes()).collect();
    let proof = token.proof("join", &[&nonces.0, &nonces.1, &packs]);
    Ok((Joining { token: token.clone(), nonces }, [&nonce[..], &proof, &packs].concat()))
}

impl Greeting {
    /// Returns the session, the welcome for the game, and the checksums of the packs that it has.
    ///
    /// # Errors
    /// [`Error::WrongToken`] or [`Error::Message`]. [`refusal`](Self::refusal) tells it to the game.
    pub fn welcome(&self, token: &Token, join: &[u8]) -> Result<(Session, Vec<u8>, Vec<u32>), Error> {
        let (nonce, rest) = join.split_first_chunk::<32>().ok_or(Error::Message)?;
        let (proof, packs) = rest.split_first_chunk::<32>().ok_or(Error::Message)?;
        let (checksums, []) = packs.as_chunks::<4>() else { return Err(Error::Message) };
        if checksums.len() > MAX_PACKS {
            return Err(Error::Message);
        }
        let nonces = Nonces(self.nonce, *nonce);
        if !is_equal(proof, &token.proof("join", &[&nonces.0, &nonces.1, packs])) {
            return Err(Error::WrongToken);
        }
        let proof = token.proof("welcome", &[&nonces.0, &nonces.1]);
        let checksums = checksums.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        Ok((nonces.session(token), [&[WELCOME][..], &proof].concat(), checksums))
    }

    /// Returns the message that tells a game why it does not get anything.
    pub fn refusal(reason: &str) -> Vec<u8> {
        let shown = &reason.as_bytes()[..reason.len().min(MAX_HANDSHAKE - 1)];
        [&[REFUSAL][..], shown].concat()
    }
}

impl Joining {
    /// Reads what the server answers.
    ///
    /// # Errors
    /// [`Error::WrongToken`] if the server does not prove the token; [`Error::Message`].
    pub fn read(self, answer: &[u8]) -> Result<Welcome, Error> {
        match answer.split_first() {
            Some((&WELCOME, proof)) => {
                let Nonces(server, game) = &self.nonces;
                if !is_equal(proof, &self.token.proof("welcome", &[server, game])) {
                    return Err(Error::WrongToken);
                }
                Ok(Welcome::Session(self.nonces.session(&self.token)))
            }
            // Whoever sends it has proved nothing, and people read it in a terminal.
            Some((&REFUSAL, reason)) if reason.len() < MAX_HANDSHAKE => {
                let plain = String::from_utf8_lossy(reason).chars().filter(|c| !c.is_control()).collect();
                Ok(Welcome::Refused(plain))
            }
            _ => Err(Error::Message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "dgs3-vk3w-x4qa-7t5m";

    #[test]
    fn a_side_without_the_token_learns_nothing_and_is_not_believed() {
        let (token, other) = (Token::new(TOKEN).unwrap(), Token::new("dgs3-vk3w-x4qa-7t5n").unwrap());
        let (greeting, hello) = greet([7; 32]);
        let (_, joined) = join(&other, [8; 32], &hello, &[1]).unwrap();
        assert_eq!(greeting.welcome(&token, &joined).unwrap_err(), Error::WrongToken);
        // A server with another token.
        let (joining, joined) = join(&token, [8; 32], &hello, &[1]).unwrap();
        assert_eq!(greeting.welcome(&other, &joined).unwrap_err(), Error::WrongToken);
        let forged = [&[WELCOME][..], &other.proof("welcome", &[&[7; 32], &[8; 32]])].concat();
        assert_eq!(joining.read(&forged).unwrap_err(), Error::WrongToken);
    }

    #[test]
    fn no_message_can_be_used_again() {
        let token = Token::new(TOKEN).unwrap();
        let (first, hello) = greet([1; 32]);
        let (_, joined) = join(&token, [2; 32], &hello, &[]).unwrap();
        let (_, welcome, _) = first.welcome(&token, &joined).unwrap();
        let (second, hello) = greet([3; 32]);
        assert_eq!(second.welcome(&token, &joined).unwrap_err(), Error::WrongToken);
        let (joining, _) = join(&token, [4; 32], &hello, &[]).unwrap();
        assert_eq!(joining.read(&welcome).unwrap_err(), Error::WrongToken);
    }

    #[test]
    fn packs_are_part_of_the_proof() {
        let token = Token::new(TOKEN).unwrap();
        let (greeting, hello) = greet([1; 32]);
        let (_, mut joined) = join(&token, [2; 32], &hello, &[0xaabb_ccdd]).unwrap();
        *joined.last_mut().unwrap() ^= 1;
        assert_eq!(greeting.welcome(&token, &joined).unwrap_err(), Error::WrongToken);
    }

    #[test]
    fn what_has_no_meaning_is_an_error() {
        let token = Token::new(TOKEN).unwrap();
        let (greeting, hello) = greet([1; 32]);
        for bytes in [&b""[..], b"HTTP/1.1 400 Bad Request", &hello[..hello.len() - 1], &[&hello[..], b"x"].concat()] {
            assert_eq!(join(&token, [2; 32], bytes, &[]).unwrap_err(), Error::NoServer);
            assert_eq!(greeting.welcome(&token, bytes).unwrap_err(), Error::Message);
        }
        let (joining, _) = join(&token, [2; 32], &hello, &[]).unwrap();
        assert_eq!(joining.read(b"").unwrap_err(), Error::Message);
    }

    #[test]
    fn a_refusal_says_why() {
        let token = Token::new(TOKEN).unwrap();
        let (_, hello) = greet([1; 32]);
        let (joining, _) = join(&token, [2; 32], &hello, &[]).unwrap();
        let Welcome::Refused(reason) = joining.read(&Greeting::refusal("sixteen games are connected")).unwrap() else {
            panic!()
        };
        assert_eq!(reason, "sixteen games are connected");
        let (joining, _) = join(&token, [2; 32], &hello, &[]).unwrap();
        let Welcome::Refused(reason) = joining.read(&Greeting::refusal("\x1b[2Jno")).unwrap() else { panic!() };
        assert_eq!(reason, "[2Jno");
        assert!(Greeting::refusal(&"a".repeat(9000)).len() <= MAX_HANDSHAKE);
    }
}
