//! Finding a server by its name: a packet to everyone on the local network, and the answer of the server.
//!
//! | packet | contents |
//! |---|---|
//! | question | [`QUESTION`], 16 random bytes, the name in UTF-8, zeros up to [`SIZE`] |
//! | answer | [`ANSWER`], the port (`u16`), 32 bytes that prove the token |
//!
//! So two machines may have the same name, and each game finds its own. An answer is shorter than the question, so that nobody gains by asking in
//! another's name.

use super::token::{Token, is_equal};

/// How a question begins.
pub const QUESTION: &[u8; 16] = b"rres reload? 1\r\n";
/// How an answer begins.
pub const ANSWER: &[u8; 16] = b"rres reload! 1\r\n";
/// The size of a question in bytes.
pub const SIZE: usize = 256;
/// The longest name in bytes.
pub const MAX_NAME: usize = SIZE - 32;

/// Returns a question; `None` if the name is empty or too long. `random` are 16 bytes that only this question has.
pub fn question(random: [u8; 16], name: &str) -> Option<Vec<u8>> {
    if !(1..=MAX_NAME).contains(&name.len()) {
        return None;
    }
    let mut packet = [&QUESTION[..], &random, name.as_bytes()].concat();
    packet.resize(SIZE, 0);
    Some(packet)
}

/// Returns the server's answer to a packet; `None` if that does not ask for this name.
pub fn answer(token: &Token, packet: &[u8], name: &str, port: u16) -> Option<Vec<u8>> {
    let rest = packet.strip_prefix(QUESTION).filter(|_| packet.len() == SIZE)?;
    let (random, asked) = rest.split_first_chunk::<16>()?;
    let end = asked.iter().rposition(|byte| *byte != 0)? + 1;
    let (port, is_it) = (port.to_le_bytes(), asked[..end] == *name.as_bytes());
    is_it.then(|| [&ANSWER[..], &port, &token.proof("found", &[random, &port])].concat())
}

/// Returns the port in an answer; `None` if a packet is not the answer to the question with these random bytes, by a server with the token.
pub fn port(token: &Token, packet: &[u8], random: [u8; 16]) -> Option<u16> {
    let (port, proof) = packet.strip_prefix(ANSWER)?.split_first_chunk::<2>()?;
    is_equal(proof, &token.proof("found", &[&random, port])).then(|| u16::from_le_bytes(*port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_server_with_the_name_and_the_token_answers() {
        let token = |text| Token::new(text).unwrap();
        let (ours, other) = (token("dgs3-vk3w-x4qa-7t5m"), token("dgs3-vk3w-x4qa-7t5n"));
        let asked = question([5; 16], "lantern").unwrap();
        assert_eq!(asked.len(), SIZE);
        let answered = answer(&ours, &asked, "lantern", 7313).unwrap();
        assert!(answered.len() < asked.len());
        assert_eq!(port(&ours, &answered, [5; 16]), Some(7313));
        assert_eq!((port(&ours, &answered, [6; 16]), port(&other, &answered, [5; 16])), (None, None));
        for name in ["lanter", "lantern2", "", "Lantern"] {
            assert_eq!(answer(&ours, &asked, name, 7313), None);
        }
        assert_eq!(answer(&ours, &asked[..SIZE - 1], "lantern", 7313), None);
        assert_eq!((answer(&ours, b"", "lantern", 7313), port(&ours, b"", [5; 16])), (None, None));
        assert_eq!((question([5; 16], ""), question([5; 16], &"a".repeat(MAX_NAME + 1))), (None, None));
        assert!(question([5; 16], &"a".repeat(MAX_NAME)).is_some());
    }
}
