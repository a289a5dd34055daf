//! `cargo rres texts`: how much of the tables of texts is translated, and the way to translators and back.

mod catalogs;
mod export;
mod import;
mod pseudo;
mod tables;

use rres_translations::Coverage;
use serde_json::{Value, json};

use crate::asset_builds::BuildArgs;
use crate::exit::{Failure, Outcome};
use crate::output::{Column, Output, Table as Printed, escape_terminal};
use tables::Tables;

/// Show how much of the texts is translated; exchange them with translators
///
/// Tables are the files with `text.strings`: CSV, Fluent and PO.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  cargo rres texts                           how much each language has
  cargo rres texts --check --min 95          for CI: every language has 95 % of the texts
  cargo rres texts export -o translations    files for Poedit, Weblate and others
  cargo rres texts import translations/ui.de.po
  cargo rres texts pseudo                    a language that shows what is not translated or does not fit"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    coverage: CoverageArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Export(export::Args),
    Import(import::Args),
    Pseudo(pseudo::Args),
}

#[derive(Debug, clap::Args)]
struct CoverageArgs {
    #[command(flatten)]
    builds: BuildArgs,
    /// Name the keys, and not only their number
    #[arg(long)]
    keys: bool,
    /// Exit with code 1 if a language has fewer translations than --min
    #[arg(long)]
    check: bool,
    /// Percent of the texts that a language must have
    #[arg(long, value_name = "PERCENT", default_value_t = 100, requires = "check", value_parser = clap::value_parser!(u8).range(0..=100))]
    min: u8,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.command {
        Some(Command::Export(args)) => export::run(args, out),
        Some(Command::Import(args)) => import::run(args, out),
        Some(Command::Pseudo(args)) => pseudo::run(args, out),
        None => coverage(&args.coverage, out),
    }
}

/// A language over all tables.
struct Total {
    language: String,
    coverage: Coverage,
}

fn coverage(args: &CoverageArgs, out: &mut Output) -> Result<Outcome, Failure> {
    let tables = Tables::read(args.builds.find(out)?.builds)?;
    let totals: Vec<Total> = tables.languages().into_iter().map(|language| total(&tables, language)).collect();
    let is_enough = |total: &Total| total.coverage.percent() >= usize::from(args.min);
    let is_ok = totals.iter().all(is_enough);
    if args.json {
        let texts: usize = tables.tables.iter().map(|table| table.first().messages.len()).sum();
        out.json(json!({
            "ok": is_ok || !args.check,
            "table_count": tables.tables.len(),
            "text_count": texts,
            "languages": totals.iter().map(to_json).collect::<Vec<_>>(),
        }))?;
    } else {
        print(&totals, args.keys, out)?;
    }
    if args.check && !is_ok && !args.json {
        let few: Vec<&str> = totals.iter().filter(|of| !is_enough(of)).map(|of| of.language.as_str()).collect();
        out.error(&format!("less than {} % of the texts are translated: {}", args.min, few.join(", ")))?;
    }
    Ok(Outcome::of(is_ok || !args.check))
}

/// Adds up the tables. A key has its table before it.
fn total(tables: &Tables, language: String) -> Total {
    let mut coverage = Coverage::default();
    for table in &tables.tables {
        let (messages, fuzzy) = table.with_inherited(&language);
        let mut of_table = Coverage::of(&table.first().messages, &messages, &fuzzy);
        for keys in [&mut of_table.missing, &mut of_table.extra, &mut of_table.fuzzy, &mut of_table.same] {
            keys.iter_mut().for_each(|key| *key = format!("{}#{key}", table.source));
        }
        coverage.add(of_table);
    }
    Total { language, coverage }
}

fn print(totals: &[Total], with_keys: bool, out: &mut Output) -> Result<(), Failure> {
    if totals.is_empty() {
        out.line("the tables have one language; list others in `locales` under [pack]")?;
        return Ok(());
    }
    let mut table = Printed::new(&[
        Column::left("LANGUAGE"),
        Column::right("TRANSLATED"),
        Column::right("OF"),
        Column::right(""),
        Column::right("MISSING"),
        Column::right("FUZZY"),
        Column::right("SAME"),
        Column::right("EXTRA"),
    ]);
    for Total { language, coverage } in totals {
        table.row([
            escape_terminal(language),
            coverage.translated.to_string(),
            coverage.all.to_string(),
            format!("{} %", coverage.percent()),
            coverage.missing.len().to_string(),
            coverage.fuzzy.len().to_string(),
            coverage.same.len().to_string(),
            coverage.extra.len().to_string(),
        ]);
    }
    table.print(out)?;
    for Total { language, coverage } in totals.iter().filter(|_| with_keys) {
        for (what, keys) in [
            ("missing", &coverage.missing),
            ("fuzzy", &coverage.fuzzy),
            ("same", &coverage.same),
            ("extra", &coverage.extra),
        ] {
            for key in keys {
                out.line(format!("{} {what}  {}", escape_terminal(language), escape_terminal(key)))?;
            }
        }
    }
    Ok(())
}

fn to_json(Total { language, coverage }: &Total) -> Value {
    json!({
        "language": language,
        "translated_count": coverage.translated,
        "percent": coverage.percent(),
        "missing": coverage.missing,
        "fuzzy": coverage.fuzzy,
        "same": coverage.same,
        "extra": coverage.extra,
    })
}
