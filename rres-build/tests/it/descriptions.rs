//! What an importer says in its description beyond name and types: first bytes of its files, paths, groups.

use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Source};
use rres_engine::Report;
use rres_format::AssetKind;

use super::Project;

/// Stores files as they are, with one part in a folder.
struct Parts(fn() -> Description);

impl Importer for Parts {
    fn describe(&self) -> Description {
        (self.0)().makes(AssetType::custom(*b"PART", "crate::Part")).makes(AssetKind::Text)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        Ok(vec![Asset::custom(*b"PART", source.bytes()), Asset::text("inside")?.named("ui/part")])
    }
}

fn build(project: &Project, description: fn() -> Description) -> Report {
    project.build().importer(Parts(description)).build().unwrap()
}

#[test]
fn files_that_begin_otherwise_are_not_for_the_importer() {
    let project = Project::new(&[("tracker.mod", b"M.K."), ("other.mod", b"M!K!"), ("short.mod", b"M")]);
    build(&project, || Description::new("parts", 1).reads_if("mod", *b"M.K."));
    let module = project.module();
    assert!(module.contains("pub const TRACKER_MOD: CustomPARTId"), "{module}");
    for other in ["OTHER_MOD", "SHORT_MOD"] {
        assert!(module.contains(&format!("pub const {other}: RawId")), "{other} in:\n{module}");
    }
}

#[test]
fn a_file_that_moves_is_imported_again_unless_the_importer_does_without_its_path() {
    for (description, imported) in [
        ((|| Description::new("parts", 1).reads(["part"])) as fn() -> Description, 1),
        (|| Description::new("parts", 1).reads(["part"]).without_path(), 0),
    ] {
        let project = Project::new(&[("a.part", b"1")]);
        assert_eq!(build(&project, description).imported(), 1);
        std::fs::rename(project.assets().join("a.part"), project.assets().join("b.part")).unwrap();
        assert_eq!(build(&project, description).imported(), imported);
        // The extension always counts.
        assert!(project.module().contains("B_PART"), "{}", project.module());
    }
}

#[test]
fn folders_in_the_names_of_parts_are_groups_if_the_importer_says_so() {
    let project = Project::new(&[("a.part", b"1")]);
    build(&project, || Description::new("parts", 1).reads(["part"]));
    let without = project.module();
    build(&project, || Description::new("parts", 1).reads(["part"]).with_folders_as_groups());
    let with = project.module();
    assert!(!without.contains("Group::new(") && with.contains("Group::new("), "{without}\n{with}");
}
