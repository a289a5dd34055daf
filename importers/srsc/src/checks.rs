//! How strictly files are read, and the warnings of reading them.

use crate::error::{Error, Fault};
use crate::limits::Limits;

/// How strictly files are read, within which limits, and what was noticed on the way.
///
/// ```
/// use rres_import_srsc::Checks;
///
/// let mut checks = Checks::default(); // warns of what it can go on from
/// let strict = Checks::strict();      // refuses it
/// assert!(checks.warnings().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Checks {
    limits: Limits,
    is_strict: bool,
    warnings: Vec<Error>,
    more: usize,
}

impl Checks {
    /// Returns checks for which everything unusual is an error.
    pub fn strict() -> Self {
        Self { is_strict: true, ..Self::default() }
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns what was unusual so far, in order.
    pub fn warnings(&self) -> &[Error] {
        &self.warnings
    }

    /// Returns the number of warnings beyond [`Limits::warnings`], which were not kept.
    pub fn more_warnings(&self) -> usize {
        self.more
    }

    /// Removes the warnings, and returns them.
    pub fn take_warnings(&mut self) -> Vec<Error> {
        self.more = 0;
        std::mem::take(&mut self.warnings)
    }

    /// Adds a warning, or fails with it if the checks are strict.
    pub(crate) fn warn(&mut self, warning: Error) -> Result<(), Error> {
        if self.is_strict {
            return Err(warning);
        }
        self.keep(warning);
        Ok(())
    }

    fn keep(&mut self, warning: Error) {
        if self.warnings.len() < self.limits.warnings {
            self.warnings.push(warning);
        } else {
            self.more += 1;
        }
    }

    /// Reads a body, and makes errors and warnings of its faults. `place` adds the file and the record to a fault.
    pub(crate) fn within<T>(
        &mut self,
        place: impl Fn(Fault) -> Error,
        read: impl FnOnce(&mut Notes<'_>) -> Result<T, Fault>,
    ) -> Result<T, Error> {
        let mut notes = Notes { limits: &self.limits, is_strict: self.is_strict, list: Vec::new() };
        let result = read(&mut notes);
        let list = notes.list;
        list.into_iter().for_each(|fault| self.keep(place(fault)));
        result.map_err(place)
    }
}

/// What a reader of a body notices.
pub(crate) struct Notes<'c> {
    pub(crate) limits: &'c Limits,
    is_strict: bool,
    list: Vec<Fault>,
}

impl Notes<'_> {
    /// Adds a warning, or fails with it if the checks are strict.
    pub(crate) fn warn(&mut self, fault: Fault) -> Result<(), Fault> {
        if self.is_strict {
            return Err(fault);
        }
        if self.list.len() < self.limits.warnings {
            self.list.push(fault);
        }
        Ok(())
    }
}
