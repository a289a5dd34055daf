//! Parses the command line, runs the subcommand and returns its exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use serde_json::json;

use crate::cmd;
use crate::exit::{self, Failure};
use crate::output::{Color, Output, print_error};

/// Build, inspect, verify and extract rres packs
#[derive(Parser)]
#[command(name = "cargo-rres", bin_name = "cargo rres", version, after_help = exit::HELP)]
struct Cli {
    /// When to colour the output; the variable NO_COLOR turns `auto` off
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", display_order = 100)]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

/// In the order of `docs/command.md`, which begins with what a newcomer asks.
#[derive(Subcommand)]
enum Command {
    New(cmd::new::Args),
    Init(cmd::init::Args),
    Ls(cmd::ls::Args),
    Info(cmd::info::Args),
    Verify(cmd::verify::Args),
    Cat(cmd::cat::Args),
    Explain(cmd::explain::Args),
    Deps(cmd::deps::Args),
    Extract(cmd::extract::Args),
    View(cmd::view::Args),
    Import(cmd::import::Args),
    Export(cmd::export::Args),
    Srsc(cmd::srsc::Args),
    Header(cmd::header::Args),
    Schema(cmd::schema::Args),
    Build(cmd::build::Args),
    Watch(cmd::watch::Args),
    Pack(cmd::pack::Args),
    Diff(cmd::diff::Args),
    Fingerprint(cmd::fingerprint::Args),
    Patch(cmd::patch::Args),
    Mods(cmd::mods::Args),
    Keygen(cmd::keygen::Args),
    Sign(cmd::sign::Args),
    Exe(cmd::exe::Args),
    Ship(cmd::ship::Args),
    Cache(cmd::cache::Args),
    Sources(cmd::sources::Args),
    Sync(cmd::sync::Args),
    Listing(cmd::listing::Args),
    Unused(cmd::unused::Args),
    Licenses(cmd::licenses::Args),
    Texts(cmd::texts::Args),
    Advise(cmd::advise::Args),
    Report(cmd::report::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
    #[command(hide = true)]
    BuildScript(cmd::build_script::Args),
}

pub(crate) fn run() -> ExitCode {
    // For invalid arguments, clap prints the error and exits with code 2.
    let matches = Cli::command().get_matches_from(arguments(std::env::args_os()));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let mut out = Output::new(cli.color);
    let result = match &cli.command {
        Command::Ls(args) => cmd::ls::run(args, &mut out),
        Command::Info(args) => cmd::info::run(args, &mut out),
        Command::Verify(args) => cmd::verify::run(args, &mut out),
        Command::Cat(args) => cmd::cat::run(args, &mut out),
        Command::Explain(args) => cmd::explain::run(args, &mut out),
        Command::Extract(args) => cmd::extract::run(args, &mut out),
        Command::View(args) => cmd::view::run(args, cli.color, &mut out),
        Command::Deps(args) => cmd::deps::run(args, &mut out),
        Command::Header(args) => cmd::header::run(args, &mut out),
        Command::Schema(args) => cmd::schema::run(args, &mut out),
        Command::Build(args) => cmd::build::run(args, &mut out),
        Command::Watch(args) => cmd::watch::run(args, &mut out),
        Command::Pack(args) => cmd::pack::run(args, &mut out),
        Command::Diff(args) => cmd::diff::run(args, &mut out),
        Command::Fingerprint(args) => cmd::fingerprint::run(args, &mut out),
        Command::Mods(args) => cmd::mods::run(args, &mut out),
        Command::Patch(args) => cmd::patch::run(args, &mut out),
        Command::Keygen(args) => cmd::keygen::run(args, &mut out),
        Command::Sign(args) => cmd::sign::run(args, &mut out),
        Command::Exe(args) => cmd::exe::run(args, &mut out),
        Command::Ship(args) => cmd::ship::run(args, &mut out),
        Command::Cache(args) => cmd::cache::run(args, &mut out),
        Command::Sources(args) => cmd::sources::run(args, &mut out),
        Command::Sync(args) => cmd::sync::run(args, &mut out),
        Command::Listing(args) => cmd::listing::run(args, &mut out),
        Command::Unused(args) => cmd::unused::run(args, &mut out),
        Command::Licenses(args) => cmd::licenses::run(args, &mut out),
        Command::Texts(args) => cmd::texts::run(args, &mut out),
        Command::Advise(args) => cmd::advise::run(args, &mut out),
        Command::New(args) => cmd::new::run(args, &mut out),
        Command::Report(args) => cmd::report::run(args, &mut out),
        Command::Init(args) => cmd::init::run(args, &mut out),
        Command::Import(args) => cmd::import::run(args, &mut out),
        Command::Export(args) => cmd::export::run(args, &mut out),
        Command::Srsc(args) => cmd::srsc::run(args, &mut out),
        Command::Completions(args) => cmd::completions::run(args, Cli::command(), &mut out),
        Command::Man(args) => cmd::man::run(args, Cli::command(), &mut out),
        // Its output is the output of a build script.
        Command::BuildScript(args) => return cmd::build_script::run(args),
    };
    let result = result.and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match result {
        Ok(outcome) => outcome.code(),
        Err(failure) => {
            // The JSON is printed whenever the exit code is 1.
            if let Failure::Fault(text) = &failure
                && wants_json(&matches)
                && !out.has_json()
            {
                // If nobody reads it, the error below is still told.
                let _ = out.json(json!({ "ok": false, "error": text })).and_then(|()| out.flush());
            }
            print_error(cli.color, &failure.to_string());
            failure.code()
        }
    }
}

/// Whether the subcommand was given `--json`.
fn wants_json(matches: &ArgMatches) -> bool {
    let here = matches.try_get_one::<bool>("json").ok().flatten().is_some_and(|json| *json);
    here || matches.subcommand().is_some_and(|(_, of_subcommand)| wants_json(of_subcommand))
}

/// Returns the arguments without the `rres` that Cargo inserts.
fn arguments(all: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut all: Vec<_> = all.collect();
    if all.get(1).is_some_and(|first| first == "rres") {
        all.remove(1);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_argument_that_cargo_inserts_is_skipped() {
        let args = |list: &[&str]| arguments(list.iter().map(OsString::from));
        assert_eq!(args(&["cargo-rres", "rres", "ls", "a"]), args(&["cargo-rres", "ls", "a"]));
        assert_eq!(args(&["cargo-rres", "ls", "rres"]).len(), 3);
    }

    #[test]
    fn json_is_wanted_where_the_flag_stands() {
        let wants = |list: &[&str]| wants_json(&Cli::command().try_get_matches_from(list).unwrap());
        assert!(wants(&["cargo-rres", "ls", "a.rres", "--json"]));
        assert!(wants(&["cargo-rres", "exe", "info", "game", "--json"]));
        assert!(!wants(&["cargo-rres", "ls", "--", "a.rres", "--json"]));
        assert!(!wants(&["cargo-rres", "completions", "bash"]));
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
