//! SoX, run as a program: `sox -D IN -b 32 -e floating-point OUT rate QUALITY RATE`.

use std::path::Path;
use std::process::{Command, Stdio};

use wait4::Wait4;

use crate::Error;

/// Resamples a channel. `quality` is an option of its effect `rate`. Returns the samples and the CPU seconds, less those that SoX takes
/// to copy the file.
pub fn resampled(samples: &[f32], from: u32, to: u32, quality: &str) -> Result<(Vec<f32>, f64), Error> {
    let dir = tempfile::tempdir()?;
    let (source, made) = (dir.path().join("in.f32"), dir.path().join("out.f32"));
    std::fs::write(&source, samples.iter().flat_map(|sample| sample.to_le_bytes()).collect::<Vec<u8>>())?;
    let copied = run(&source, &made, from, &[])?;
    let seconds = run(&source, &made, from, &["rate", quality, &to.to_string()])?;
    let bytes = std::fs::read(&made)?;
    let samples = bytes.as_chunks::<4>().0.iter().map(|sample| f32::from_le_bytes(*sample)).collect();
    Ok((samples, (seconds - copied).max(0.0)))
}

fn run(source: &Path, made: &Path, rate: u32, effects: &[&str]) -> Result<f64, Error> {
    let rate = rate.to_string();
    let mut command = Command::new("sox");
    command.args(["-D", "-t", "f32", "-L", "-c", "1", "-r", &rate]).arg(source).args(["-t", "f32", "-L"]).arg(made);
    let used = command.args(effects).stdin(Stdio::null()).spawn()?.wait4()?;
    if !used.status.success() {
        return Err(format!("sox failed with {}", used.status).into());
    }
    Ok((used.rusage.utime + used.rusage.stime).as_secs_f64())
}
