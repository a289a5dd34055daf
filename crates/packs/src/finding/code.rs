//! The codes of findings.

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Some reader of the pack fails, or reads something else than the writer stored. The exit code is 1.
    Error,
    /// Something was not checked, or only limits who can read the pack. The exit code does not change.
    Note,
}

impl Severity {
    /// The name in output: `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Note => "note",
        }
    }
}

/// Declares the codes from a table: each with its name, its severity and its meaning.
macro_rules! codes {
    ($( $code:ident = $name:literal, $severity:ident, $meaning:literal; )*) => {
        /// The kind of a finding. Scripts rely on its name, which never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $( #[doc = $meaning] $code, )*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$( Self::$code ),*];

            /// The name in output: `crc-mismatch`.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$code => $name, )*
                }
            }

            /// How serious findings with this code are.
            pub const fn severity(self) -> Severity {
                match self {
                    $( Self::$code => Severity::$severity, )*
                }
            }

            /// What the code means, as `docs/command.md` explains it.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $( Self::$code => $meaning, )*
                }
            }
        }
    };
}

codes! {
    PackMissing = "pack-missing", Error,
        "An additional pack of the set cannot be opened.";
    SetMismatch = "set-mismatch", Error,
        "An additional pack comes from another build than the first pack.";
    PackUnloadable = "pack-unloadable", Error,
        "`rres-runtime` cannot open the pack, for a reason that no other finding names.";
    FileTruncated = "file-truncated", Error,
        "The file is cut off. The finding says how much is missing; what was lost with it has no findings of its own.";
    ChunkTruncated = "chunk-truncated", Error,
        "The file ends inside a chunk, so the chunks after it cannot be found.";
    ChunkCount = "chunk-count", Error,
        "The file header counts more chunks than the file contains.";
    TrailingBytes = "trailing-bytes", Error,
        "The bytes after the last chunk belong to no chunk.";
    CrcMismatch = "crc-mismatch", Error,
        "The stored bytes of a chunk do not match their CRC-32.";
    DecodeFailed = "decode-failed", Error,
        "A chunk cannot be decompressed, or its compression is not supported.";
    PayloadInvalid = "payload-invalid", Error,
        "A chunk was decompressed, but does not contain what its kind requires.";
    Encrypted = "encrypted", Note,
        "Chunks are encrypted, and there is no key, so only their CRC-32 was checked.";
    Delta = "delta", Note,
        "Chunks are stored as differences from chunks of another pack, as in patches, so only their CRC-32 was checked.";
    CipherWrong = "cipher-wrong", Error,
        "A chunk of a pack with a front index claims to be encrypted, and its bytes are not.";
    ChunkKindUnexpected = "chunk-kind-unexpected", Error,
        "A resource of the front index has a chunk of a kind that its asset kind does not have.";
    GameData = "game-data", Note,
        "Chunks are data of types of the game, so their contents were not checked.";
    ChunkKindUnknown = "chunk-kind-unknown", Note,
        "A chunk is of a kind that rres v1.0 does not define, so its contents were not checked.";
    LinkUnterminated = "link-unterminated", Note,
        "The path in a LINK chunk does not end with a NUL, so `rres.h` reads past its end.";
    ChainBroken = "chain-broken", Error,
        "A chunk links to an offset where no chunk starts.";
    ChainLoop = "chain-loop", Error,
        "Chunks link to each other in a loop.";
    DirectoryDamaged = "directory-damaged", Error,
        "The central directory cannot be read.";
    DirectoryDuplicateName = "directory-duplicate-name", Error,
        "The central directory contains a name twice.";
    DirectoryWrongOffset = "directory-wrong-offset", Error,
        "An entry of the central directory refers to an offset where its resource does not start.";
    DirectoryNameInvalid = "directory-name-invalid", Note,
        "A name in the central directory is not a valid asset path, so `extract` refuses to write a file for it.";
    IndexDamaged = "index-damaged", Error,
        "The front index cannot be read.";
    IndexEntryInvalid = "index-entry-invalid", Error,
        "An entry of the front index, its metadata or its dependencies cannot be read.";
    IndexCrcMismatch = "index-crc-mismatch", Error,
        "An entry of the front index, or a chunk header that it leads to, does not match the CRC-32 in the entry.";
    IndexLookupFailed = "index-lookup-failed", Error,
        "An entry of the front index cannot be found by its id or by its path.";
    IndexChunksMissing = "index-chunks-missing", Error,
        "The chunks of an entry of the front index are not at its offset.";
    IndexSizeWrong = "index-size-wrong", Error,
        "The chunks of an entry of the front index, stored or decoded, are not as long as the entry claims.";
    IndexIncomplete = "index-incomplete", Error,
        "A chunk of a resource belongs to no entry of the front index.";
    IndexDirectoryDiffer = "index-directory-differ", Error,
        "A resource is in the front index or in the central directory, but not in both.";
    GroupInvalid = "group-invalid", Error,
        "A group of the front index cannot be read, or has members that do not exist.";
    AssetKindUnknown = "asset-kind-unknown", Note,
        "A resource is of an asset kind that this version does not know.";
    DevIndex = "dev-index", Note,
        "The file is the dev index of a debug build. The blobs that it refers to were not checked.";
    IdReserved = "id-reserved", Error,
        "A resource has the id 0, which means \"not found\".";
    IdDuplicate = "id-duplicate", Error,
        "Two resources have the same id, so readers find only the first.";
    ChunkUnlinked = "chunk-unlinked", Note,
        "A chunk continues the resource before it without a link, so only readers of a front index find it.";
    AssetInconsistent = "asset-inconsistent", Error,
        "The chunks of a font or a model are readable, but do not form an asset.";
    SourceDamaged = "source-damaged", Error,
        "A picture, sound or font file that the pack keeps is damaged inside, or is not what the front index records.";
    SignatureWrong = "signature-wrong", Error,
        "The pack was changed after it was signed, or is not signed with a key that `--key` names.";
    SignatureUnchecked = "signature-unchecked", Note,
        "The pack is signed and unchanged, and no `--key` says which key it should be signed with.";
    RaylibUnreadable = "raylib-unreadable", Error,
        "With `--compat raylib`: `rres.h` or `rres-raylib.h` would not load something, or not all of it. `reason` says why.";
    ForeignDamaged = "foreign-damaged", Error,
        "A part of a file of another engine is damaged. The other parts are read all the same.";
    ForeignNote = "foreign-note", Note,
        "Something in a file of another engine is uncertain, or is left out by builds.";
    SourceUnchecked = "source-unchecked", Note,
        "The pack keeps files of a kind that this command does not decode, so only their CRC-32 was checked.";
}
