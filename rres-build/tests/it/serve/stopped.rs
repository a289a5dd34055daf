//! An import that takes too long: its thread cannot be stopped, but the process can.

use rres_build::importer::{Asset, Description, ImportError, Importer, Source};
use rres_format::AssetKind;

use super::*;

/// An importer that never ends for a file whose text begins with "hangs".
struct Slow;

impl Importer for Slow {
    fn describe(&self) -> Description {
        Description::new("slow", 1).reads(["slow"]).makes(AssetKind::Text)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let text = source.text()?;
        let mut turns = 0_u64;
        while text.starts_with("hangs") {
            turns = std::hint::black_box(turns + 1);
        }
        Ok(vec![Asset::text(text)?])
    }
}

/// What [`script`] builds for these tests.
pub(super) fn with_slow_importer(build: rres_engine::Build) -> rres_engine::Build {
    build.importer(Slow)
}

#[test]
fn an_import_that_takes_too_long_is_named_stopped_and_not_tried_again() {
    let project = built(&sources_and_list());
    let notes = project.dir.path().join("notes");
    let start = || {
        let mut command = command(&project);
        command.env("RRES_IMPORT_SECONDS", "4");
        Server::start_noting(command, fs::File::create(&notes).unwrap())
    };
    let mut server = start();
    project.write("a.slow", b"hangs");
    let (answer, _) = server.update();
    let is_stopped = |line: &String| line.starts_with("failed\ta.slow\t") && line.contains("was stopped after ");
    assert!(answer.iter().any(is_stopped), "{answer:?}");
    let noted = fs::read_to_string(&notes).unwrap();
    assert!(noted.contains("rres: still importing") && noted.contains("a.slow after "), "{noted}");
    // It ends although its input is open.
    assert!(server.child.wait().unwrap().success());

    let mut server = start();
    let (again, _) = server.update();
    assert!(again.iter().any(is_stopped), "{again:?}");
    project.write("other.txt", b"other");
    let (other, index) = server.update();
    assert!(other.iter().any(is_stopped) && other.contains(&"added\tother.txt".to_owned()), "{other:?}");
    assert!(contents(&project, &index).contains_key("other.txt"));
    assert_eq!(fs::read_to_string(&notes).unwrap(), "", "it is not tried again");
    // It is as soon as it changes.
    fs::remove_file(project.assets().join("a.slow")).unwrap();
    project.write("a.slow", b"ends");
    let (mended, _) = server.update();
    assert!(mended.contains(&"added\ta.slow".to_owned()), "{mended:?}");
    server.end();
}
