//! The kinds of files that are damaged, how a program opens each, and what it must see.

use std::fs;
use std::ops::Range;

use rres_engine::fuzz::{Taken, take_blob};
use rres_format::seal::{Keys, Secret};
use rres_format::signature::{PublicKey, SecretKey};
use rres_format::{ChunkInfo, FourCc, Header, Limits, PackView};
use rres_runtime::{AnyId, AssetKind, PackOptions, ResourceId, SignaturePolicy, Store};

use crate::look;
use crate::sources::{Directory, patch, repository, signed};
use crate::tally::Outcome;

const PASSWORD: &str = "password12345";

/// A file to damage.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// The file header, the chunk headers, and the index.
    pub(crate) heads: Vec<Range<usize>>,
    /// How many mutations it gets, in relation to the others.
    pub(crate) weight: u64,
    /// Whether the C library has written it: its chunk headers have no checksum.
    pub(crate) is_of_c: bool,
    opened_as: OpenedAs,
    options: PackOptions,
    right: Right,
}

enum OpenedAs {
    Pack,
    /// Mounted over this pack.
    Overlay(Vec<u8>),
    Blob,
}

/// What a program must see.
#[derive(Default)]
struct Right {
    /// Each asset, and what it is; `None` if it must not load.
    assets: Vec<(AnyId, Option<u64>)>,
    list: Vec<(String, ResourceId, Option<AssetKind>)>,
}

impl Case {
    fn new(name: &'static str, weight: u64, bytes: Vec<u8>) -> Self {
        let heads = heads(&bytes);
        let (opened_as, options, right) = (OpenedAs::Pack, PackOptions::default(), Right::default());
        Self { name, bytes, heads, weight, is_of_c: false, opened_as, options, right }
    }

    fn with_options(mut self, options: PackOptions) -> Self {
        self.options = options;
        self
    }

    /// Looks at the file before it is damaged.
    fn looked_at(mut self) -> Self {
        if let OpenedAs::Blob = self.opened_as {
            assert!(take_blob(&self.bytes, &self.bytes) == Taken::Same, "{}", self.name);
            return self;
        }
        let store = self.open(self.bytes.clone()).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mut ids: Vec<AnyId> = store.mounts().entries().map(|entry| entry.id).collect();
        // Assets that only the pack below has must not come back.
        if let OpenedAs::Overlay(base) = &self.opened_as {
            let base = Store::from_packs([PackOptions::default().from_bytes(base.clone()).unwrap()]);
            ids.extend(
                base.mounts()
                    .entries()
                    .map(|entry| entry.id)
                    .filter(|id| !ids.iter().any(|own| own.resource() == id.resource()))
                    .collect::<Vec<_>>(),
            );
        }
        let assets: Vec<_> = ids.iter().map(|id| (*id, look::load(&store, *id).ok())).collect();
        let loaded = assets.iter().filter(|(_, right)| right.is_some()).count();
        assert!(loaded > 0 && loaded == store.mounts().entries().count(), "{}: {loaded} assets load", self.name);
        self.right = Right { assets, list: look::list(&store) };
        self
    }

    fn open(&self, bytes: Vec<u8>) -> Result<Store, rres_runtime::Error> {
        let pack = self.options.from_bytes(bytes)?;
        match &self.opened_as {
            OpenedAs::Overlay(base) => {
                let store = Store::from_packs([PackOptions::default().from_bytes(base.clone())?]);
                store.mount(pack)?;
                Ok(store)
            }
            OpenedAs::Pack | OpenedAs::Blob => Ok(Store::from_packs([pack])),
        }
    }

