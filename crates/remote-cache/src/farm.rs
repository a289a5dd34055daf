//! A farm of the Remote Execution API that imports for a build.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rres_engine::FarmJob;
use rres_remote_execution::{Contents, Farm, Input, Job};

use crate::config::Config;
use crate::objects::reapi::of_client;
use crate::objects::without_secrets;

/// The variable with the properties of the machines that import, such as `OSFamily=linux ISA=x86-64`, with spaces between them.
pub const PROPERTIES: &str = "RRES_FARM_PROPERTIES";

/// The name of the command in the directory of a job.
const COMMAND: &str = "cargo-rres";

/// The directory of the import cache of a job.
const CACHE: &str = "cache";

/// How long a job may run.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Machines that import, each with a copy of the installed command.
#[derive(Debug)]
pub struct ImportFarm {
    place: String,
    command: PathBuf,
    farm: Farm,
}

impl ImportFarm {
    /// Opens the farm at an address `grpc://host:port/instance`, or `grpcs://…` with TLS. Sends nothing. `command` is the executable of the command
    /// `cargo-rres`, which the machines must be able to run. The token, certificates and properties are in variables.
    ///
    /// # Errors
    /// If an address or a variable is wrong; the text says which.
    pub fn open(address: &str, command: PathBuf) -> Result<Self, String> {
        let place = without_secrets(address);
        let config = Config::of_store(address)?;
        let mut farm = Farm::open(&of_client(&config)).map_err(|why| format!("{place}: {why}"))?;
        for property in std::env::var(PROPERTIES).unwrap_or_default().split_whitespace() {
            let expected = || format!("{PROPERTIES} has {property:?}, expected NAME=VALUE");
            let (name, value) = property.split_once('=').ok_or_else(expected)?;
            farm = farm.platform(name, value);
        }
        Ok(Self { place, command, farm })
    }

    fn job(&self, FarmJob { record, files, .. }: &FarmJob) -> Job {
        let input = |path: &str, contents| Input { path: path.to_owned(), contents, is_executable: false };
        let mut inputs = vec![
            Input { is_executable: true, ..input(COMMAND, Contents::File(self.command.clone())) },
            input(FarmJob::RECORD, Contents::Bytes(record.clone().into_bytes())),
        ];
        inputs.extend(files.iter().map(|(path, file)| input(path, Contents::File(file.clone()))));
        let command = format!("./{COMMAND}");
        let arguments = [&command, "rres", "cache", "fill", "--jobs", "1", "--record", FarmJob::RECORD];
        let environment = [("RRES_CACHE_DIR", CACHE), ("RRES_REMOTE_CACHE", "off")];
        Job {
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            environment: environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            inputs,
            output_directory: CACHE.to_owned(),
            timeout: TIMEOUT,
        }
    }
}

impl rres_engine::Farm for ImportFarm {
    fn place(&self) -> String {
        self.place.clone()
    }

    fn import(
        &self,
        jobs: &[FarmJob],
        is_over: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(io::Result<Vec<Vec<u8>>>),
    ) -> io::Result<()> {
        let jobs: Vec<Job> = jobs.iter().map(|job| self.job(job)).collect();
        let blobs = |files: Vec<(String, Vec<u8>)>| {
            files.into_iter().filter(|(path, _)| path.starts_with("blobs/")).map(|(_, bytes)| bytes).collect()
        };
        self.farm.run_until(&jobs, is_over, &mut |_, result| take(result.map(blobs)))
    }
}
