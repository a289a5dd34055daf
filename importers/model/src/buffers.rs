//! Buffers and views of a document → checked ranges of bytes.
//!
//! A buffer is read only when something that is kept is in it. Files beside the source are read through the import
//! context.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use gltf::json::validation::USize64;
use gltf::json::{Root, Value};
use rres_import::{ImportError, Source};

use super::document::{item, unreadable};
use super::json;
use super::meshopt::{self, Compressed};
use super::uri::{self, Uri};

const MESHOPT: &str = "EXT_meshopt_compression";

/// The buffers of a document, read on demand.
pub(super) struct Buffers<'d, 'b, 's> {
    root: &'d Root,
    binary: Option<&'b [u8]>,
    source: &'d mut Source<'s>,
    read: Vec<Option<Arc<[u8]>>>,
    /// The elements of compressed views.
    decoded: HashMap<usize, Arc<[u8]>>,
}

/// A range of a buffer, known to be within it.
pub(super) struct View {
    buffer: Arc<[u8]>,
    range: Range<usize>,
    /// Bytes from one element to the next; `None` if they are adjacent.
    pub(super) stride: Option<usize>,
}

impl View {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.range.clone()]
    }
}

impl<'d, 'b, 's> Buffers<'d, 'b, 's> {
    pub(super) fn new(root: &'d Root, binary: Option<&'b [u8]>, source: &'d mut Source<'s>) -> Self {
        Self { root, binary, source, read: vec![None; root.buffers.len()], decoded: HashMap::new() }
    }

    /// The source that contains the document.
    pub(super) fn source(&mut self) -> &mut Source<'s> {
        self.source
    }

    /// View `index`, checked against its buffer.
    pub(super) fn view(&mut self, index: usize) -> Result<View, ImportError> {
        let view = item(&self.root.buffer_views, "buffer view", index)?;
        if let Some(compressed) = view.extensions.as_ref().and_then(|all| all.others.get(MESHOPT)) {
            return self.compressed(index, compressed).map_err(|error| error.within(&format!("buffer view {index}")));
        }
        let compression = |name: &&str| view.extensions.as_ref().is_some_and(|all| all.others.contains_key(*name));
        let compression = ["KHR_meshopt_compression"].into_iter().find(compression);
        let buffer = match (self.buffer(view.buffer.value()), compression) {
            // The fallback buffer of uncompressed bytes, for readers without the extension, may be a dummy.
            (Err(_), Some(name)) => return Err(unreadable(name)),
            (buffer, _) => buffer?,
        };
        let start = size(view.byte_offset.unwrap_or_default());
        let end = start.checked_add(size(view.byte_length)).filter(|end| *end <= buffer.len()).ok_or_else(|| {
            let (len, number) = (view.byte_length.0, view.buffer.value());
            let error =
                format!("buffer view {index} is {len} bytes at {start} of buffer {number}, which has {}", buffer.len());
            ImportError::new(error).with_damage_help("export it again")
        })?;
        Ok(View { buffer, range: start..end, stride: view.byte_stride.map(|stride| stride.0) })
    }

    /// The elements of a compressed view. Each is decoded once.
    fn compressed(&mut self, index: usize, compressed: &Value) -> Result<View, ImportError> {
        let number = |key: &str| Ok::<_, ImportError>(json::index(compressed, key)?.unwrap_or_default());
        let (stride, count) = (number("byteStride")?, number("count")?);
        let buffer = match self.decoded.get(&index) {
            Some(decoded) => decoded.clone(),
            None => {
                let source = self.buffer(number("buffer")?)?;
                let (start, len) = (number("byteOffset")?, number("byteLength")?);
                let end = start.checked_add(len).filter(|end| *end <= source.len()).ok_or_else(|| {
                    let found = format!("has {len} compressed bytes from {start} on, of {}", source.len());
                    ImportError::new(found).with_damage_help("export it again")
                })?;
                let (mode, filter) = (json::text(compressed, "mode"), json::text(compressed, "filter"));
                let total: usize = self.decoded.values().map(|decoded| decoded.len()).sum();
                if count.saturating_mul(stride).saturating_add(total) > meshopt::MAX_SIZE {
                    let error = ImportError::new("takes the model beyond 1 GiB of compressed views");
                    return Err(error.with_help("split the model"));
                }
                let view = Compressed { mode, filter, count, stride };
                let decoded: Arc<[u8]> = meshopt::decode(view, &source[start..end])?.into();
                self.decoded.insert(index, decoded.clone());
                decoded
            }
        };
        let range = 0..buffer.len();
        Ok(View { buffer, range, stride: Some(stride) })
    }

    fn buffer(&mut self, index: usize) -> Result<Arc<[u8]>, ImportError> {
        let buffer = item(&self.root.buffers, "buffer", index)?;
        if let Some(Some(bytes)) = self.read.get(index) {
            return Ok(bytes.clone());
        }
        let what = format!("buffer {index}");
        let bytes: Arc<[u8]> = match (&buffer.uri, self.binary) {
            (Some(uri), _) => match uri::read(uri, &what)? {
                Uri::Data(bytes) => bytes.into(),
                Uri::File(path) => self.source.read_input(&path)?,
            },
            (None, Some(binary)) if index == 0 => binary.into(),
            (None, _) => {
                return Err(ImportError::new(format!("{what} has no bytes")).with_damage_help("export it again"));
            }
        };
        let len = size(buffer.byte_length);
        if bytes.len() < len {
            let found = bytes.len();
            let error = ImportError::new(format!("{what} is {found} bytes, expected {len}"));
            return Err(error.with_help("it is cut off, or belongs to another version of the model: export both again"));
        }
        self.read[index] = Some(bytes.clone());
        Ok(bytes)
    }
}

/// A size in the document as `usize`. A size beyond the address space is beyond every buffer too.
pub(super) fn size(value: USize64) -> usize {
    usize::try_from(value.0).unwrap_or(usize::MAX)
}
