//! The messages of errors. A player may read them as well as a developer, so advice is for both.

use std::fmt;
use std::path::Path;

use rres_format::AssetKind;

use super::{AssetRef, Error, ErrorKind, Inner, SearchedPlace};

impl ErrorKind {
    /// Returns whether the stored form of the asset is at fault. Messages then contain the id, too, because tools that
    /// inspect packs name resources by id.
    fn is_about_a_pack(&self) -> bool {
        use ErrorKind::{Format, Io, MissingBlob, MissingChunk, MissingDependency, Source, UnknownKind, WrongKind};
        matches!(
            self,
            Format(_)
                | Source(_)
                | Io(_)
                | MissingBlob
                | MissingChunk(_)
                | MissingDependency(_)
                | UnknownKind
                | WrongKind { .. }
        )
    }

    /// Returns whether the message of the kind names the asset by itself.
    fn names_asset(&self) -> bool {
        matches!(
            self,
            Self::NotFound { .. } | Self::NoSuchPath { .. } | Self::Stripped { .. } | Self::OverlayConflict { .. }
        )
    }

    /// Returns whether the message of the kind names the file by itself.
    fn names_file(&self) -> bool {
        matches!(self, Self::NotFound { .. } | Self::NotEmbedded { .. } | Self::Io(_))
    }
}

/// What to do about a damaged file.
const INSTALL_AGAIN: &str =
    "; the file is damaged or incomplete: install it again, or, if you build the program, run `cargo build` again";

