//! Where a remote cache is, and what this machine does with it: from variables, and from a file of the user.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rres_format::signature::{PublicKey, SecretKey};
use toml::{Table, Value};

use crate::objects::without_secrets;

/// The variable with the address: `s3://bucket/prefix`, `gs://…`, `az://…`, `https://…`, `grpc://…`; `off` for none.
pub const ADDRESS: &str = "RRES_REMOTE_CACHE";
/// The variable that lets this machine add to the cache, if it is `1`.
pub const WRITE: &str = "RRES_REMOTE_CACHE_WRITE";
/// The variable with the public keys of those who may add, with spaces between them. Without it, only the owner of the key in [`KEY`] may, and without
/// that one, everyone may who can write to the store.
pub const TRUST: &str = "RRES_REMOTE_CACHE_TRUST";
/// The variable with the private key that signs what this machine adds: the contents of its file.
pub const KEY: &str = "RRES_REMOTE_CACHE_KEY";
/// The variable with the token that web servers and servers of the Remote Execution API ask for: it is sent as `Authorization: Bearer TOKEN`.
pub const TOKEN: &str = "RRES_REMOTE_CACHE_TOKEN";
/// The variable with a further header, `NAME: VALUE`, that a server of the Remote Execution API asks for.
pub const HEADER: &str = "RRES_REMOTE_CACHE_HEADER";
/// The variable with a file of certificates in PEM, which addresses `grpcs://…` trust besides those of the web.
pub const CA: &str = "RRES_REMOTE_CACHE_CA";
/// The variable with the seconds after which a request is given up.
pub const TIMEOUT: &str = "RRES_REMOTE_CACHE_TIMEOUT";

const DEFAULT_TIMEOUT: u64 = 10;
const MOST_TIMEOUT: u64 = 3600;

/// For an empty list of trusted keys: a user who wanted to name some must not trust everyone by mistake.
const NO_KEYS: &str = "expected public keys as `cargo rres keygen` prints them: name at least one";

/// The configuration of a remote cache.
#[derive(Clone)]
#[non_exhaustive]
pub struct Config {
    /// The address of the store.
    pub address: String,
    /// Whether this machine adds to the cache. What is read from variables and the file is `false` without a key if only what has a signature is used.
    pub writes: bool,
    /// How long a store may be silent. A transfer as a whole may take a second more for each 64 KiB, of all that run at once.
    pub timeout: Duration,
    /// The keys whose entries are used. If the list is empty, only entries that `key` has signed are used, and without a key all entries.
    pub trusted: Vec<PublicKey>,
    /// The key that signs what this machine adds. It is trusted, too.
    pub key: Option<SecretKey>,
    /// What web servers and servers of the Remote Execution API are sent as `Authorization: Bearer`.
    pub token: Option<String>,
    /// A further header, by its name, that a server of the Remote Execution API is sent.
    pub header: Option<(String, String)>,
    /// A file of certificates in PEM, which addresses `grpcs://…` trust besides those of the web.
    pub ca: Option<PathBuf>,
}

/// Without secrets.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = without_secrets(&self.address);
        f.debug_struct("Config").field("address", &address).field("writes", &self.writes).finish_non_exhaustive()
    }
}

impl Config {
    /// A configuration that reads, and trusts all who can write.
    pub fn new(address: impl Into<String>) -> Self {
        let timeout = Duration::from_secs(DEFAULT_TIMEOUT);
        Self {
            address: address.into(),
            writes: false,
            timeout,
            trusted: Vec::new(),
            key: None,
            token: None,
            header: None,
            ca: None,
        }
    }

    /// Whether entries are used that this one has signed; `None` for nobody.
    pub(crate) fn trusts(&self, signer: Option<PublicKey>) -> bool {
        match self.public_key() {
            None if self.trusted.is_empty() => true,
            own => signer.is_some_and(|signer| own == Some(signer) || self.trusted.contains(&signer)),
        }
    }

    /// The public part of the key that signs what this machine adds.
    pub(crate) fn public_key(&self) -> Option<PublicKey> {
        self.key.as_ref().map(SecretKey::public_key)
    }

    /// Reads the variables `RRES_REMOTE_CACHE…`, and what they leave open from the section `[cache]` of the user's `rres/config.toml`. Returns
    /// `None` if neither names a remote cache.
    ///
    /// # Errors
    /// If a value is not what its key takes; the text says which.
    pub fn from_environment() -> Result<Option<Self>, String> {
        Self::read(set_variable, user_file().as_deref())
    }

    /// Returns a configuration for the store at an address, with credentials and limits from the variables.
    ///
    /// # Errors
    /// Those of [`Self::from_environment`].
    pub(crate) fn of_store(address: &str) -> Result<Self, String> {
        let variable = |name: &str| match name {
            ADDRESS => Some(address.to_owned()),
            // Files of sources are named by their hashes, and nothing is added.
            TRUST | KEY => None,
            name => set_variable(name),
        };
        Ok(Self::read(variable, None)?.unwrap_or_else(|| Self::new(address)))
    }

