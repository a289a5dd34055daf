//! What the head of an answer means: which bytes follow, or why none do.

use std::io;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// How often a server is asked without any progress.
pub(crate) const TRIES: u32 = 6;
/// How often it is asked for the front of a pack that was kept.
pub(crate) const TRIES_WITH_FRONT: u32 = 2;

/// How long a server may send nothing before it is asked again, in milliseconds. A body that arrives slowly has no limit: a pack from a server without
/// ranges is as long as it is.
pub(crate) const SILENCE: u32 = 60_000;

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
}

impl Patience {
    pub(crate) fn new(most: u32) -> Self {
        Self { tries: 0, most, at_once: u64::MAX }
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
    pub(crate) fn fail(&mut self, refused: Refused, has_brought_bytes: bool, left: u64) -> io::Result<u32> {
        self.tries = if has_brought_bytes { 0 } else { self.tries + 1 };
        if !refused.may_pass || self.tries >= self.most {
            return Err(refused.why);
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

/// The head of an answer.
pub(crate) struct Head<'a> {
    pub(crate) status: u16,
    pub(crate) content_range: Option<&'a str>,
    pub(crate) content_encoding: Option<&'a str>,
}

/// What follows a head.
#[derive(Debug)]
pub(crate) enum Body {
    /// The range that was asked for, or its beginning, if the pack ends in it.
    Range,
    /// The whole pack.
    Whole,
    /// Nothing: the pack ends before the range.
    Nothing,
}

/// Why there is no body.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) why: io::Error,
    /// Whether the same request may succeed later.
    pub(crate) may_pass: bool,
    /// Whether a body ended too early: a smaller one may arrive.
    pub(crate) broke_off: bool,
}

impl Refused {
    pub(crate) fn for_good(why: impl Into<String>) -> Self {
        Self { why: io::Error::new(io::ErrorKind::InvalidData, why.into()), may_pass: false, broke_off: false }
    }

    /// The request failed before a body came.
    pub(crate) fn unanswered(why: io::Error, may_pass: bool) -> Self {
        Self { why, may_pass, broke_off: false }
    }

    /// The server has sent only the first part of a range. It is asked for the rest.
    pub(crate) fn shorter() -> Self {
        Self::broken("the server sent fewer bytes than it was asked for")
    }

    /// A body that broke off.
    pub(crate) fn broken(why: impl Into<String>) -> Self {
        Self { why: broken(why), may_pass: true, broke_off: true }
    }
}

/// How a download ended.
pub(crate) enum End {
    /// All of the range has arrived, or as much of it as the pack has.
    Complete,
    /// The server sent the whole pack, or as much of it as is needed. If that breaks off, a server without ranges cannot go on where it stopped.
    Whole(io::Result<()>),
    /// The rest is not needed.
    Unneeded,
}

/// Why a connection has ended.
pub(crate) fn broken(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionReset, why.into())
}

/// The version of the pack on the server, as its answers name it.
#[derive(Debug, Default)]
pub(crate) struct Version(Mutex<Option<String>>);

impl Version {
    /// Remembers the version that the first answer names, and refuses another one.
    pub(crate) fn check(&self, etag: Option<&str>) -> Result<(), Refused> {
        let Some(now) = etag else { return Ok(()) };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get_or_insert_with(|| now.to_owned()) == now {
            true => Ok(()),
            false => Err(Refused::for_good(
                "the pack was replaced on the server since it was opened; start the program, or load the page, again",
            )),
        }
    }
}

/// Says what the body of an answer is to a request for `range`.
pub(crate) fn body(head: &Head<'_>, range: &Range<u64>) -> Result<Body, Refused> {
    let refused = |kind, may_pass| {
        Refused::unanswered(io::Error::new(kind, format!("the server answered {}", head.status)), may_pass)
    };
    if let Some(encoding) = head.content_encoding.filter(|encoding| !matches!(*encoding, "" | "identity")) {
        let why = format!(
            "the server compresses the pack with {encoding}, so ranges of it cannot be read; switch that off for .rres files"
        );
        return Err(Refused::for_good(why));
    }
    match head.status {
        206 => match head.content_range.map(start_of) {
            Some(Some(start)) if start == range.start => Ok(Body::Range),
            // The server of another origin may hide the header; checksums find what is wrong.
            None => Ok(Body::Range),
            Some(_) => Err(Refused::for_good(format!(
                "asked for bytes from {} on, the server sent \"{}\"",
                range.start,
                head.content_range.unwrap_or_default()
            ))),
        },
        200 => Ok(Body::Whole),
        416 => Ok(Body::Nothing),
        404 | 410 => Err(refused(io::ErrorKind::NotFound, false)),
        401 | 403 => Err(refused(io::ErrorKind::PermissionDenied, false)),
        408 | 429 | 500..=599 => Err(refused(io::ErrorKind::Other, true)),
        _ => Err(refused(io::ErrorKind::Other, false)),
    }
}

/// The size of the whole pack, if an answer says it: the last number of `bytes 100-199/1000`, or the length of a whole answer.
pub(crate) fn pack_len(content_range: Option<&str>, whole: Option<u64>) -> Option<u64> {
    whole.or_else(|| content_range?.rsplit('/').next()?.trim().parse().ok())
}

/// Whether an answer to a request for bytes up to `end` has ended at `at`, although the pack has more, as far as it says.
pub(crate) fn is_cut_short(content_range: Option<&str>, at: u64, end: u64) -> bool {
    pack_len(content_range, None).is_some_and(|len| at < end.min(len))
}

/// The first number of `bytes 100-199/1000`.
fn start_of(content_range: &str) -> Option<u64> {
    content_range.trim().strip_prefix("bytes")?.trim_start().split('-').next()?.parse().ok()
}

/// Whether the server could be reached, and what it has is wrong.
pub(crate) fn is_about_the_pack(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidData)
}

