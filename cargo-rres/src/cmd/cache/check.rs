//! `cargo rres cache check`: imports again, and compares with the cache.

use rres_engine::{Difference, ImportCheck, Portion};
use serde_json::{Value, json};

use super::directories::{DirectoryArgs, Shown};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, count, escape_terminal};

/// Import assets again, and compare every byte with what is in the cache
///
/// Finds importers that are not deterministic, and entries that another machine has made differently. The latter are removed from the
/// cache of this machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres cache check                     every asset
  cargo rres cache check --sample 1%         about one in a hundred, the same ones each time
  cargo rres cache check --sample 1% --seed 7
                                             others; CI can pass the number of its run")]
pub(super) struct Args {
    #[command(flatten)]
    directories: DirectoryArgs,
    /// Check this share of the assets, such as 1%
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    sample: Option<f64>,
    /// Choose another sample
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "sample")]
    seed: u64,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    super::cache()?;
    let portion = match args.sample {
        Some(fraction) => Portion::Sample { fraction, seed: args.seed },
        None => Portion::All,
    };
    let scratch = super::temporary()?;
    let again = scratch.path().join("imports");
    args.directories.run(out, |build| build.check_imports(&portion, &again), show)
}

fn show(check: &ImportCheck, shown: &mut Shown<'_>) -> Result<(bool, Value), Failure> {
    let ImportCheck { checked, all, of_script, differences, .. } = check;
    for difference in differences {
        shown.out.error(&escape_terminal(&difference.to_string()))?;
    }
    let removed = differences.iter().filter(|of| of.is_repeatable).count();
    if removed > 0 {
        let help = format!(
            "{} removed from the cache of this machine; if a remote cache has the same, let only CI write to it, and start a new prefix",
            count(removed, "asset")
        );
        shown.out.message(Style::Bold, "help:", &help)?;
    }
    if removed < differences.len() {
        let help = "packs with these assets differ from build to build: report the importer, with one of the files";
        shown.out.message(Style::Bold, "help:", help)?;
    }
    let verdict = match differences.len() {
        0 => shown.out.style(Style::Good, "ok"),
        differing => shown.out.style(Style::Bad, &format!("{differing} differ")),
    };
    shown.line(&format!("{verdict}; {checked} of {} imported again and compared", count(*all, "source")))?;
    shown.left_to_script(*of_script)?;
    Ok((differences.is_empty(), to_json(check)))
}

fn to_json(check: &ImportCheck) -> Value {
    let difference = |of: &Difference| {
        json!({
            "path": of.path,
            "importer": of.importer,
            "is_deterministic": of.is_repeatable,
            "cached_size": of.cached_size,
            "size": of.size,
            "first_difference": of.position,
        })
    };
    json!({
        "source_count": check.all,
        "checked_count": check.checked,
        "left_to_script_count": check.of_script,
        "differences": check.differences.iter().map(difference).collect::<Vec<_>>(),
    })
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    match number {
        Some(percent) if percent > 0.0 && percent <= 100.0 => Ok(percent / 100.0),
        _ => Err("expected a percentage above 0 and up to 100, such as 1%".to_owned()),
    }
}
