//! All assets of the game, brought in one after the other so that a loading screen can be drawn between two.
//!
//! [`Loading`] walks the whole store and keeps what it loads; [`Library`] then takes typed handles, which are there.

use std::time::{Duration, Instant};

use rres_runtime::asset::{Font, Image, Link, Model, Raw, Sound, Text};
use rres_runtime::{AnyId, Asset, AssetKind, Group, Handle, Store};

use crate::assets;
use crate::error::{Error, Result};
use crate::journey::{Cue, Journey};
use crate::level::Level;
use crate::tables::{Gusts, Palette, Tuning};
use crate::words::Words;

/// What loading one asset took.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    /// In memory, decoded.
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
}

/// A handle of any type; keeps its asset alive until the library has taken its own.
type Kept = Box<dyn std::any::Any>;

/// Loading under way.
pub(crate) struct Loading<'a> {
    store: &'a Store,
    waiting: std::vec::IntoIter<AnyId>,
    count: usize,
    kept: Vec<Kept>,
    pub(crate) records: Vec<Record>,
}

impl<'a> Loading<'a> {
    /// In the order of paths, so that the table reads well.
    pub(crate) fn new(store: &'a Store) -> Self {
        let mounts = store.mounts();
        let mut entries: Vec<_> = mounts.entries().collect();
        entries.sort_by_key(|entry| entry.path);
        let waiting: Vec<AnyId> = entries.iter().map(|entry| entry.id).collect();
        Self { store, count: waiting.len(), waiting: waiting.into_iter(), kept: Vec::new(), records: Vec::new() }
    }

    /// From 0 to 1.
    pub(crate) fn progress(&self) -> f32 {
        (self.count - self.waiting.len()) as f32 / self.count.max(1) as f32
    }

    /// Loads the next asset; `false` when all are there.
    pub(crate) fn step(&mut self) -> Result<bool> {
        let Some(id) = self.waiting.next() else { return Ok(false) };
        match id.kind() {
            Some(AssetKind::Raw) => self.load::<Raw>(id, "raw", |raw| raw.bytes().len())?,
            Some(AssetKind::Text) => self.load::<Text>(id, "text", |text| text.as_str().len())?,
            Some(AssetKind::Image) => self.load::<Image>(id, "image", |image| image.data().len())?,
            Some(AssetKind::Sound) => self.load::<Sound>(id, "sound", |sound| sound.data().len())?,
            Some(AssetKind::Font) => self.load::<Font>(id, "font", font_bytes)?,
            Some(AssetKind::Model) => self.load::<Model>(id, "model", model_bytes)?,
            Some(AssetKind::Link) => self.load::<Link>(id, "link", |link| link.path().len())?,
            // A kind of a later version: nothing here asks for it.
            _ => {}
        }
        Ok(true)
    }

    fn load<T: Asset>(&mut self, id: AnyId, kind: &'static str, bytes: fn(&T) -> usize) -> Result<()> {
        let Some(typed) = id.typed::<T>() else { return Ok(()) };
        let start = Instant::now();
        let handle = self.store.load(typed)?;
        let time = start.elapsed();
        let path = handle.path().to_owned();
        self.records.push(Record { path, kind, bytes: bytes(&handle.get()), time });
        self.kept.push(Box::new(handle));
        Ok(())
    }
}

fn font_bytes(font: &Font) -> usize {
    font.strikes().iter().map(|strike| strike.atlas().data().len() + strike.glyphs().len() * 32).sum()
}

fn model_bytes(model: &Model) -> usize {
    model.primitives().iter().flat_map(|p| p.attributes()).map(|(_, data)| data.len()).sum()
}

/// A language that the game speaks.
#[derive(Clone, Debug)]
pub(crate) struct Language {
    pub(crate) words: Words,
    pub(crate) flag: Handle<Image>,
}

/// The groups of the settings; a level's own is what only that level needs.
pub(crate) const GROUPS: [Group; 5] = [
    assets::groups::INTERFACE.untyped(),
    assets::groups::FLIGHT.untyped(),
    assets::groups::LEVEL_1.untyped(),
    assets::groups::LEVEL_2.untyped(),
    assets::groups::LEVEL_3.untyped(),
];

/// Codes of the languages, in the order in which the key L goes through them.
pub(crate) const LANGUAGES: [&str; 4] = ["en", "de", "fr", "es"];

/// What the game's logic needs: everything but pictures.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    pub(crate) languages: Vec<Language>,
    pub(crate) palette: Palette,
    pub(crate) journey: Journey,
}

impl Library {
    pub(crate) fn load(store: &Store) -> Result<Self> {
        let texts = [
            (assets::text::EN_TXT, assets::ui::FLAG_EN_PNG),
            (assets::text::DE_TXT, assets::ui::FLAG_DE_PNG),
            (assets::text::FR_TXT, assets::ui::FLAG_FR_PNG),
            (assets::text::ES_TXT, assets::ui::FLAG_ES_PNG),
        ];
        let mut languages = Vec::new();
        for (text, flag) in texts {
            let text = store.load(text)?;
            languages
                .push(Language { words: Words::parse(text.get().as_str(), text.path())?, flag: store.load(flag)? });
        }
        let mut levels = Vec::new();
        for id in [assets::levels::LEVEL_1_TXT, assets::levels::LEVEL_2_TXT, assets::levels::LEVEL_3_TXT] {
            let text = store.load(id)?;
            levels.push(Level::parse(text.get().as_str(), text.path())?);
        }
        let tuning = store.load(assets::data::TUNING_CSV)?;
        let tuning = Tuning::parse(tuning.get().bytes(), tuning.path())?;
        let gusts = store.load(assets::data::GUSTS_DAT)?;
        let gusts = Gusts::parse(gusts.get().bytes(), gusts.path())?;
        let palette = store.load(assets::data::PALETTE_JSON)?;
        let palette = Palette::parse(palette.get().bytes(), palette.path())?;
        Ok(Self { languages, palette, journey: Journey::new(levels, tuning, gusts) })
    }
}

/// The sound for a cue.
pub(crate) fn sound(store: &Store, cue: Cue) -> Result<Handle<Sound>> {
    let id = match cue {
        Cue::Click => assets::sound::CLICK_WAV,
        Cue::Collect => assets::sound::COLLECT_WAV,
        Cue::Hit => assets::sound::HIT_WAV,
        Cue::Thunder => assets::sound::THUNDER_OGG,
        Cue::Win => assets::sound::WIN_FLAC,
        Cue::Lose => assets::sound::LOSE_MP3,
    };
    Ok(store.load(id)?)
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
pub(crate) fn piece(store: &Store, piece: Piece) -> Result<Handle<Sound>> {
    let id = match piece {
        Piece::Title => assets::music::TITLE_OGG,
        Piece::Drift => assets::music::DRIFT_OGG,
        Piece::Wind => assets::sound::WIND_OGG,
        Piece::Burner => assets::sound::BURNER_WAV,
    };
    Ok(store.load(id)?)
}

/// The credits: a link, so the pack holds only where the file is. Read when it is there, left out when not.
pub(crate) fn credits(store: &Store) -> Result<Option<String>> {
    let link = store.load(assets::data::CREDITS_TXT)?;
    let Ok(file) = store.follow(&link.get()) else { return Ok(None) };
    let text = std::fs::read_to_string(&file);
    text.map(Some).map_err(|e| Error::content(link.path(), 0, format!("cannot read {}: {e}", file.display())))
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
const _: rres_runtime::Id<Image> = assets::models::CRYSTAL_PNG;