    /// Returns a configuration for a store whose address is in a repository, and so may be that of a stranger. The secrets of the user's remote cache are
    /// only sent to the host of that cache.
    ///
    /// # Errors
    /// Those of [`Self::from_environment`].
    pub(crate) fn of_sources(address: &str) -> Result<Self, String> {
        let own = Self::from_environment()?;
        let mut config = Self::of_store(address)?;
        if own.is_none_or(|own| origin(&own.address) != origin(address)) {
            (config.token, config.header) = (None, None);
        }
        Ok(config)
    }

    fn read(variable: impl Fn(&str) -> Option<String>, file: Option<&Path>) -> Result<Option<Self>, String> {
        let address = variable(ADDRESS);
        // Whatever is in the file.
        if address.as_deref() == Some("off") {
            return Ok(None);
        }
        let mut config = file.map_or(Ok(None), Self::of_file)?;
        match address {
            // The settings of the file are those of its store.
            Some(address) if config.as_ref().is_none_or(|config| config.address != address) => {
                config = Some(Self::new(address));
            }
            _ => {}
        }
        let Some(mut config) = config else { return Ok(None) };
        if let Some(value) = variable(WRITE) {
            config.writes = match &*value {
                "1" | "true" => true,
                "0" | "false" => false,
                other => return Err(format!("{WRITE} is {other:?}, expected 1 or 0")),
            };
        }
        if let Some(value) = variable(TIMEOUT) {
            let seconds = value.parse().ok().filter(|seconds| (1..=MOST_TIMEOUT).contains(seconds));
            let wrong = || format!("{TIMEOUT} is {value:?}, expected a number of seconds from 1 to {MOST_TIMEOUT}");
            config.timeout = Duration::from_secs(seconds.ok_or_else(wrong)?);
        }
        if let Some(value) = variable(TRUST) {
            config.trusted = value.split_whitespace().map(|key| public_key(TRUST, key)).collect::<Result<_, _>>()?;
            if config.trusted.is_empty() {
                return Err(format!("{TRUST} is empty, {NO_KEYS}, or unset it"));
            }
        }
        if let Some(value) = variable(KEY) {
            config.key = Some(SecretKey::from_text(&value).map_err(|e| format!("{KEY}: {e}"))?);
        }
        // Others would pass over what it adds, and so would this machine: it would add everything each time.
        if config.key.is_none() && !config.trusted.is_empty() {
            config.writes = false;
        }
        config.token = variable(TOKEN).or(config.token);
        if let Some(value) = variable(HEADER) {
            // What is in it is a secret.
            let (name, value) =
                value.split_once(':').ok_or_else(|| format!("{HEADER} has no `:`, expected NAME: VALUE"))?;
            config.header = Some((name.trim().to_owned(), value.trim().to_owned()));
        }
        config.ca = variable(CA).map(PathBuf::from).or(config.ca);
        Ok(Some(config))
    }

    /// Reads the section `[cache]` of a file, which need not exist.
    fn of_file(file: &Path) -> Result<Option<Self>, String> {
        let fault = |why: String| format!("{}: {why}", file.display());
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fault(error.to_string())),
        };
        let table: Table = text.parse().map_err(|e: toml::de::Error| fault(e.to_string()))?;
        let Some(Value::Table(cache)) = table.get("cache") else { return Ok(None) };
        let mut config = Self::new("");
        for (key, value) in cache {
            match (key.as_str(), value) {
                ("remote", Value::String(address)) => config.address.clone_from(address),
                ("write", Value::Boolean(writes)) => config.writes = *writes,
                ("timeout", Value::Integer(seconds))
                    if (1..=MOST_TIMEOUT).contains(&seconds.unsigned_abs()) && *seconds > 0 =>
                {
                    config.timeout = Duration::from_secs(seconds.unsigned_abs());
                }
                ("trust", Value::Array(keys)) => {
                    let keys = keys.iter().map(|key| public_key("trust", key.as_str().unwrap_or_default()));
                    config.trusted = keys.collect::<Result<_, _>>().map_err(fault)?;
                    if config.trusted.is_empty() {
                        return Err(fault(format!("`trust` under [cache] is empty, {NO_KEYS}, or remove it")));
                    }
                }
                ("remote" | "write" | "timeout" | "trust", _) => {
                    let expected =
                        "remote = \"ADDRESS\", write = true or false, timeout = SECONDS, trust = [\"PUBLIC KEY\"]";
                    return Err(fault(format!("`{key}` under [cache] is {}, expected {expected}", value.type_str())));
                }
                (other, _) => {
                    let known = "there are remote, write, timeout and trust; secrets are in variables";
                    return Err(fault(format!("[cache] has no key `{other}`: {known}")));
                }
            }
        }
        Ok((!config.address.is_empty()).then_some(config))
    }
}

/// The value of a variable. One that is empty counts as not set, as CI sets variables to empty secrets; the one with trusted keys does not, since
/// without keys more would be trusted.
fn set_variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty() || name == TRUST)
}

/// The scheme and the host of an address.
fn origin(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once("://")?;
    Some((scheme, rest.split(['/', '?', '#']).next()?))
}

