//! The interface of sources of bytes.

use std::fmt;
use std::io;
use std::ops::Range;

use crate::bytes::Backing;

/// Where the bytes of a pack are: a server, an archive, the storage of a console. See [`crate::PackOptions::open_from`].
///
/// A source answers through the [`Reply`], at once or later, on any thread. So the same interface serves a file, a library of
/// callbacks, and a browser, which has no threads that could wait.
///
/// ```
/// use std::io;
/// use std::ops::Range;
/// use rres_runtime::{ByteSource, Reply};
///
/// /// A pack on a device that reads blocks by number.
/// struct Cartridge;
/// # impl Cartridge { fn block(&self, _: u64) -> io::Result<[u8; 512]> { Ok([0; 512]) } }
///
/// impl ByteSource for Cartridge {
///     fn name(&self) -> String {
///         "the cartridge".to_owned()
///     }
///
///     fn read(&self, range: Range<u64>, mut reply: Reply) {
///         for number in range.start / 512..range.end.div_ceil(512) {
///             match self.block(number) {
///                 Ok(block) => {
///                     let (first, last) = (number * 512, number * 512 + 512);
///                     let (start, end) = (range.start.max(first) - first, range.end.min(last) - first);
///                     if !reply.push(&block[start as usize..end as usize]) {
///                         return; // nobody needs the rest
///                     }
///                 }
///                 Err(error) => return reply.fail(error),
///             }
///         }
///         reply.finish();
///     }
/// }
/// ```
pub trait ByteSource: Send + Sync + 'static {
    /// Returns what messages call the source: a path, an address.
    fn name(&self) -> String;

    /// Returns all bytes of the pack, if that takes no time: they are in memory, or can be mapped. The pack is then as fast as any,
    /// and [`Self::read`] is not called after that. The default is that they are not.
    ///
    /// # Errors
    /// If the bytes should be at hand and cannot be read.
    fn contents(&mut self) -> io::Result<Option<Contents>> {
        Ok(None)
    }

    /// Begins to read a range of the pack. In a browser, this must not block.
    ///
    /// Several ranges may be read at once. If the pack ends within the range, the bytes up to there are the answer.
    fn read(&self, range: Range<u64>, reply: Reply);
}

/// All bytes of a pack.
pub struct Contents(pub(crate) Backing);

impl fmt::Debug for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Contents({} bytes)", self.0.bytes().len())
    }
}

impl From<Vec<u8>> for Contents {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Backing::Owned(bytes.into()))
    }
}

impl From<Box<[u8]>> for Contents {
    fn from(bytes: Box<[u8]>) -> Self {
        Self(Backing::Owned(bytes))
    }
}

impl From<&'static [u8]> for Contents {
    fn from(bytes: &'static [u8]) -> Self {
        Self(Backing::Static(bytes))
    }
}

/// Takes the bytes that a [`ByteSource`] reads. One that is dropped without [`Self::finish`] or [`Self::fail`] is a failure.
pub struct Reply(Option<Box<dyn Receive>>);

/// What is behind a [`Reply`].
pub(super) trait Receive: Send {
    /// Whether an earlier answer had damaged bytes.
    fn is_again(&self) -> bool;
    /// What follows is the whole pack.
    fn whole(&mut self);
    /// The whole pack has so many bytes.
    fn pack_len(&mut self, bytes: u64);
    /// Takes the next bytes; returns whether more are needed.
    fn push(&mut self, bytes: &[u8]) -> io::Result<bool>;
    fn end(self: Box<Self>, outcome: io::Result<()>);
}

impl Reply {
    pub(super) fn new(receiver: impl Receive + 'static) -> Self {
        Self(Some(Box::new(receiver)))
    }

    /// Whether the bytes of an earlier answer were damaged: a source with a cache should read past it.
    pub fn is_again(&self) -> bool {
        self.0.as_ref().is_some_and(|receiver| receiver.is_again())
    }

    /// Says that what is pushed from now on is the whole pack, from its first byte to its last, and not the range. For servers that
    /// cannot send ranges. What was pushed before is dropped.
    pub fn sends_whole_pack(&mut self) {
        if let Some(receiver) = &mut self.0 {
            receiver.whole();
        }
    }

    /// Says how many bytes the whole pack has, if the source knows. It is needed to check the signature of a pack, which is at its end.
    pub fn set_pack_len(&mut self, bytes: u64) {
        if let Some(receiver) = &mut self.0 {
            receiver.pack_len(bytes);
        }
    }

    /// Takes the next bytes of the range. Returns whether the rest is needed: `false` if the loading was cancelled, if these
    /// were the last bytes, or if memory is short, which is reported.
    #[must_use = "if it returns false, the rest need not be read"]
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let Some(receiver) = &mut self.0 else { return false };
        match receiver.push(bytes) {
            Ok(more) => more,
            Err(error) => {
                self.end(Err(error));
                false
            }
        }
    }

    /// Ends the answer.
    pub fn finish(mut self) {
        self.end(Ok(()));
    }

    /// Ends the answer with the reason why the range cannot be read. It is not asked for again until an asset in it is.
    pub fn fail(mut self, error: io::Error) {
        self.end(Err(error));
    }

    fn end(&mut self, outcome: io::Result<()>) {
        if let Some(receiver) = self.0.take() {
            receiver.end(outcome);
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.end(Err(io::Error::new(io::ErrorKind::Interrupted, "the source stopped before it had read all bytes")));
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply").field("ended", &self.0.is_none()).finish()
    }
}
