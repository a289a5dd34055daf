//! What subcommands of the cache do with the sources of each assets directory.

use rres_engine::Build;
use rres_settings::diagnostic::BuildError;
use serde_json::{Value, json};

use crate::asset_builds::BuildArgs;
use crate::cargo::TargetArgs;
use crate::cmd::build::{print_error, with_bar};
use crate::diagnostic::Diagnostic;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, count, escape_terminal};

/// The options that choose assets directories, and how their sources are imported.
#[derive(Debug, clap::Args)]
pub(super) struct DirectoryArgs {
    #[command(flatten)]
    builds: BuildArgs,
    #[command(flatten)]
    target: TargetArgs,
    /// Number of assets to import in parallel [default: number of processors]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

impl DirectoryArgs {
    /// Runs `work` for each directory, with a bar on terminals, and shows what it returns: `show` prints it unless the output is JSON, and
    /// returns whether nothing is wrong, and the fields of the JSON.
    pub(super) fn run<T>(
        &self,
        out: &mut Output,
        work: impl Fn(Build) -> Result<T, BuildError>,
        show: impl Fn(&T, &mut Shown<'_>) -> Result<(bool, Value), Failure>,
    ) -> Result<Outcome, Failure> {
        super::cache()?;
        let (mut is_ok, mut results) = (true, Vec::new());
        for build in self.builds.find(out)?.builds {
            let mut configured = self.target.configure(build.build)?;
            if let Some(jobs) = self.jobs {
                configured = configured.threads(jobs.into());
            }
            let dir = build.dir.display().to_string();
            let (result, counts) = with_bar(configured, &work);
            let (is_good, mut result) = match result {
                Ok(done) => {
                    let mut shown = Shown { out, is_json: self.json };
                    shown.heading(&dir)?;
                    show(&done, &mut shown)?
                }
                Err(error) => {
                    print_error(&error, counts, out)?;
                    let faults: Vec<_> = error.diagnostics().iter().map(|of| Diagnostic::from(of).to_json()).collect();
                    (false, json!({ "diagnostics": faults }))
                }
            };
            result["assets"] = dir.into();
            result["ok"] = is_good.into();
            is_ok &= is_good;
            results.push(result);
        }
        if self.json {
            out.json(json!({ "ok": is_ok, "directories": results }))?;
        }
        Ok(Outcome::of(is_ok))
    }
}

/// The output, which has no lines if it is JSON; messages go to standard error in any case.
pub(super) struct Shown<'o> {
    pub(super) out: &'o mut Output,
    is_json: bool,
}

impl Shown<'_> {
    fn heading(&mut self, dir: &str) -> Result<(), Failure> {
        match self.is_json {
            true => Ok(()),
            false => Ok(self.out.styled_line(Style::Bold, &escape_terminal(dir))?),
        }
    }

    /// Prints a line below the name of the directory.
    pub(super) fn line(&mut self, line: &str) -> Result<(), Failure> {
        match self.is_json {
            true => Ok(()),
            false => Ok(self.out.line(format!("  {line}"))?),
        }
    }

    /// Says how many sources only the build script can import.
    pub(super) fn left_to_script(&mut self, sources: usize) -> Result<(), Failure> {
        if sources == 0 {
            return Ok(());
        }
        self.line(&format!(
            "{} left to the build script, whose importers this command does not have",
            count(sources, "source")
        ))
    }
}
