//! How often a server is asked again, and after which time.

use crate::answer::Refused;

/// How often a server is asked without any progress.
const TRIES: u32 = 6;
/// How often it is asked for the front of a pack that was kept.
const TRIES_WITH_FRONT: u32 = 3;

/// How long a server may send nothing before it is asked again, in milliseconds. A body that arrives slowly has no limit: a pack from a server without
/// ranges is as long as it is.
pub(crate) const SILENCE: u32 = 60_000;
/// How long the player waits for a silent server if the front was kept, so that the game can start.
const SILENCE_WITH_FRONT: u32 = 5_000;

/// How long to wait, in milliseconds, after the first request that brought nothing (0), the second one (1), and so on.
fn delay(tries: u32) -> u32 {
    250 << tries.min(5)
}

/// How many bytes to ask for after an answer to a request for `bytes` broke off before any arrived. A browser may drop what has arrived when a
/// connection breaks, so a range that is too large for the connection would never arrive.
fn smaller(bytes: u64) -> u64 {
    (bytes / 4).max(64 << 10)
}

/// How to go on with a range whose answers fail.
#[derive(Debug)]
pub(crate) struct Patience {
    /// How many requests in a row have brought nothing.
    tries: u32,
    /// How many may do so.
    most: u32,
    /// How many bytes are asked for at once.
    pub(crate) at_once: u64,
    /// How long a server may send nothing, in milliseconds.
    pub(crate) silence: u32,
}

impl Patience {
    /// For what only the server has.
    pub(crate) fn long() -> Self {
        Self { tries: 0, most: TRIES, at_once: u64::MAX, silence: SILENCE }
    }

    /// For the front of a pack that was kept, which is used if the server does not answer.
    pub(crate) fn short() -> Self {
        Self { most: TRIES_WITH_FRONT, silence: SILENCE_WITH_FRONT, ..Self::long() }
    }

    /// All that a request has asked for has arrived.
    pub(crate) fn succeed(&mut self) {
        self.tries = 0;
        self.at_once = self.at_once.saturating_mul(4);
    }

    /// Returns how many milliseconds to wait before asking for the `left` bytes that are missing.
    ///
    /// # Errors
    /// If it is not asked for again.
    pub(crate) fn fail(&mut self, refused: Refused, has_brought_bytes: bool, left: u64) -> Result<u32, Refused> {
        self.tries = if has_brought_bytes { 0 } else { self.tries + 1 };
        if !refused.may_pass || self.tries >= self.most {
            return Err(refused);
        }
        if self.tries == 0 {
            return Ok(0);
        }
        if refused.broke_off {
            self.at_once = smaller(self.at_once.min(left));
        }
        Ok(delay(self.tries - 1))
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn each_wait_is_twice_as_long_as_the_one_before() {
        assert_eq!((0..8).map(delay).collect::<Vec<_>>(), [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    }

    #[test]
    fn a_busy_server_is_asked_for_as_much_again_and_a_broken_line_for_less() {
        let busy = || Refused::unanswered(io::Error::other("the server answered 429"), true);
        let broken = || Refused::broken("cut");
        let mut patience = Patience::short();
        assert_eq!((patience.fail(busy(), false, 1 << 20).unwrap(), patience.at_once), (250, u64::MAX));
        assert_eq!((patience.fail(broken(), false, 1 << 20).unwrap(), patience.at_once), (500, 256 << 10));
        // What has arrived counts, whether all of it was asked for at once or not.
        patience.succeed();
        assert_eq!((patience.fail(busy(), false, 1 << 20).unwrap(), patience.at_once), (250, 1 << 20));
        assert_eq!(patience.fail(broken(), true, 1 << 20).unwrap(), 0);
        assert_eq!(patience.fail(busy(), false, 1 << 20).unwrap(), 250);
        assert_eq!(patience.fail(busy(), false, 1 << 20).unwrap(), 500);
        assert!(patience.fail(busy(), false, 1 << 20).is_err(), "the third in a row");
    }
}
