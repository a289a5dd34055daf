//! Opening a pack whose bytes come from a source: its front index is read, and the rest when it is needed.

use std::fmt;
use std::future::Future;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use rres_format::signature::signature_len;
use rres_format::{ChunkInfo, FourCc, Header, PackLayout};

use super::byte_source::{ByteSource, Reply};
use super::parts::{Parts, RETRIES};
use super::receiver::{Asker, Collected, Receiver};
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, ErrorKind, Result};
use crate::source::content::{Content, PackEnd};
use crate::source::{Pack, PackOptions};
use crate::sync::{Condvar, lock, may_wait, wait};

/// What is read first: the index of about 500 assets.
const FIRST: u64 = 32 << 10;
/// What is read of the end of a pack whose signature is checked: that of about 900 assets.
const LAST: u64 = 32 << 10;

impl PackOptions {
    /// Opens a pack whose bytes come from `source`. If they are at hand, the pack is ready at once; otherwise its front index is read
    /// now, and assets when they are loaded. Only packs of `rres-build` have a front index, and are read in parts.
    ///
    /// Await the result, poll it, or wait for it. [`crate::Store::from_packs`] makes a store of it, and the generated
    /// `assets::open_async` does both.
    ///
    /// The front index, and each asset that arrives, are compared with their checksums; damaged bytes are read again.
    pub fn open_from(&self, source: impl ByteSource) -> OpeningPack {
        OpeningPack(Opening::begin(source, self.clone()))
    }
}

/// A pack that is being opened; see [`PackOptions::open_from`].
#[must_use = "await, poll or wait for it, or the pack is lost"]
pub struct OpeningPack(Arc<Opening>);

struct Opening {
    source: Arc<dyn ByteSource>,
    options: PackOptions,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// `None` once it was returned.
    outcome: Option<Result<Pack>>,
    is_over: bool,
    received: u64,
    /// The front, if the end of the pack is being read.
    front: Option<(PackLayout, Vec<u8>)>,
    /// How often damaged bytes were read again.
    tries: u8,
    wakers: Vec<Waker>,
}

impl OpeningPack {
    /// Returns the pack once it is open, and `None` before, and after it was returned. Call it once a frame.
    pub fn poll(&mut self) -> Option<Result<Pack>> {
        lock(&self.0.state).outcome.take()
    }

    /// Returns how many bytes have arrived. How many are needed is known when the first ones are here.
    pub fn received(&self) -> u64 {
        lock(&self.0.state).received
    }

    /// Waits until the pack is open.
    ///
    /// # Errors
    /// If the source cannot be read, or has no pack, or another one than `rres-build` writes and not all of its bytes at hand.
    /// [`ErrorKind::NotHere`] in a browser, where nothing may wait: await it there.
    pub fn wait(self) -> Result<Pack> {
        let mut state = lock(&self.0.state);
        while !state.is_over && may_wait() {
            state = wait(&self.0.changed, state);
        }
        state.outcome.take().unwrap_or_else(|| Err(Error::new(ErrorKind::NotHere).with_file(Some(&self.0.name()))))
    }
}

impl Future for OpeningPack {
    type Output = Result<Pack>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = lock(&self.0.state);
        match state.outcome.take() {
            Some(outcome) => Poll::Ready(outcome),
            None => {
                if !state.wakers.iter().any(|known| known.will_wake(context.waker())) {
                    state.wakers.push(context.waker().clone());
                }
                Poll::Pending
            }
        }
    }
}

impl fmt::Debug for OpeningPack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpeningPack").field("source", &self.0.source.name()).finish_non_exhaustive()
    }
}

impl Opening {
    fn begin(mut source: impl ByteSource, options: PackOptions) -> Arc<Self> {
        let contents = source.contents();
        let (source, state, changed) = (Arc::new(source), Mutex::default(), Condvar::new());
        let opening = Arc::new(Self { source, options, state, changed });
        match contents {
            Ok(Some(contents)) => opening.end(Pack::new(contents.0, Some(opening.name()), &opening.options)),
            Ok(None) => Arc::clone(&opening).read(0..FIRST),
            Err(error) => opening.end(Err(Error::io(opening.name(), error))),
        }
        opening
    }

    fn name(&self) -> PathBuf {
        self.source.name().into()
    }

    fn read(self: Arc<Self>, range: Range<u64>) {
        let (source, tries) = (Arc::clone(&self.source), lock(&self.state).tries);
        let collected = Collected::new(range.clone());
        source.read(range, Reply::new(Receiver { asker: self, id: 0, tries, collected }));
    }

