//! The script manifest: how a running game starts this build script again.

use std::env;

use rres_protocol::serve::ScriptManifest;

use crate::cargo;
use crate::context::{BuildContext, OutputFiles};
use crate::diagnostic::Diagnostic;
use crate::temp_file::write_if_changed;

/// Writes the manifest of this script, unless its paths are not UTF-8.
pub(crate) fn write(context: &BuildContext, files: &OutputFiles) -> Result<(), Diagnostic> {
    let script = context.options.script.clone().map_or_else(env::current_exe, Ok);
    let (Ok(script), Ok(dir)) = (script, env::current_dir()) else { return Ok(()) };
    let (Some(script), Some(dir)) = (script.to_str(), dir.to_str()) else { return Ok(()) };
    let mut variables = cargo::script_variables();
    if context.options.script.is_some()
        && let Some(tool) = env::current_exe().ok().and_then(|tool| tool.to_str().map(str::to_owned))
    {
        // The script hands the work to the command that built.
        variables.push((cargo::TOOL.to_owned(), tool));
    }
    let manifest =
        ScriptManifest { script: script.to_owned(), dir: dir.to_owned(), module: context.module_name(), variables };
    let file = files.script_manifest();
    write_if_changed(&file, manifest.to_string().as_bytes()).map_err(|e| Diagnostic::io("write it", &file, &e))?;
    Ok(())
}
