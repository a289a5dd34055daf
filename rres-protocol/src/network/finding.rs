//! Finding a server by its name: a packet to everyone on the local network, and the answer of the server.
//!
//! | packet | contents |
//! |---|---|
//! | question | [`QUESTION`], 16 random bytes, the name in UTF-8, zeros up to [`SIZE`] |
//! | answer | [`ANSWER`], the same 16 bytes, the port (`u16`) |
//!
//! The answer proves nothing: the handshake does. It is shorter than the question, so that nobody gains by asking in another's name.

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
pub fn answer(packet: &[u8], name: &str, port: u16) -> Option<Vec<u8>> {
    let rest = packet.strip_prefix(QUESTION).filter(|_| packet.len() == SIZE)?;
    let (random, asked) = rest.split_first_chunk::<16>()?;
    let end = asked.iter().rposition(|byte| *byte != 0)? + 1;
    (asked[..end] == *name.as_bytes()).then(|| [&ANSWER[..], random, &port.to_le_bytes()].concat())
}

/// Returns the port in an answer; `None` if a packet is not the answer to the question with these random bytes.
pub fn port(packet: &[u8], random: [u8; 16]) -> Option<u16> {
    let rest = packet.strip_prefix(ANSWER)?.strip_prefix(&random)?;
    Some(u16::from_le_bytes(rest.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_server_with_the_name_answers() {
        let asked = question([5; 16], "lantern").unwrap();
        assert_eq!(asked.len(), SIZE);
        let answered = answer(&asked, "lantern", 7313).unwrap();
        assert!(answered.len() < asked.len());
        assert_eq!(port(&answered, [5; 16]), Some(7313));
        assert_eq!(port(&answered, [6; 16]), None);
        for other in ["lanter", "lantern2", "", "Lantern"] {
            assert_eq!(answer(&asked, other, 7313), None);
        }
        assert_eq!(answer(&asked[..SIZE - 1], "lantern", 7313), None);
        assert_eq!(answer(b"", "lantern", 7313), None);
        assert_eq!((question([5; 16], ""), question([5; 16], &"a".repeat(MAX_NAME + 1))), (None, None));
        assert!(question([5; 16], &"a".repeat(MAX_NAME)).is_some());
    }
}
