//! Sends what changes to games on other machines, and in browsers: `--network`.
//!
//! A game is sent what differs from the pack that it has, as a pack to mount over it; [`rres_protocol::network`] has the messages. One
//! thread listens, one answers those who look for a server by its name, and each game has one. They tell the terminal through a channel,
//! so that lines never mix.

mod game;
mod listener;
mod packs;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use rres_protocol::network::{Error, PORT, Token, finding};

use self::listener::Listener;
use self::packs::Packs;
use crate::exit::Failure;
use crate::output::{Output, Style, escape_terminal};

/// The variable that has the token, here and where games are compiled.
const TOKEN: &str = "RRES_RELOAD_TOKEN";

/// The options for reload over a network.
#[derive(Debug, clap::Args)]
pub(crate) struct NetworkArgs {
    /// Send what changes to games on other machines and in browsers that follow this one; off unless it is asked for
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0.0.0.0",
        conflicts_with = "debug",
        value_parser = address
    )]
    network: Option<SocketAddr>,
    /// Path to a pack that the games have, if it is not the one at --out
    #[arg(long = "base", value_name = "PACK", requires = "network")]
    bases: Vec<PathBuf>,
    /// Name that games can find this machine by [default: the directory that contains the assets directory]
    #[arg(long = "network-name", value_name = "NAME", requires = "network")]
    network_name: Option<String>,
}

/// A server that runs until the command ends.
pub(super) struct Network {
    packs: Arc<Packs>,
    lines: Receiver<(&'static str, String)>,
}

impl NetworkArgs {
    /// Starts to listen, if the options ask for it. `dir` is the assets directory; games may have `built`, the packs of earlier builds.
    pub(super) fn start(&self, dir: &Path, built: &[PathBuf], out: &mut Output) -> Result<Option<Network>, Failure> {
        let Some(address) = self.network else { return Ok(None) };
        let given = std::env::var_os(TOKEN);
        let text = given.as_ref().map_or_else(|| Token::text(random()), |text| text.to_string_lossy().into_owned());
        let token = Token::new(&text).map_err(|error| match error {
            Error::ShortToken { found } => Failure::Usage(format!(
                "the token in {TOKEN} has {found} characters, expected at least {}; without the variable, a new one is printed",
                Token::MIN
            )),
            other => Failure::Usage(other.to_string()),
        })?;
        let name = match &self.network_name {
            Some(name) => name.clone(),
            None => {
                let whole = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
                whole.parent().and_then(Path::file_name).map_or_else(String::new, |name| name.to_string_lossy().into())
            }
        };
        if finding::question([0; 16], &name).is_none() {
            let text =
                format!("games can ask for names of 1 to {} bytes; choose one with --network-name", finding::MAX_NAME);
            return Err(Failure::Usage(text));
        }
        let packs = Arc::new(Packs::default());
        for base in &self.bases {
            packs.add_base(base)?;
        }
        for pack in built {
            // Additional packs of a set, and packs of something else, are not what a game begins with.
            let _ = packs.add_base(pack);
        }
        let (tell, lines) = channel();
        let listener = Listener { token, name: name.clone(), packs: Arc::clone(&packs), tell };
        let address = listener.start(address).map_err(|error| {
            Failure::Usage(format!("cannot listen at {address}: {error}; choose another with --network=ADDRESS:PORT"))
        })?;
        out.message(Style::Dim, "serving", &format!("{address} as \"{}\"", escape_terminal(&name)))?;
        if given.is_none() {
            out.message(Style::Dim, "token", &format!("{text} (to keep it, set {TOKEN}={text})"))?;
        }
        Ok(Some(Network { packs, lines }))
    }
}

impl Network {
    /// Sends the games what the pack has now.
    pub(super) fn publish(&self, pack: &Path) -> Result<(), Failure> {
        self.packs.publish(pack)
    }

    /// Tells the games what is wrong.
    pub(super) fn fault(&self, text: &str) {
        self.packs.fault(text);
    }

    /// Prints what has happened since the last call.
    pub(super) fn print(&self, out: &mut Output) -> Result<(), Failure> {
        for (what, text) in self.lines.try_iter() {
            out.message(Style::Dim, what, &escape_terminal(&text))?;
        }
        out.flush()?;
        Ok(())
    }
}

/// Parses an address of this machine, with a port or without.
fn address(text: &str) -> Result<SocketAddr, String> {
    let with_port = || Some(SocketAddr::new(text.parse().ok()?, PORT));
    let found = text.parse().ok().or_else(with_port);
    found.ok_or_else(|| format!("expected an IP address of this machine, such as 192.168.1.20 or 127.0.0.1:{PORT}"))
}

/// Returns bytes that nobody can guess.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}
