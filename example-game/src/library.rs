//! What the game takes from the store by name: words, rules, sounds, credits, licences.

use rres_runtime::{Handle, Id, Image, Sound, Store};

use crate::assets;
use crate::error::{Error, Result};
use crate::journey::Cue;
use crate::level::Level;
use crate::loading::ROUTES;
use crate::tables::{Gusts, Tuning};
use crate::words::Words;
use crate::world::Rules;

/// Codes of the languages, in the order in which the key L goes through them.
pub(crate) const LANGUAGES: [&str; 4] = ["en", "de", "fr", "es"];

/// The words of each language.
pub(crate) fn words(store: &Store) -> Result<Vec<Handle<Words>>> {
    use assets::text::{DE_TXT, EN_TXT, ES_TXT, FR_TXT};
    [EN_TXT, DE_TXT, FR_TXT, ES_TXT].into_iter().map(|id| Ok(store.load_as(id)?)).collect()
}

/// Where the rules of a level come from. Each is a type of the game's own, made by the store and made again by it.
#[derive(Clone, Debug)]
pub(crate) struct Rulebook {
    level: Handle<Level>,
    tuning: Handle<Tuning>,
    gusts: Handle<Gusts>,
}

impl Rulebook {
    pub(crate) fn load(store: &Store, level: usize) -> Result<Self> {
        Ok(Self {
            level: store.load_as(ROUTES[level].level)?,
            tuning: store.load_as(assets::data::TUNING_CSV)?,
            gusts: store.load_as(assets::data::GUSTS_DAT)?,
        })
    }

    /// The rules as they are now.
    pub(crate) fn rules(&self) -> Rules {
        Rules { level: self.level.get(), tuning: self.tuning.get(), gusts: self.gusts.get() }
    }
}

/// The sound for a cue.
pub(crate) fn sound(cue: Cue) -> Id<Sound> {
    match cue {
        Cue::Click => assets::sound::CLICK_WAV,
        Cue::Collect => assets::sound::COLLECT_WAV,
        Cue::Hit => assets::sound::HIT_WAV,
        Cue::Thunder => assets::sound::THUNDER_OGG,
        Cue::Win => assets::sound::WIN_FLAC,
        Cue::Lose => assets::sound::LOSE_MP3,
    }
}

/// Pieces that play on: music by screen, the wind of a flight, the burner while steering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Title,
    Drift,
    Wind,
    Burner,
}

/// The sound for a piece.
pub(crate) fn piece(piece: Piece) -> Id<Sound> {
    match piece {
        Piece::Title => assets::music::TITLE_OGG,
        Piece::Drift => assets::music::DRIFT_OGG,
        Piece::Wind => assets::sound::WIND_OGG,
        Piece::Burner => assets::sound::BURNER_WAV,
    }
}

/// The credits: a link, so the pack holds only where the file is. Read when it is there, left out when not.
pub(crate) fn credits(store: &Store) -> Result<Option<String>> {
    let link = store.load(assets::data::CREDITS_TXT)?;
    let Ok(file) = store.follow(&link.get()) else { return Ok(None) };
    let text = std::fs::read_to_string(&file);
    text.map(Some).map_err(|e| Error::content(link.path(), format!("cannot read {}: {e}", file.display())))
}

/// The licences of the fonts, to be shown with `--licenses`: their text travels with the game.
pub(crate) fn licenses(store: &Store) -> Result<String> {
    let mut text = String::new();
    for id in [assets::fonts::GOUDY_PUBLIC_DOMAIN_TXT, assets::fonts::QUICKSAND_OFL_TXT] {
        let license = store.load(id)?;
        text += &format!("{}\n\n{}\n", license.path(), license.get().as_str().trim_end());
    }
    Ok(text)
}

/// Loaded through the model that wears it, never by name.
const _: Id<Image> = assets::models::CRYSTAL_PNG;
