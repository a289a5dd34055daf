//! `cargo rres explain`: why files became the assets that they became, or why they did not.

mod json;
mod named;
mod print;

use json::explanation_json;
use rres_engine::{Explained, Explanation, Standing};
use serde_json::json;

use crate::asset_builds::{AssetBuilds, BuildArgs};
use crate::cargo::TargetArgs;
use crate::diagnostic::{Diagnostic, lint_json};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};
pub(crate) use json::setting_json;
use named::Named;

/// Show what decided the settings of an asset, and what it became
///
/// For a file that is not an asset, shows what left it out. Uses the rules of the build script of the last build; without one, only
/// assets.toml counts. Nothing needs to have been built.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres explain ui/button.png           which rule of assets.toml or build.rs set what
  cargo rres explain assets/notes.psd        why this file is not in the pack
  cargo rres explain -v music/boss.ogg       with every setting, and the time of its import
  cargo rres explain --target aarch64-linux-android ui/button.png
                                             … in a build for Android
  cargo rres explain --assets mods/winter winter/tree.png")]
pub(crate) struct Args {
    /// Asset path, or path of a source file
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    builds: BuildArgs,
    #[command(flatten)]
    target: TargetArgs,
    /// List the settings that have their defaults, too, and the time of the import
    #[arg(short, long)]
    verbose: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

/// The answer about one path, with the build that it comes from.
struct Answer {
    explained: Explained,
    named: Vec<Named>,
}

impl Answer {
    fn explanation(&self) -> &Explanation {
        &self.explained.explanations[0]
    }

    /// Whether the build would fail because of this file.
    fn is_faulty(&self) -> bool {
        let is_denied = || self.explained.lints.iter().any(|lint| lint.level == rres_settings::LintLevel::Deny);
        matches!(self.explanation().standing, Standing::Refused | Standing::Uncertain)
            || !self.explained.diagnostics.is_empty()
            || is_denied()
    }
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut builds = args.builds.find_for(&args.paths[0], out)?;
    for build in &mut builds.builds {
        build.build = args.target.configure(build.build.clone())?;
    }
    let mut answers = Vec::with_capacity(args.paths.len());
    for path in &args.paths {
        answers.push(answer(&builds, path)?);
    }
    if args.json {
        out.json(json!({
            "files": answers.iter().map(explanation_json).collect::<Vec<_>>(),
            "lints": answers.iter().flat_map(|answer| &answer.explained.lints).map(lint_json).collect::<Vec<_>>(),
            "diagnostics": diagnostics(&answers).iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
        }))?;
    } else {
        for (i, answer) in answers.iter().enumerate() {
            if i > 0 {
                out.line("")?;
            }
            print::print(answer, args.verbose, out)?;
        }
        diagnostics(&answers).iter().try_for_each(|diagnostic| out.error(&diagnostic.to_string()))?;
    }
    Ok(Outcome::of(!answers.iter().any(Answer::is_faulty)))
}

/// What is wrong, each fault once.
fn diagnostics(answers: &[Answer]) -> Vec<Diagnostic> {
    let mut all: Vec<&rres_settings::diagnostic::Diagnostic> =
        answers.iter().flat_map(|answer| &answer.explained.diagnostics).collect();
    all.sort();
    all.dedup();
    all.into_iter().map(Diagnostic::from).collect()
}

/// Explains a path by the first build that has such a file.
fn answer(builds: &AssetBuilds, typed: &str) -> Result<Answer, Failure> {
    let mut nearest = None;
    for build in &builds.builds {
        let path = build.asset_path(typed);
        let explained = build.build.clone().explain(std::slice::from_ref(&path));
        let explained = explained.map_err(|error| Failure::Fault(error.to_string()))?;
        match &explained.explanations[0].standing {
            Standing::Missing { nearest: near } => nearest = nearest.or_else(|| near.clone()),
            Standing::Folder { asset_count } => {
                let assets = if *asset_count == 1 { "asset" } else { "assets" };
                let text = format!(
                    "\"{}\" is a folder with {asset_count} {assets}; name one, or list them with `cargo rres ls {}`",
                    escape_terminal(&path),
                    escape_terminal(&path)
                );
                return Err(Failure::Usage(text));
            }
            _ => {
                let named = Named::find(&builds.packages, &explained);
                return Ok(Answer { explained, named });
            }
        }
    }
    let dirs: Vec<String> = builds.builds.iter().map(|build| build.dir.display().to_string()).collect();
    let mut text = format!("no file \"{}\" in {}", escape_terminal(typed), dirs.join(", "));
    if let Some(near) = nearest {
        text += &format!("; did you mean \"{}\"?", escape_terminal(&near));
    }
    Err(Failure::Usage(text))
}