fn public_key(of: &str, text: &str) -> Result<PublicKey, String> {
    text.parse().map_err(|e| format!("{of} has {text:?}, which is no public key as `cargo rres keygen` prints it: {e}"))
}

/// The file of the user.
fn user_file() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        variable("APPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_CONFIG_HOME")
            .filter(|dir| dir.is_absolute())
            .or_else(|| variable("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join("rres").join("config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY_1: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

    fn read(variables: &[(&str, &str)], file: Option<&str>) -> Result<Option<Config>, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.toml");
        if let Some(text) = file {
            fs::write(&path, text).unwrap();
        }
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Config::read(variable, Some(&path))
    }

    #[test]
    fn a_file_and_variables_configure_a_cache() {
        assert!(read(&[], None).unwrap().is_none());
        assert!(read(&[], Some("[other]\nx = 1\n")).unwrap().is_none());
        let text = format!("[cache]\nremote = \"s3://a/b\"\ntrust = [\"{KEY_1}\"]\ntimeout = 3\n");
        let config = read(&[], Some(&text)).unwrap().unwrap();
        assert_eq!((&*config.address, config.writes, config.timeout), ("s3://a/b", false, Duration::from_secs(3)));
        assert_eq!(config.trusted, [KEY_1.parse().unwrap()]);
        assert!(!read(&[(WRITE, "1")], Some(&text)).unwrap().unwrap().writes, "nobody would use what has no signature");
        let key = SecretKey::from_seed([1; 32]).unwrap().to_text();
        assert!(read(&[(WRITE, "1"), (KEY, &key)], Some(&text)).unwrap().unwrap().writes);
        assert!(read(&[(ADDRESS, "off")], Some(&text)).unwrap().is_none());
        assert!(read(&[(ADDRESS, "off")], Some("[cache]\nnewer = 1\n")).unwrap().is_none());
        let with_header = read(&[(HEADER, "x-api-key: a:b")], Some(&text)).unwrap().unwrap();
        assert_eq!(with_header.header, Some(("x-api-key".to_owned(), "a:b".to_owned())));
        let other = read(&[(ADDRESS, "https://c")], Some(&text)).unwrap().unwrap();
        assert_eq!((&*other.address, other.trusted.len()), ("https://c", 0), "the keys are those of the other store");
    }

    #[test]
    fn who_has_a_key_trusts_its_owner_alone_unless_others_are_named() {
        let [own, other, stranger] = [1, 2, 3].map(|seed| SecretKey::from_seed([seed; 32]).unwrap());
        let trusts = |config: &Config| {
            [None, Some(&own), Some(&other), Some(&stranger)].map(|key| config.trusts(key.map(SecretKey::public_key)))
        };
        let mut config = Config::new("s3://a");
        assert_eq!(trusts(&config), [true, true, true, true]);
        config.key = Some(own.clone());
        assert_eq!(trusts(&config), [false, true, false, false]);
        config.trusted = vec![other.public_key()];
        assert_eq!(trusts(&config), [false, true, true, false]);
        config.key = None;
        assert_eq!(trusts(&config), [false, false, true, false]);
    }

    #[test]
    fn an_origin_is_scheme_and_host() {
        let same = |a, b| origin(a) == origin(b);
        assert!(same("https://a.example/b", "https://a.example/c/d?e"));
        assert!(!same("https://a.example/b", "http://a.example/b"));
        assert!(!same("https://a.example/b", "https://a.example.evil/b"));
        assert!(!same("https://a.example/b", "https://a.example@evil/b"));
        assert!(!same("grpc://a:1/b", "grpc://a:2/b"));
    }

    #[test]
    fn wrong_values_are_named_and_secrets_are_not() {
        let fault = |variables: &[_], file| read(variables, file).unwrap_err();
        assert!(fault(&[], Some("[cache]\nremoet = \"x\"\n")).contains("no key `remoet`"));
        assert!(fault(&[], Some("[cache]\nremote = 3\n")).contains("`remote` under [cache] is integer"));
        assert!(fault(&[(ADDRESS, "s3://a"), (WRITE, "yes")], None).contains("expected 1 or 0"));
        assert!(fault(&[(ADDRESS, "s3://a"), (TIMEOUT, "0")], None).contains("number of seconds"));
        assert!(fault(&[(ADDRESS, "s3://a"), (TIMEOUT, "9999999999999")], None).contains("from 1 to 3600"));
        assert!(fault(&[(ADDRESS, "s3://a"), (TRUST, "12")], None).contains("\"12\""));
        assert!(fault(&[(ADDRESS, "s3://a"), (TRUST, " ")], None).contains("TRUST is empty"));
        assert!(
            fault(&[], Some("[cache]\nremote = \"s3://a\"\ntrust = []\n")).contains("`trust` under [cache] is empty")
        );
        for variable in [KEY, HEADER] {
            let shown = fault(&[(ADDRESS, "s3://a"), (variable, "secret")], None);
            assert!(shown.contains(variable) && !shown.contains("secret"), "{shown}");
        }
    }
}