    fn end(&self, outcome: Result<Pack>) {
        let mut state = lock(&self.state);
        (state.outcome, state.is_over) = (Some(outcome), true);
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        self.changed.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Goes on with the first bytes of the pack, which were asked for.
    fn take_front(self: Arc<Self>, collected: Collected) -> Result<()> {
        let len = front_len(&collected.bytes)?;
        if len > collected.range.end {
            self.read(0..len);
            return Ok(());
        }
        let mut front = collected.bytes;
        if len > front.len() as u64 {
            let detail = format!("it ends after {} of the {len} bytes of its front index", front.len());
            return Err(Error::new(ErrorKind::Io(io::Error::new(io::ErrorKind::UnexpectedEof, detail))));
        }
        front.truncate(usize::try_from(len).unwrap_or(usize::MAX));
        let layout = PackLayout::parse(&front, self.options.limits)?;
        layout.view(&front).check_index()?;
        match layout.view(&front).index() {
            Some(index) if !index.is_patch() => {}
            Some(_) => return Err(Error::new(ErrorKind::NotInParts("a patch"))),
            None => return Err(Error::new(ErrorKind::NotInParts("a pack without a front index"))),
        }
        if !self.options.reads_signature() {
            return self.finish(layout, front, None);
        }
        let unknown = "a pack whose signature is checked, and whose size the source does not say,";
        let pack_len = collected.pack_len.ok_or_else(|| Error::new(ErrorKind::NotInParts(unknown)))?;
        lock(&self.state).front = Some((layout, front));
        self.read(pack_len.saturating_sub(LAST)..pack_len);
        Ok(())
    }

    /// Goes on with the last bytes of the pack, in which its signature is.
    fn take_end(self: Arc<Self>, (layout, front): (PackLayout, Vec<u8>), collected: Collected) -> Result<()> {
        let (bytes, Range { start, end: pack_len }) = (collected.bytes, collected.range);
        match signature_len(&bytes).map(|len| pack_len.saturating_sub(len.into())) {
            Some(first) if first < start => {
                lock(&self.state).front = Some((layout, front));
                self.read(first..pack_len);
                Ok(())
            }
            _ => self.finish(layout, front, Some(PackEnd { bytes, pack_len })),
        }
    }

    fn finish(&self, layout: PackLayout, front: Vec<u8>, end: Option<PackEnd>) -> Result<()> {
        let front = AssetBytes::new(Backing::Owned(front.into()));
        let parts = Parts::new(Arc::clone(&self.source), layout, front.clone(), self.options.kept_parts());
        let pack = Pack::of(Content::Parts { front, parts, end }, Some(self.name()), &self.options)?;
        self.end(Ok(pack));
        Ok(())
    }

    /// Whether something that is damaged is read again.
    fn may_try_again(&self) -> bool {
        let mut state = lock(&self.state);
        state.tries += 1;
        state.tries <= RETRIES
    }
}

impl Asker for Opening {
    fn progressed(&self, _: u64, collected: &Collected) -> bool {
        lock(&self.state).received = collected.bytes.len() as u64;
        true
    }

    fn answered(self: Arc<Self>, _: u64, answer: io::Result<Collected>) {
        let collected = match answer {
            Ok(collected) => collected,
            Err(error) => return self.end(Err(Error::io(self.name(), error))),
        };
        if collected.is_whole {
            let pack = Pack::new(Backing::Owned(collected.bytes.into()), Some(self.name()), &self.options);
            return self.end(pack);
        }
        let front = lock(&self.state).front.take();
        let taken = match front {
            None => Arc::clone(&self).take_front(collected),
            Some(front) => Arc::clone(&self).take_end(front, collected),
        };
        match taken {
            Ok(()) => {}
            // From the start: the front may be the reason why the end does not fit.
            Err(error) if is_damage(&error) && self.may_try_again() => self.read(0..FIRST),
            Err(error) => self.end(Err(error.with_file(Some(&self.name())))),
        }
    }
}

/// Whether other bytes have arrived than those of the pack, so that reading them again may help.
fn is_damage(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::Format(error) => error.is_damage(),
        #[cfg(feature = "signed")]
        ErrorKind::Signature(error) => {
            use rres_format::signature::SignatureError::{Changed, Forged, Malformed};
            matches!(error, Changed { .. } | Forged { .. } | Malformed(_))
        }
        _ => false,
    }
}

/// Returns how many bytes a pack has up to the end of its front index. `bytes` are the first bytes of the pack; 48 are enough.
///
/// The front index has the checksums of all assets, so it differs between two versions of a pack. A [`ByteSource`] that keeps what it has read can
/// compare this part to find out if the pack is still the same.
///
/// ```
/// /// Returns the part of a pack that differs between its versions.
/// fn version(first_bytes: &[u8]) -> Option<&[u8]> {
///     let len = rres_runtime::front_len(first_bytes).ok()?;
///     first_bytes.get(..usize::try_from(len).ok()?)
/// }
/// assert_eq!(version(b"not a pack"), None);
/// ```
///
/// # Errors
/// The bytes are not those of a pack, or of one without a front index, which is not read in parts.
pub fn front_len(bytes: &[u8]) -> Result<u64> {
    const BLOCK: usize = Header::SIZE + ChunkInfo::SIZE;
    Header::parse(bytes)?;
    let header = bytes.get(Header::SIZE..BLOCK).and_then(|header| header.try_into().ok());
    match header.map(ChunkInfo::from_bytes) {
        Some(info) if info.kind == FourCc::INDX && info.is_plain() => Ok(BLOCK as u64 + u64::from(info.packed_size)),
        _ => Err(Error::new(ErrorKind::NotInParts("a pack of another program, which has no front index,"))),
    }
}
