//! What was written, skipped and damaged, for people and as JSON.

use rres_packs::extract::{Embedded, Extracted, Extraction, Skipped, Written};
use serde_json::{Value, json};

use crate::exit::Failure;
use crate::output::{Output, Style, count, escape_terminal};

/// Prints what was written, and what was not.
pub(super) fn print(extracted: &Extracted<'_>, out: &mut Output) -> Result<(), Failure> {
    for (extraction, written) in extracted.files() {
        let renamed = extraction.renamed.as_ref().filter(|_| written.position == 0);
        let renamed = renamed.map(|renamed| format!("renamed: {} {}", renamed.why, escape_terminal(&renamed.from)));
        let notes: Vec<String> = written.conversion.clone().into_iter().chain(renamed).collect();
        print_file(&extracted.path(extraction, written), &notes, out)?;
    }
    for Embedded { name, owner, .. } in &extracted.embedded {
        print_file(name, &[format!("image in {owner}")], out)?;
    }
    if let Some(file) = &extracted.settings {
        print_file(&file.display().to_string(), &["settings that the files cannot hold".to_owned()], out)?;
    }
    warn(extracted, out)?;
    let files = extracted.files().count() + usize::from(extracted.settings.is_some());
    let skipped = count(extracted.skipped.len() + extracted.faults.len(), "resource");
    out.line(format!("{} written, {skipped} skipped", count(files, "file")))?;
    Ok(())
}

/// Reports on standard error what was not written.
fn warn(extracted: &Extracted<'_>, out: &mut Output) -> Result<(), Failure> {
    for Skipped { name, why, .. } in &extracted.skipped {
        out.warn(&format!("skipped {name}: {why}"))?;
    }
    for note in &extracted.notes {
        out.warn(&escape_terminal(note))?;
    }
    for fault in extracted.all_faults().chain(&extracted.unwritten) {
        out.error(fault)?;
    }
    Ok(())
}

/// Prints the same as JSON.
pub(super) fn print_json(extracted: &Extracted<'_>, out: &mut Output) -> Result<(), Failure> {
    let file = |(extraction, written): (&Extraction<'_>, &Written)| {
        let Extraction { resource, renamed, .. } = extraction;
        let renamed = renamed.as_ref().filter(|_| written.position == 0);
        json!({
            "path": resource.shown_path(),
            "id": resource.id.to_string(),
            "kind": resource.kind_name(),
            "file": extracted.path(extraction, written),
            "size": written.size,
            "conversion": written.conversion,
            "renamed_from": renamed.map(|renamed| &renamed.from),
        })
    };
    let embedded =
        |Embedded { path, id, owner, .. }: &Embedded| json!({ "path": path, "id": id.to_string(), "model": owner });
    let skipped =
        |Skipped { path, id, why, .. }: &Skipped| json!({ "path": path, "id": id.to_string(), "reason": why });
    out.json(json!({
        "files": extracted.files().map(file).collect::<Vec<Value>>(),
        "embedded": extracted.embedded.iter().map(embedded).collect::<Vec<Value>>(),
        "settings": extracted.settings.as_ref().map(|file| file.display().to_string()),
        "skipped": extracted.skipped.iter().map(skipped).collect::<Vec<Value>>(),
        "notes": extracted.notes,
        "faults": extracted.all_faults().collect::<Vec<_>>(),
        "unwritten": extracted.unwritten,
    }))?;
    for error in extracted.all_faults().chain(&extracted.unwritten) {
        out.error(error)?;
    }
    Ok(())
}

fn print_file(file: &str, notes: &[String], out: &mut Output) -> Result<(), Failure> {
    let file = escape_terminal(file);
    let notes =
        if notes.is_empty() { String::new() } else { out.style(Style::Dim, &format!("  ({})", notes.join("; "))) };
    out.line(file + &notes)?;
    Ok(())
}
