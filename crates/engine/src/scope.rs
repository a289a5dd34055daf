//! What every step after the plan knows: the context of the build, and its rules, which know the files for the target.

use std::path::PathBuf;

use rres_format::FourCc;
use rres_import::{ImageEncoder, ImportError};
use rres_protocol::files::local_path;
use rres_protocol::sub_asset;

use crate::context::BuildContext;
use crate::diagnostic::Diagnostic;
use crate::settings::Rules;

/// The context and the rules of a build.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    pub(crate) context: &'s BuildContext,
    /// The rules of the plan.
    pub(crate) rules: &'s Rules,
}

impl Scope<'_> {
    /// What encodes images.
    ///
    /// # Errors
    /// [`ImportError`] if the program is compiled without.
    pub(crate) fn images(self) -> Result<&'static dyn ImageEncoder, ImportError> {
        self.context.own_dir.importers.rres.encoders.images()
    }

    /// The path of the game's type that chunks of kind `chunk` hold, if an importer of the build script says so.
    pub(crate) fn rust_type(self, path: &str, chunk: FourCc) -> Option<String> {
        let own = &self.context.dir_of(path).importers.script;
        own.iter().find_map(|own| own.description.rust_type(chunk)).map(str::to_owned)
    }

    /// The source file of an asset, or of a sub-asset.
    pub(crate) fn source_file(self, path: &str) -> PathBuf {
        let path = sub_asset::file(path);
        let path = self.rules.target_file(path).unwrap_or(path);
        self.context.dir_of(path).file(path).unwrap_or_else(|| self.context.assets.join(local_path(path)))
    }

    /// A fault of the source file of an asset, which cannot be used.
    pub(crate) fn fault(self, path: &str, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        Diagnostic::file(self.source_file(path), message).with_help(help.into()).with_asset(path)
    }
}