/// Describes which packs an executable contains, if another one was expected.
pub(super) fn embedded(f: &mut fmt::Formatter<'_>, packs: &[String]) -> fmt::Result {
    match packs {
        [] => {
            f.write_str("contains no pack (strip, objcopy and UPX remove packs that were appended: embed after them)")
        }
        packs => write!(f, "contains only {}", packs.join(", ")),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, asset, file, variable } = &*self.0;
        match asset {
            Some(asset) if !kind.names_asset() => {
                write!(f, "asset {asset}")?;
                if kind.is_about_a_pack() && !asset.path.is_empty() {
                    write!(f, " ({})", asset.id)?;
                }
                f.write_str(": ")?;
            }
            _ => {}
        }
        let named = |f: &mut fmt::Formatter<'_>, file: &Path| match variable {
            Some(variable) => write!(f, "{}, which the variable {variable} names", file.display()),
            None => write!(f, "{}", file.display()),
        };
        let known_path = asset.as_ref().map(AssetRef::path).filter(|path| !path.is_empty());
        match kind {
            ErrorKind::NoAssets { pack, searched } => {
                write!(f, "no assets found for pack \"{pack}\"; searched, in this order:")?;
                searched.iter().try_for_each(|place| write!(f, "\n  {place}"))?;
                match searched.iter().any(|place| matches!(place, SearchedPlace::DevIndex(_))) {
                    true => write!(f, "\nrun `cargo build`, which imports the assets again, or name {pack}.rres in the variable RRES_PATH")?,
                    false => write!(f, "\nput {pack}.rres beside the executable, or name it in the variable RRES_PATH")?,
                }
            }
            ErrorKind::NotEmbedded { pack, embedded: packs } => {
                write!(f, "no pack {pack} in the executable")?;
                file.iter().try_for_each(|file| write!(f, " {}", file.display()))?;
                f.write_str(": ")?;
                embedded(f, packs)?;
            }
            ErrorKind::BuildMismatch => f.write_str(
                "the assets and the program come from different builds, or the pack belongs to another program; if you \
                 build the program, run `cargo build` again (in lock mode, `cargo rres sync` first), and if not, install both again \
                 from one download",
            )?,
            ErrorKind::IncompleteSet { expected, found } => {
                write!(f, "the assets are in a set of packs: expected {expected} of them, found {found}")?;
            }
            ErrorKind::NotFound { id, elsewhere } => {
                write!(f, "no asset with the id {id}")?;
                known_path.map_or(Ok(()), |path| write!(f, " (\"{path}\")"))?;
                file.iter().try_for_each(|file| write!(f, " in {}", file.display()))?;
                match elsewhere {
                    Some(other) => write!(f, "; it belongs to {other}, which another store of this program has open")?,
                    None if known_path.is_some() => {}
                    None => f.write_str("; its file was removed, or it is a constant of another pack")?,
                }
            }
            ErrorKind::NoSuchPath { path, nearest } => {
                write!(f, "no asset at \"{path}\"")?;
                nearest.iter().try_for_each(|nearest| write!(f, "; did you mean \"{nearest}\"?"))?;
            }
            ErrorKind::Stripped { path } => write!(
                f,
                "no asset at \"{path}\": the pack was shipped without the assets that the program does not name; if this one is loaded by its \
                 name, ship the game with --keep \"{path}\" beside --strip-unused"
            )?,
            ErrorKind::NoSuchFolder { folder, nearest } => {
                write!(f, "no asset is in the folder \"{folder}\"")?;
                nearest.iter().try_for_each(|nearest| write!(f, "; did you mean \"{nearest}\"?"))?;
            }
            ErrorKind::NoSuchGroup { name, nearest } => {
                write!(f, "no group is called \"{name}\"")?;
                nearest.iter().try_for_each(|nearest| write!(f, "; did you mean \"{nearest}\"?"))?;
            }
            ErrorKind::WrongKind { expected, found: Some(found) } => {
                write!(f, "expected kind {expected}, found {found}")?;
            }
            ErrorKind::WrongKind { expected, found: None } => {
                write!(f, "expected kind {expected}, found one that this version does not know")?;
            }
            ErrorKind::UnknownKind => f.write_str("this version does not know the kind of the asset")?,
            ErrorKind::WrongChunk { expected, found } => {
                write!(f, "expected a chunk of kind {expected}, found {found}: it is an asset of another type")?;
            }
            ErrorKind::UnregisteredType(Some(kind)) => {
                write!(f, "the store does not know the type of custom assets of kind {kind}; call `Store::register` first")?;
            }
            ErrorKind::UnregisteredType(None) => f.write_str("the pack does not say which type the custom asset has")?,
            ErrorKind::MissingChunk(kind) => write!(f, "has no chunk of kind {kind}")?,
            ErrorKind::MissingDependency(id) => write!(f, "depends on asset {id}, which does not exist")?,
            ErrorKind::DependencyCycle => f.write_str("depends on itself, directly or through others")?,
            ErrorKind::MissingBlob => {
                f.write_str("its imported form is no longer in the import cache; run `cargo build` again")?;
            }
            ErrorKind::BadLink { target, reason } => write!(f, "link to \"{target}\" {reason}")?,
            ErrorKind::Format(error) => write!(f, "{error}")?,
            ErrorKind::Source(error) => write!(f, "its source, which the pack keeps, {error}")?,
            #[cfg(feature = "signed")]
            ErrorKind::Signature(error) => write!(f, "refused by its signature: {error}")?,
            ErrorKind::Io(error) => {
                if let Some(file) = file {
                    f.write_str("cannot read ")?;
                    named(f, file)?;
                    f.write_str(": ")?;
                }
                write!(f, "{error}")?;
            }
            ErrorKind::Stale => f.write_str("was freed because nothing holds it any more")?,
            ErrorKind::NotReady => f.write_str("is not loaded yet")?,
            ErrorKind::NotHere => f.write_str("is not here yet; load it with its group or with `load_async`, and await it or ask again")?,
            ErrorKind::NotInParts(what) => {
                write!(f, "{what} cannot be read in parts; read all of its bytes, and open them with `PackOptions::from_bytes`")?;
            }
            ErrorKind::NotInserted => f.write_str("was reserved, and has no value yet")?,
            ErrorKind::AlreadyExists { existing } => match known_path {
                Some(path) if path != existing => write!(f, "has the id of \"{existing}\", which already exists")?,
                _ => f.write_str("already exists")?,
            },
            ErrorKind::Cancelled => f.write_str("loading was cancelled")?,
            ErrorKind::GroupTaken => f.write_str("the group was handed out already")?,
            ErrorKind::OverlayConflict { kind, existing, existing_kind } => {
                let name = |kind: &Option<AssetKind>| kind.map_or("unknown kind", AssetKind::name);
                write!(
                    f,
                    "\"{}\" ({}) would replace \"{existing}\" ({}); an overlay replaces an asset only with one of the \
                     same path and kind",
                    known_path.unwrap_or_default(),
                    name(kind),
                    name(existing_kind)
                )?;
            }
            ErrorKind::PatchMismatch { below } => {
                f.write_str("the patch was made for another version than ")?;
                match below {
                    Some(below) => write!(f, "{}", below.display())?,
                    None => f.write_str("the mounted pack")?,
                }
                f.write_str("; install the version that it belongs to, or remove the patch")?;
            }
            ErrorKind::NotAPatch => f.write_str(
                "it has the name of a patch, which `cargo rres patch` writes, but the file is a pack without the description of one; install it again, or give it another name",
            )?,
            ErrorKind::MountWhileLoading => {
                f.write_str("packs cannot be mounted, nor languages set, within `from_asset`, which runs again whenever they are")?;
            }
            ErrorKind::BadDensity(density) => write!(f, "a display cannot have the density {density}, expected one above 0")?,
            ErrorKind::BadLocale { locale, reason } => {
                write!(f, "\"{locale}\" is not the tag of a language: {reason}; expected one such as \"en\" or \"fr-CA\"")?;
            }
            ErrorKind::Conversion(error) => write!(f, "{error}")?,
            ErrorKind::Panicked(message) => write!(f, "`from_asset` panicked: {message}")?,
        }
        if matches!(kind, ErrorKind::Format(rres_format::Error::NeedsKey(_))) {
            f.write_str("; a game does so with `assets::open_with(PackOptions::default().keys(…))`")?;
        }
        if let Some(file) = file.as_deref().filter(|_| !kind.names_file()) {
            f.write_str(" (in ")?;
            named(f, file)?;
            f.write_str(")")?;
            if matches!(kind, ErrorKind::Format(error) if error.is_damage()) {
                f.write_str(INSTALL_AGAIN)?;
            }
            #[cfg(feature = "signed")]
            if let ErrorKind::Signature(error) = kind {
                use rres_format::signature::SignatureError::{Missing, UnknownKey};
                f.write_str(match error {
                    Missing | UnknownKey { .. } => {
                        "; take the pack from where the program or the mod comes from, or, if you make it, sign it with \
                         `cargo rres sign`"
                    }
                    _ => INSTALL_AGAIN,
                })?;
            }
        }
        Ok(())
    }
}
