//! The one time of everything that is to have reproducible bytes, and its date.

use std::env;

use crate::exit::Failure;

/// 1980-01-01 00:00:00 UTC in Unix time, the earliest time that a ZIP file can contain.
pub(crate) const EARLIEST: u64 = 315_532_800;

/// The latest time that a ZIP file can contain, 2107-12-31 23:59:58 UTC.
pub(crate) const LATEST: u64 = 4_354_819_198;

/// Returns the variable `SOURCE_DATE_EPOCH`, or else 1980-01-01, in Unix time.
pub(crate) fn read() -> Result<u64, Failure> {
    let Some(value) = env::var_os("SOURCE_DATE_EPOCH").filter(|value| !value.is_empty()) else { return Ok(EARLIEST) };
    let seconds = value.to_str().and_then(|text| text.parse::<u64>().ok());
    let invalid = || {
        let found = value.display();
        Failure::Usage(format!("the variable SOURCE_DATE_EPOCH is {found}, expected a number of seconds since 1970"))
    };
    Ok(seconds.ok_or_else(invalid)?.clamp(EARLIEST, LATEST))
}

/// A time as a date and a time of day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: u64,
    pub(crate) month: u64,
    pub(crate) day: u64,
    pub(crate) hour: u64,
    pub(crate) minute: u64,
    pub(crate) second: u64,
}

impl Date {
    /// Returns the date of a time that is at least [`EARLIEST`].
    pub(crate) fn of(time: u64) -> Self {
        let (mut day, second) = (time.saturating_sub(EARLIEST) / 86_400, time % 86_400);
        let mut year = 1980;
        let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        while day >= 365 + u64::from(is_leap(year)) {
            day -= 365 + u64::from(is_leap(year));
            year += 1;
        }
        let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut month = 0;
        while day >= months[month] {
            day -= months[month];
            month += 1;
        }
        let (hour, minute) = (second / 3600, second / 60 % 60);
        Self { year, month: month as u64 + 1, day: day + 1, hour, minute, second: second % 60 }
    }

    /// Returns the date as ISO 8601 writes it: `2024-02-29T12:34:56Z`.
    pub(crate) fn iso(self) -> String {
        let Self { year, month, day, hour, minute, second } = self;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (time, expected) in [
            (EARLIEST, "1980-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LATEST, "2107-12-31T23:59:58Z"),
        ] {
            assert_eq!(Date::of(time).iso(), expected);
        }
    }
}
