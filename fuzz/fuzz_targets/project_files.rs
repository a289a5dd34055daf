//! Project files of other tools: no text may crash or hang the parsers of `.rrp` and `.nbrlist`, what they return is in the text
//! and bounded, and a `.rrp` that is written reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;

// The parsers belong to a program, which has no library to link. They use nothing else of it.
#[path = "../../cargo-rres/src/project_file/mod.rs"]
#[allow(dead_code, reason = "the program uses the rest")]
mod project_file;

use project_file::rrp::Record;
use project_file::{MAX_FILES, nbrlist, rrp};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = project_file::text(bytes) else { return };
    let lines = text.lines().count() as u32;

    let project = rrp::parse(text);
    assert!(project.records.len() <= MAX_FILES);
    assert!(project.faults.iter().chain(&project.warnings).all(|remark| (1..=lines).contains(&remark.line)));
    for record in &project.records {
        assert!(text.contains(&record.target));
        assert!(
            record.targets().iter().all(|(path, name)| !path.is_empty() && name.is_none_or(|name| !name.is_empty()))
        );
    }
    let again = rrp::parse(&rrp::write(&project.records));
    let without_lines = |records: &[Record]| -> Vec<Record> {
        records.iter().map(|record| Record { line: 0, ..record.clone() }).collect()
    };
    assert_eq!(without_lines(&again.records), without_lines(&project.records));
    assert!(again.faults.is_empty() && again.warnings.is_empty());

    let list = nbrlist::parse(text);
    assert!(list.faults.iter().all(|fault| (1..=lines).contains(&fault.line)));
    let paths = list.sections.iter().flat_map(|section| &section.paths);
    assert!(paths.clone().count() <= MAX_FILES + 1);
    assert!(paths.clone().all(|listed| !listed.path.is_empty() && listed.path.len() <= 1024));
});
