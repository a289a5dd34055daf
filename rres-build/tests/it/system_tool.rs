//! Programs of the system that tests need, such as `strip`.

use std::process::{Command, Stdio};

/// Whether all of `tools` can be started. If one is missing, says that the test is skipped; with `RRES_REQUIRE_TOOLS=1`, fails.
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
pub(crate) fn has_tools(tools: &[&str]) -> bool {
    let starts = |tool: &str| {
        let mut command = Command::new(tool);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok()
    };
    let Some(missing) = tools.iter().find(|tool| !starts(tool)) else { return true };
    assert!(std::env::var_os("RRES_REQUIRE_TOOLS").is_none_or(|value| value != "1"), "{missing} is not installed");
    eprintln!("skipped: {missing} is not installed");
    false
}
