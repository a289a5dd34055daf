//! What the head of an answer means: which bytes follow, or why none do.

use std::io;
use std::ops::Range;

/// The head of an answer.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) content_range: Option<String>,
    pub(crate) content_encoding: Option<String>,
    /// `None` in browsers, which find out themselves if a body ends early.
    pub(crate) content_length: Option<u64>,
    /// The version of the pack, as the server names it.
    pub(crate) etag: Option<String>,
}

/// What follows a head.
#[derive(Debug)]
pub(crate) enum Content {
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
        Self { why: io::Error::new(io::ErrorKind::ConnectionReset, why.into()), may_pass: true, broke_off: true }
    }

    /// Whether the server could be reached, and what it has is wrong.
    pub(crate) fn is_about_the_pack(&self) -> bool {
        use io::ErrorKind::{InvalidData, NotFound, PermissionDenied};
        !self.may_pass && matches!(self.why.kind(), NotFound | PermissionDenied | InvalidData)
    }
}

impl Head {
    /// Says what the body of an answer is to a request for `range`.
    pub(crate) fn content(&self, range: &Range<u64>) -> Result<Content, Refused> {
        let refused = |kind, may_pass| {
            Refused::unanswered(io::Error::new(kind, format!("the server answered {}", self.status)), may_pass)
        };
        match self.status {
            200 | 206 => {}
            416 => return Ok(Content::Nothing),
            404 | 410 => return Err(refused(io::ErrorKind::NotFound, false)),
            401 | 403 => return Err(refused(io::ErrorKind::PermissionDenied, false)),
            408 | 429 | 500..=599 => return Err(refused(io::ErrorKind::Other, true)),
            _ => return Err(refused(io::ErrorKind::Other, false)),
        }
        let encoding = self.content_encoding.as_deref().filter(|encoding| !matches!(*encoding, "" | "identity"));
        if let Some(encoding) = encoding {
            return Err(Refused::for_good(format!(
                "the server compresses the pack with {encoding}, so ranges of it cannot be read; switch that off for .rres files"
            )));
        }
        if self.status == 200 {
            return Ok(Content::Whole);
        }
        match self.content_range.as_deref().map(start_of) {
            Some(Some(start)) if start == range.start => Ok(Content::Range),
            // The server of another origin may hide the header; checksums find what is wrong.
            None => Ok(Content::Range),
            Some(_) => Err(Refused::for_good(format!(
                "asked for bytes from {} on, the server sent \"{}\"",
                range.start,
                self.content_range.as_deref().unwrap_or_default()
            ))),
        }
    }

    /// The size of the whole pack, if the head says it: the last number of `bytes 100-199/1000`, or the length of a whole pack.
    pub(crate) fn pack_len(&self) -> Option<u64> {
        match self.status {
            200 => self.content_length,
            _ => self.content_range.as_deref()?.rsplit('/').next()?.trim().parse().ok(),
        }
    }
}

/// The first number of `bytes 100-199/1000`.
fn start_of(content_range: &str) -> Option<u64> {
    content_range.trim().strip_prefix("bytes")?.trim_start().split('-').next()?.parse().ok()
}

/// The value of the header `Range` for a range.
pub(crate) fn range_header(range: &Range<u64>) -> String {
    format!("bytes={}-{}", range.start, range.end.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(status: u16, content_range: Option<&str>) -> Head {
        Head { status, content_range: content_range.map(str::to_owned), ..Head::default() }
    }

    fn answer(status: u16, content_range: Option<&str>) -> Result<Content, Refused> {
        head(status, content_range).content(&(100..200))
    }

    #[test]
    fn ranges_and_whole_packs_are_told_apart() {
        assert!(matches!(answer(206, Some("bytes 100-199/5000")), Ok(Content::Range)));
        assert!(matches!(answer(206, None), Ok(Content::Range)));
        assert!(matches!(answer(200, None), Ok(Content::Whole)));
        assert!(matches!(answer(416, None), Ok(Content::Nothing)));
        assert!(answer(206, Some("bytes 0-99/5000")).unwrap_err().why.to_string().contains("from 100 on"));
        assert!(answer(206, Some("nonsense")).is_err());
        assert_eq!(range_header(&(100..200)), "bytes=100-199");
    }

    #[test]
    fn heads_say_how_long_the_pack_is() {
        assert_eq!(head(206, Some("bytes 100-199/5000")).pack_len(), Some(5000));
        assert_eq!((head(206, Some("bytes 100-199/*")).pack_len(), head(206, None).pack_len()), (None, None));
        assert_eq!(Head { content_length: Some(7), ..head(200, None) }.pack_len(), Some(7));
        assert_eq!(Head { content_length: Some(7), ..head(206, None) }.pack_len(), None);
    }

    #[test]
    fn only_servers_that_are_busy_are_asked_again() {
        for status in [408, 429, 500, 502, 503, 504] {
            assert!(answer(status, None).unwrap_err().may_pass, "{status}");
        }
        for status in [301, 400, 401, 403, 404, 410] {
            assert!(!answer(status, None).unwrap_err().may_pass, "{status}");
        }
    }

    #[test]
    fn what_a_server_says_of_the_pack_is_told_from_what_goes_wrong_on_the_way() {
        assert!(
            answer(404, None).unwrap_err().is_about_the_pack() && answer(403, None).unwrap_err().is_about_the_pack()
        );
        let firewall = io::Error::from(io::ErrorKind::PermissionDenied);
        assert!(!Refused::unanswered(firewall, true).is_about_the_pack());
        assert!(!answer(503, None).unwrap_err().is_about_the_pack());
    }

    #[test]
    fn compressed_packs_are_refused_with_advice_and_compressed_error_pages_are_not() {
        let gzip = |status| Head { content_encoding: Some("gzip".to_owned()), ..head(status, None) }.content(&(0..10));
        assert!(gzip(206).unwrap_err().why.to_string().contains("switch that off"));
        assert!(gzip(404).unwrap_err().why.to_string().contains("404"));
    }
}