/// The value of the header `Range` for a range.
pub(crate) fn range_header(range: &Range<u64>) -> String {
    format!("bytes={}-{}", range.start, range.end.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, content_range: Option<&str>) -> Result<Body, Refused> {
        body(&Head { status, content_range, content_encoding: None }, &(100..200))
    }

    #[test]
    fn ranges_and_whole_packs_are_told_apart() {
        assert!(matches!(answer(206, Some("bytes 100-199/5000")), Ok(Body::Range)));
        assert!(matches!(answer(206, None), Ok(Body::Range)));
        assert!(matches!(answer(200, None), Ok(Body::Whole)));
        assert!(matches!(answer(416, None), Ok(Body::Nothing)));
        assert!(answer(206, Some("bytes 0-99/5000")).unwrap_err().why.to_string().contains("from 100 on"));
        assert!(answer(206, Some("nonsense")).is_err());
        assert_eq!(range_header(&(100..200)), "bytes=100-199");
        assert_eq!(pack_len(Some("bytes 100-199/5000"), None), Some(5000));
        assert_eq!((pack_len(Some("bytes 100-199/*"), None), pack_len(None, Some(7))), (None, Some(7)));
    }

    #[test]
    fn the_end_of_the_pack_and_of_a_shorter_answer_are_told_apart() {
        assert!(is_cut_short(Some("bytes 100-149/5000"), 150, 200));
        assert!(!is_cut_short(Some("bytes 100-199/5000"), 200, 200));
        assert!(!is_cut_short(Some("bytes 100-149/150"), 150, 200));
        // Nobody knows.
        assert!(!is_cut_short(Some("bytes 100-149/*"), 150, 200) && !is_cut_short(None, 150, 200));
    }

    #[test]
    fn only_servers_that_are_busy_are_asked_again() {
        for status in [408, 429, 500, 502, 503, 504] {
            assert!(answer(status, None).unwrap_err().may_pass, "{status}");
        }
        for status in [301, 400, 401, 403, 404, 410] {
            assert!(!answer(status, None).unwrap_err().may_pass, "{status}");
        }
        assert_eq!((0..8).map(delay).collect::<Vec<_>>(), [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    }

    #[test]
    fn a_busy_server_is_asked_for_as_much_again_and_a_broken_line_for_less() {
        let busy = || answer(429, None).unwrap_err();
        let broken = || Refused::broken("cut");
        let mut patience = Patience::new(3);
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

    #[test]
    fn compressed_answers_are_refused_with_advice() {
        let head = Head { status: 206, content_range: None, content_encoding: Some("gzip") };
        assert!(body(&head, &(0..10)).unwrap_err().why.to_string().contains("switch that off"));
    }
}