    /// What comes of other bytes in the place of the file.
    pub(crate) fn outcome(&self, bytes: Vec<u8>) -> Outcome {
        if let OpenedAs::Blob = self.opened_as {
            return match take_blob(&self.bytes, &bytes) {
                Taken::Refused => Outcome::Refused,
                Taken::Same => Outcome::Equal,
                Taken::Other => Outcome::Silent("the blob".to_owned()),
            };
        }
        let Ok(store) = self.open(bytes) else { return Outcome::Refused };
        let mut failed = false;
        for (id, right) in &self.right.assets {
            match look::load(&store, *id) {
                Ok(found) if Some(found) == *right => {}
                Ok(_) => return Outcome::Silent(format!("{id:?}")),
                Err(_) => failed |= right.is_some(),
            }
        }
        match failed {
            true => Outcome::AssetError,
            false if look::list(&store) == self.right.list => Outcome::Equal,
            false if store.mounts().warnings().next().is_some() => Outcome::Warned,
            false => Outcome::Unlisted,
        }
    }
}

/// The places of the file header, of the chunk headers, and of the chunks that have no asset.
fn heads(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut heads: Vec<_> = std::iter::once(0..Header::SIZE).collect();
    for chunk in PackView::parse(bytes).unwrap().chunks().map_while(|chunk| chunk.ok()) {
        let start = chunk.offset as usize;
        let is_described = !chunk.is_resource() || chunk.info.kind == FourCc(*b"DESC");
        heads.push(start..if is_described { chunk.end() as usize } else { start + ChunkInfo::SIZE });
    }
    heads
}

fn password() -> Secret {
    Secret::password(PASSWORD).unwrap()
}

fn raw_key() -> Secret {
    Secret::raw_key([7; 32])
}

/// Every kind of file, looked at.
pub(crate) fn all() -> Vec<Case> {
    let dir = Directory::new();
    let mut cases = vec![
        Case::new("pack, `profile = \"size\"`", 5, dir.pack("profile = \"size\"", None)),
        Case::new("pack, `profile = \"balanced\"`", 6, dir.pack("profile = \"balanced\"", None)),
        Case::new("pack, `profile = \"speed\"`", 5, dir.pack("profile = \"speed\"", None)),
        Case::new("pack, deflate", 3, dir.pack("compression = \"deflate\"", None)),
        Case::new("pack, uncompressed", 3, dir.pack("compression = \"none\"", None)),
        Case::new("pack for C, LZ4", 3, dir.pack("compat = \"raylib\"\ncompression = \"lz4\"", None)),
    ];
    let sealed = dir.pack("cipher = \"xchacha20-poly1305\"", Some(raw_key));
    let keys = PackOptions::default().keys(Keys::new(raw_key()));
    cases.push(Case::new("pack, XChaCha20-Poly1305", 4, sealed).with_options(keys));
    // Each damaged salt costs a derivation.
    let sealed = dir.pack("cipher = \"aes\"", Some(password));
    let mut limits = Limits::DEFAULT;
    limits.max_key_derivations = u32::MAX;
    let keys = PackOptions::default().keys(Keys::new(password())).limits(limits);
    cases.push(Case::new("pack, AES", 1, sealed).with_options(keys));
    let old = dir.pack("", None);
    let key = SecretKey::from_seed([7; 32]).unwrap();
    let trusted: &'static [PublicKey] = vec![key.public_key()].leak();
    let require = PackOptions::default().signature(SignaturePolicy::Require(trusted));
    cases.push(Case::new("signed pack, `Require`", 5, signed(&old, &key)).with_options(require));
    let patch = Case::new("patch", 6, patch(&old, &dir.next_version("")));
    cases.push(Case { opened_as: OpenedAs::Overlay(old.clone()), ..patch });
    let addition = Case::new("mod", 4, dir.next_version(""));
    cases.push(Case { opened_as: OpenedAs::Overlay(old), ..addition });
    let blobs = dir.blobs();
    for (name, place) in [("blob, small", blobs.len() / 4), ("blob, large", blobs.len() - 1)] {
        cases.push(Case { opened_as: OpenedAs::Blob, ..Case::new(name, 2, blobs[place].clone()) });
    }
    for (name, file) in [("pack of C", "01_plain_all_types_cdir"), ("pack of C, deflate", "03_deflate_cdir")] {
        let bytes = fs::read(repository().join(format!("rres-format/tests/c-packs/{file}.rres"))).unwrap();
        cases.push(Case { is_of_c: true, ..Case::new(name, 3, bytes) });
    }
    cases.into_iter().map(Case::looked_at).collect()
}
