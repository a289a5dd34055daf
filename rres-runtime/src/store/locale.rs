//! The languages that the store prefers, and what follows from them: which variants of assets it loads.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use rres_format::{LanguageTag, ResourceId};

use super::Store;
use super::change::Changes;
use super::renewal::renew;
use crate::error::{Error, ErrorKind, Result};
use crate::events::Event;
use crate::variants::{Preferences, Selection};

impl Store {
    /// Sets the language that the player prefers, such as `fr-CA`. Assets with variants for languages then load the best one, and
    /// handles to loaded assets get new values, with the events of a reload.
    ///
    /// A variant is chosen by the lookup of RFC 4647: `fr-CA`, then `fr`, then a variant for another region with the same script, then
    /// the asset itself. Until a language is set, assets load themselves. See `docs/languages.md` in the repository.
    ///
    /// What the new values need of packs that are read in parts is fetched. In a browser, where nothing may wait for it, handles get these
    /// values when they are here, with [`Event::Changed`].
    ///
    /// # Errors
    /// [`ErrorKind::BadLocale`] if the tag is not well-formed, and [`ErrorKind::MountWhileLoading`] within
    /// [`crate::FromAsset::from_asset`]. Nothing changes then.
    pub fn set_locale(&self, locale: &str) -> Result<()> {
        self.set_locales([locale])
    }

    /// Sets several languages, the one that the player prefers most first. With none, assets load themselves again.
    ///
    /// # Errors
    /// As [`Self::set_locale`].
    pub fn set_locales<L: AsRef<str>>(&self, locales: impl IntoIterator<Item = L>) -> Result<()> {
        let locales = locales.into_iter().map(|locale| parse(locale.as_ref())).collect::<Result<Vec<LanguageTag>>>()?;
        let assets = self.set_preferences(|preferences| preferences.locales.clone_from(&locales))?;
        if assets > 0 {
            self.publish(Event::LocaleChanged { locales, assets });
        }
        Ok(())
    }

    /// Returns the languages that were set, the most preferred one first.
    pub fn locales(&self) -> Vec<LanguageTag> {
        self.selection().preferences.locales.clone()
    }

    /// Returns the languages for which the mounted packs have variants, in alphabetical order, and the language of the assets that
    /// these are variants of.
    pub fn available_locales(&self) -> Vec<LanguageTag> {
        self.selection().variants(&self.mounts()).locales()
    }

    /// Sets the density of the display, in pixels for each unit of length: what a window calls its scale factor. Images with variants such as
    /// `button@2x.png` then load the least density that is enough, or else the highest, and handles to loaded images get new values.
    /// [`crate::Image::density`] is the one that was loaded. The language comes first: no image of another language is loaded for its
    /// density. Packs that are read in parts are as for [`Self::set_locale`].
    ///
    /// # Errors
    /// [`ErrorKind::BadDensity`] if the number is not finite or not above 0, and [`ErrorKind::MountWhileLoading`] within
    /// [`crate::FromAsset::from_asset`]. Nothing changes then.
    pub fn set_density(&self, density: f32) -> Result<()> {
        if !(density.is_finite() && density > 0.0) {
            return Err(Error::new(ErrorKind::BadDensity(density)));
        }
        let assets = self.set_preferences(|preferences| preferences.density = Some(density))?;
        if assets > 0 {
            self.publish(Event::DensityChanged { density, assets });
        }
        Ok(())
    }

    /// Returns the variant of an asset for one language and the density of the store; `None` for the asset itself.
    pub(super) fn variant_for(&self, id: ResourceId, locale: &str) -> Result<Option<ResourceId>> {
        let selection = self.selection();
        let preferences = Preferences { locales: vec![parse(locale)?], density: selection.preferences.density };
        let chosen = selection.variants(&self.mounts()).choose(id, &preferences);
        Ok(Some(chosen).filter(|chosen| *chosen != id))
    }

    /// Returns the variants that the store loads now.
    pub(crate) fn selection(&self) -> Arc<Selection> {
        Arc::clone(&self.shared.selection.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes what the store prefers, and returns how many values are new.
    fn set_preferences(&self, change: impl FnOnce(&mut Preferences)) -> Result<usize> {
        let _change = self.begin_change().ok_or_else(|| Error::new(ErrorKind::MountWhileLoading))?;
        let mut preferences = self.selection().preferences.clone();
        change(&mut preferences);
        let choices = self.select(preferences, &HashSet::new());
        Ok(renew(self, &Changes { contents: &HashSet::new(), choices: &choices, is_summed_up: true }).renewed)
    }

    /// Chooses variants among those that are mounted now, and returns the assets whose choice is another one or is in `contents`. The
    /// caller has begun a change.
    pub(super) fn select(&self, preferences: Preferences, contents: &HashSet<ResourceId>) -> HashSet<ResourceId> {
        let next = Arc::new(Selection::new(preferences, &self.mounts()));
        let mut current = self.shared.selection.write().unwrap_or_else(PoisonError::into_inner);
        let changes = current.changes(&next, contents);
        *current = next;
        changes
    }
}

fn parse(locale: &str) -> Result<LanguageTag> {
    // Names of POSIX, as in the variable `LANG`, have an underscore, an encoding and a modifier: `fr_CA.UTF-8`.
    let tag = locale.split(['.', '@']).next().unwrap_or_default().replace('_', "-");
    tag.parse().map_err(|reason| Error::new(ErrorKind::BadLocale { locale: locale.to_owned(), reason }))
}
