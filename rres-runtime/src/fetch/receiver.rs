//! The answer to one request.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::byte_source::Receive;

/// Collects the bytes of an answer.
#[derive(Debug)]
pub(super) struct Collected {
    /// What was asked for.
    pub(super) range: Range<u64>,
    /// Whether the source sends the whole pack instead.
    pub(super) is_whole: bool,
    /// How many bytes the whole pack has, if that is known.
    pub(super) pack_len: Option<u64>,
    pub(super) bytes: Vec<u8>,
}

/// No pack is larger.
const LARGEST: usize = u32::MAX as usize;

impl Collected {
    pub(super) fn new(range: Range<u64>) -> Self {
        Self { range, is_whole: false, pack_len: None, bytes: Vec::new() }
    }

    /// Takes the next bytes that are needed. The memory grows with what arrives, and not with what the other side promises.
    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let most =
            if self.is_whole { LARGEST } else { usize::try_from(self.range.end - self.range.start).unwrap_or(LARGEST) };
        let taken = &bytes[..bytes.len().min(most - self.bytes.len())];
        if self.is_whole && taken.len() < bytes.len() {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the answer is larger than any pack"));
        }
        self.bytes.try_reserve(taken.len()).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        self.bytes.extend_from_slice(taken);
        Ok(())
    }

    fn is_full(&self) -> bool {
        !self.is_whole && self.bytes.len() as u64 >= self.range.end - self.range.start
    }
}

/// Who asked.
pub(super) trait Asker: Send + Sync {
    /// More bytes of the answer to request `id` have arrived; returns whether the rest is needed.
    fn progressed(&self, id: u64, collected: &Collected) -> bool;

    /// The answer to request `id` is complete, or has failed.
    fn answered(self: Arc<Self>, id: u64, answer: io::Result<Collected>);
}

pub(super) struct Receiver<A> {
    pub(super) asker: Arc<A>,
    pub(super) id: u64,
    pub(super) tries: u8,
    pub(super) collected: Collected,
}

impl<A: Asker> Receive for Receiver<A> {
    fn is_again(&self) -> bool {
        self.tries > 0
    }

    fn whole(&mut self) {
        self.collected.is_whole = true;
        self.collected.bytes.clear();
    }

    fn pack_len(&mut self, bytes: u64) {
        self.collected.pack_len = Some(bytes);
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<bool> {
        self.collected.push(bytes)?;
        Ok(self.asker.progressed(self.id, &self.collected) && !self.collected.is_full())
    }

    fn end(self: Box<Self>, outcome: io::Result<()>) {
        // A source that is told that the rest is not needed may just stop.
        let Self { asker, id, collected, .. } = *self;
        let outcome = if collected.is_full() { Ok(()) } else { outcome };
        asker.answered(id, outcome.map(|()| collected));
    }
}
