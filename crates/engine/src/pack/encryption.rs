//! Which resources of a pack are encrypted, and with what.
//!
//! Only packs are encrypted: blobs of the import cache and loose files of debug builds are not. So nothing here affects the
//! keys of blobs, and a debug build needs no key.

use std::collections::HashMap;

#[cfg(feature = "seal")]
use rres_compat::Reason;
use rres_format::{Cipher, ResourceId};
#[cfg(feature = "seal")]
use rres_format::{
    StoredChunk,
    seal::{Keys, Salt, Sealer, Secret},
};

use crate::context::BuildContext;
use crate::diagnostic::{Diagnostic, Place};
use crate::key::KeyBuilder;
use crate::model::Resolved;
#[cfg(feature = "seal")]
use crate::settings::Compat;
use crate::settings::Rules;

/// Largest size of a file with a key, in bytes.
#[cfg(feature = "seal")]
const MAX_KEY_FILE: u64 = 64 << 10;

/// The ciphers of the resources of a build; those that are not encrypted are left out.
#[derive(Debug, Default)]
pub(crate) struct Ciphers(HashMap<ResourceId, Cipher>);

impl Ciphers {
    /// The ciphers that the rules choose. The pages of an atlas are encrypted if any picture in them is.
    pub(crate) fn new(rules: &Rules, resolved: &Resolved) -> Self {
        let mut ciphers = HashMap::new();
        if !rules.have_ciphers() {
            return Self(ciphers);
        }
        for resource in &resolved.resources {
            let cipher = rules.resolve(&resolved.asset(resource).path).asset.cipher.unwrap_or(rules.pack().cipher);
            if cipher == Cipher::NONE {
                continue;
            }
            ciphers.insert(resource.id, cipher);
            if resource.kind == rres_format::AssetKind::Sprite {
                resource.dependencies.iter().for_each(|page| _ = ciphers.entry(*page).or_insert(cipher));
            }
        }
        Self(ciphers)
    }

    /// The cipher of a resource.
    pub(crate) fn of(&self, id: ResourceId) -> Cipher {
        self.0.get(&id).copied().unwrap_or(Cipher::NONE)
    }

    /// Paths of resources that are encrypted, in order.
    pub(crate) fn paths<'r>(&self, resolved: &'r Resolved) -> impl Iterator<Item = &'r str> {
        let encrypted = resolved.resources.iter().filter(|resource| self.of(resource.id) != Cipher::NONE);
        encrypted.map(|resource| resource.path.as_str())
    }
}

/// Encrypts the resources of a build.
#[derive(Debug, Default)]
pub(crate) struct Encryption {
    ciphers: Ciphers,
    #[cfg(feature = "seal")]
    sealers: Vec<Sealer>,
}

impl Encryption {
    /// Gets the key, if any resource must be encrypted.
    pub(crate) fn new(
        context: &BuildContext,
        rules: &Rules,
        resolved: &Resolved,
        pack_name: &str,
    ) -> Result<Self, Diagnostic> {
        let ciphers = Ciphers::new(rules, resolved);
        let Some(example) = ciphers.paths(resolved).next() else { return Ok(Self::default()) };
        #[cfg(feature = "seal")]
        {
            let keys = keys(context, rules, example)?;
            if rules.pack().compat == Some(Compat::Raylib) && !keys.secret().is_password() {
                let reason = Reason::RawKey;
                let message = format!(
                    "settings encrypt assets (such as {example}) with a key of 32 bytes, and `compat` = \"raylib\" is set: {}",
                    reason.effect()
                );
                return Err(fault(message).with_help(format!("{}, or remove `compat`", reason.help())));
            }
            let package = context.cargo.package_name.as_deref().unwrap_or_default();
            let salt = Salt::from_name(&format!("{package}/{pack_name}"));
            let mut used: Vec<Cipher> = ciphers.0.values().copied().collect();
            used.sort_unstable();
            used.dedup();
            let sealers = used.into_iter().map(|cipher| Sealer::new(keys.clone(), cipher, salt));
            let sealers = sealers.collect::<Result<_, _>>().map_err(|error| fault(error.to_string()))?;
            Ok(Self { ciphers, sealers })
        }
        #[cfg(not(feature = "seal"))]
        {
            let _ = (context, pack_name);
            let message = format!(
                "settings encrypt assets (such as {example}), and rres-build was compiled without the feature \"seal\""
            );
            let help = "run `cargo add --build rres-build --features seal`".to_owned();
            Err(fault(message).with_help(help))
        }
    }

    /// Appends what the encryption of a pack depends on. It does not reveal the key: an attacker who sees it and guesses has to derive a key for
    /// each guess, as with the pack itself.
    pub(crate) fn fingerprint(&self, key: &mut KeyBuilder) {
        #[cfg(feature = "seal")]
        for sealer in &self.sealers {
            key.field(&sealer.fingerprint());
        }
        #[cfg(not(feature = "seal"))]
        let _ = key;
    }

    /// The cipher of a resource.
    pub(crate) fn cipher_of(&self, id: ResourceId) -> Cipher {
        self.ciphers.of(id)
    }

    /// Encrypts the chunks of a resource, if the settings say so.
    #[cfg(feature = "seal")]
    pub(crate) fn seal<'c>(
        &self,
        id: ResourceId,
        chunks: Vec<StoredChunk<'c>>,
    ) -> rres_format::Result<Vec<StoredChunk<'c>>> {
        let cipher = self.cipher_of(id);
        let Some(sealer) = self.sealers.iter().find(|sealer| sealer.cipher() == cipher) else { return Ok(chunks) };
        (0..).zip(chunks).map(|(number, chunk)| chunk.seal(sealer, id, number)).collect()
    }
}

fn fault(message: String) -> Diagnostic {
    Diagnostic::new(Place::Name("encryption".to_owned()), message)
}

/// The keys of a build: from the callback, the environment variable, or the file.
#[cfg(feature = "seal")]
fn keys(context: &BuildContext, rules: &Rules, example: &str) -> Result<Keys, Diagnostic> {
    if let Some(key) = &context.options.key {
        return Ok(Keys::new(key()));
    }
    let variable = rules.pack().key_variable();
    if let Some(text) = std::env::var_os(variable).filter(|text| !text.is_empty()) {
        let text = text.into_encoded_bytes();
        let secret = Secret::from_text(&text).map_err(|error| fault(format!("the variable {variable}: {error}")))?;
        return Ok(Keys::new(secret));
    }
    if let Some(file) = context.key_file(rules) {
        let metadata = std::fs::metadata(&file).map_err(|e| Diagnostic::io("read the key from it", &file, &e))?;
        // Reading anything but a file, such as a FIFO, might never end.
        if !metadata.is_file() || metadata.len() > MAX_KEY_FILE {
            return Err(Diagnostic::file(&file, "is not a file with a key: expected a file of at most 64 KiB"));
        }
        let text = std::fs::read(&file).map_err(|e| Diagnostic::io("read the key from it", &file, &e))?;
        let secret = Secret::from_text(&text).map_err(|error| Diagnostic::file(&file, error.to_string()))?;
        return Ok(Keys::new(secret));
    }
    let message = format!("settings encrypt assets (such as {example}), and there is no key");
    let help = format!(
        "set the variable {variable} to a password, or to `hex:` and 64 hexadecimal digits; or name a file with `key_file` under \
         [pack]; or call `.key(…)` in build.rs"
    );
    Err(fault(message).with_help(help))
}
