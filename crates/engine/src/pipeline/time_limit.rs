//! How long one import may run before it is stopped.

use std::time::Duration;

use crate::diagnostic::{Diagnostic, Place};
use crate::opt_level_hint::OPT_LEVEL;
use crate::worker_pool::TimeLimit;

/// The variable with another number of seconds.
pub(super) const VARIABLE: &str = "RRES_IMPORT_SECONDS";

/// The seconds of every import, before what its memory adds.
const SECONDS: u64 = 20;

/// The same for importers that are compiled without optimisation, as Cargo compiles build scripts: a JPEG of the example game took more
/// than ten seconds on a busy machine.
const SECONDS_UNOPTIMISED: u64 = 120;

/// How long an import runs before the build says that it is still busy with it.
const NOTICE: Duration = Duration::from_secs(3);

/// The memory for which an import gets one more second.
const BYTES_PER_SECOND: u64 = 4 << 20;

/// Returns the limit of imports. If the variable has no number, one diagnostic is added, and the limit is the default.
pub(super) fn time_limit(diagnostics: &mut Vec<Diagnostic>) -> TimeLimit {
    let default = if OPT_LEVEL == "0" { SECONDS_UNOPTIMISED } else { SECONDS };
    let value = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let seconds = value.map_or(Ok(default), |value| parse(&value.to_string_lossy()));
    let seconds = seconds.unwrap_or_else(|fault| {
        diagnostics.push(fault);
        default
    });
    TimeLimit { base: Duration::from_secs(seconds), notice: NOTICE, bytes_per_second: BYTES_PER_SECOND }
}

fn parse(text: &str) -> Result<u64, Diagnostic> {
    text.parse().ok().filter(|seconds| (1..=86_400).contains(seconds)).ok_or_else(|| {
        let message = format!("unknown value {text:?}, expected a number of seconds from 1 to 86400");
        Diagnostic::new(Place::Name(VARIABLE.to_owned()), message)
            .with_help("set it to the seconds that one import may take, or unset it".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_seconds_up_to_a_day_are_taken() {
        assert_eq!(parse("20").ok(), Some(20));
        for text in ["0", "1.5", "20s", "-1", "86401", "99999999999999999999"] {
            let fault = parse(text).unwrap_err().to_string();
            assert!(fault.contains(VARIABLE) && fault.contains(text), "{fault}");
        }
    }
}
