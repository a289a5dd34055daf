//! `.db` files, the archives beside them, and what they depend on.

use rres_import_srsc::json::links;
use rres_import_srsc::{
    Action, ActionKind, Actor, Checks, Databases, Definition, Error, Folder, MemoryFiles, OpenOptions, Problem, Record,
    RecordType, Ref, Sequence, Text, write,
};

use crate::{root, with};

fn open(files: &mut MemoryFiles, checks: &mut Checks) -> Result<Databases, Error> {
    OpenOptions::new().open("Synth.db", files, checks)
}

fn db(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

#[test]
fn lines_may_be_empty_indented_and_sparse() {
    let text = b"\r\n  version 1\r\n\r\ndependencies 3\r\n  2 a\\b c\r\n4 ..\\\xe4\r\n6\tx\n";
    let definition = Definition::parse("a.db", text, &mut Checks::strict()).unwrap();
    let list: Vec<_> = definition.dependencies.iter().map(|named| (named.index, named.path.as_str())).collect();
    assert_eq!(list, [(2, r"a\b c"), (4, r"..\ä"), (6, "x")]);
}

#[test]
fn what_is_wrong_with_a_db_file_has_its_offset() {
    let parse =
        |text: &str, mut checks: Checks| Definition::parse("a.db", text.as_bytes(), &mut checks).map(|_| checks);
    for (text, expected) in [
        ("", "version at offset 0x0: is \"\", expected version and a number"),
        ("versions 1", "version at offset 0x0"),
        ("version 1\ndependencies x", "dependencies at offset 0xa: is \"dependencies x\""),
        ("version 1\ndependencies 1\n0 x", "dependency at offset 0x19: is \"0 x\", expected a number above 0"),
        ("version 1\ndependencies 1\n70000 x", "expected a number of at most 65535 and a path"),
        ("version 1\ndependencies 1\n2", "expected a path after the number"),
        (
            "version 1\ndependencies 2\n2 a\n2 b",
            "dependency at offset 0x1d: is \"2 b\", expected a number that no other",
        ),
    ] {
        let error = parse(text, Checks::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let count = "version 1\ndependencies 5\n2 a";
    let warning = parse(count, Checks::default()).unwrap().warnings()[0].to_string();
    assert_eq!(warning, "a.db: dependencies at offset 0xa: is 5, expected 1, the number of lines that follow");
    assert!(parse(count, Checks::strict()).is_err());
    assert_eq!(parse("version 9\ndependencies 0", Checks::default()).unwrap().warnings()[0].field, "version");
}

#[test]
fn a_reference_that_leads_to_nothing_is_an_error_with_the_field() {
    let databases = open(&mut with(&[]), &mut Checks::strict()).unwrap();
    let view = databases.root().record(RecordType::TEXTURE, 8).unwrap();
    let resolve = |reference| databases.resolve(0, &view, reference, RecordType::TEXTURE, ("mip", 22));
    assert_eq!(resolve(Ref::default()), Ok(None));
    assert_eq!(resolve(Ref::local(9)).unwrap(), Some(root(RecordType::TEXTURE, 9)));
    let message = |reference| resolve(reference).unwrap_err().to_string();
    assert!(
        message(Ref { id: 3, database: 9 }).contains("record 0x0040:0x0008, mip at offset"),
        "{}",
        message(Ref { id: 3, database: 9 })
    );
    assert!(
        message(Ref { id: 3, database: 9 })
            .ends_with("refers to 0x0040:0x0003 of the database 9, which the .db file does not name")
    );
    assert!(
        message(Ref { id: 77, database: 2 }).ends_with("refers to 0x0040:0x004d, which Common/Shared.db does not have")
    );
}

#[test]
fn a_dependency_that_does_not_exist_is_a_warning_and_an_error_if_strict() {
    let mut files = with(&[("Synth.db", db("version 1\ndependencies 1\n2 gone\n"))]);
    let mut checks = Checks::default();
    let databases = open(&mut files, &mut checks).unwrap();
    assert!(checks.warnings()[0].to_string().contains("Synth.db: dependency at offset 0x19: refers to gone"));
    let view = databases.root().record(RecordType::TEXTURE_LIST, 0x10).unwrap();
    let error = databases.resolve(0, &view, Ref { id: 1, database: 2 }, RecordType::TEXTURE, ("textures", 8));
    assert!(error.unwrap_err().to_string().contains("which was not found"));
    assert!(open(&mut files, &mut Checks::strict()).is_err());
}

#[test]
fn a_circle_of_dependencies_is_reported_with_its_path() {
    let mut files = with(&[
        ("Common/Shared.db", db("version 1\ndependencies 1\n2 third\n")),
        ("Common/Third.db", db("version 1\ndependencies 1\n1 shared\n")),
    ]);
    let error = open(&mut files, &mut Checks::default()).unwrap_err();
    let path = ["Common/Shared.db", "Common/Third.db", "Common/Shared.db"].map(str::to_owned).to_vec();
    assert_eq!((error.file.as_str(), &error.problem), ("Common/Third.db", &Problem::Cycle { path }));
    let mut itself = with(&[("Synth.db", db("version 1\ndependencies 1\n1 synth\n"))]);
    assert!(matches!(open(&mut itself, &mut Checks::default()).unwrap_err().problem, Problem::Cycle { .. }));
}

#[test]
fn databases_that_two_others_depend_on_are_opened_once() {
    let mut files = with(&[
        ("Synth.db", db("version 1\ndependencies 2\n2 common\\SHARED\n3 other\n")),
        ("other.db", db("version 1\ndependencies 1\n7 COMMON/shared\n")),
    ]);
    let databases = open(&mut files, &mut Checks::strict()).unwrap();
    assert_eq!(
        databases.all().iter().map(|database| database.file()).collect::<Vec<_>>(),
        ["Synth.db", "Common/Shared.db", "other.db"]
    );
}

#[test]
fn archives_are_found_without_regard_to_case_and_may_be_missing() {
    let mut files = with(&[]);
    let bytes = files.0.remove("Synth.txd").unwrap();
    files.0.insert("SYNTH.TXD".to_owned(), bytes);
    files.0.remove("Synth.ssd");
    let databases = open(&mut files, &mut Checks::strict()).unwrap();
    let names: Vec<&str> = databases.root().archives().map(|archive| archive.file()).collect();
    assert_eq!(names, ["Synth.mod", "Synth.adb", "Synth.odb", "Synth.sdb", "SYNTH.TXD"]);
    assert!(databases.root().record(RecordType::TEXTURE, 13).is_some());
    assert!(databases.root().record(RecordType::SEQUENCE, 2).is_none());
}

#[test]
fn paths_do_not_leave_the_directory_unless_that_is_allowed() {
    for path in [r"..\..\etc\passwd", r"C:\Drakan\x", r"\\server\share\x", "/etc/passwd"] {
        let mut files = with(&[("Synth.db", db(&format!("version 1\ndependencies 1\n2 {path}\n")))]);
        let error = open(&mut files, &mut Checks::default()).unwrap_err();
        assert_eq!(error.problem, Problem::Outside { path: path.to_owned() });
    }
    let directory = std::env::temp_dir().join(format!("rres-srsc-outside-{}", std::process::id()));
    std::fs::create_dir_all(directory.join("inner")).unwrap();
    std::fs::write(directory.join("inner/a.db"), "version 1\ndependencies 1\n2 ..\\b\n").unwrap();
    std::fs::write(directory.join("B.db"), "version 1\ndependencies 0\n").unwrap();
    let open = |leave| {
        let mut folder = Folder::new(directory.join("inner")).may_leave(leave);
        OpenOptions::new()
            .may_leave(leave)
            .open("a.db", &mut folder, &mut Checks::strict())
            .map(|found| found.all().len())
    };
    let (kept, left) = (open(false), open(true));
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(matches!(kept.unwrap_err().problem, Problem::Outside { .. }));
    assert_eq!(left.unwrap(), 2);
}

#[cfg(unix)]
#[test]
fn symbolic_links_do_not_leave_the_directory() {
    let directory = std::env::temp_dir().join(format!("rres-srsc-link-{}", std::process::id()));
    std::fs::create_dir_all(directory.join("inner")).unwrap();
    std::fs::write(directory.join("b.db"), "version 1\ndependencies 0\n").unwrap();
    std::os::unix::fs::symlink(directory.join("b.db"), directory.join("inner/a.db")).unwrap();
    let mut folder = Folder::new(directory.join("inner"));
    let error = OpenOptions::new().open("a.db", &mut folder, &mut Checks::strict()).unwrap_err();
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(error.to_string().contains("leads out of"), "{error}");
}

#[test]
fn depth_number_and_size_of_databases_are_limited() {
    use rres_import_srsc::Limits;
    let chain = |count: usize| {
        let text = |i: usize| db(&format!("version 1\ndependencies 1\n1 d{}\n", i + 1));
        let mut files = MemoryFiles::default();
        (0..count).for_each(|i| drop(files.0.insert(format!("d{i}.db"), text(i))));
        files.0.insert(format!("d{count}.db"), db("version 1\ndependencies 0\n"));
        files
    };
    let open = |count, limits: Limits| {
        OpenOptions::new()
            .open("d0.db", &mut chain(count), &mut Checks::strict().with_limits(limits))
            .map(|found| found.all().len())
    };
    assert_eq!(open(63, Limits::default()).unwrap(), 64);
    assert!(open(64, Limits::default()).unwrap_err().to_string().contains("depth of dependencies"));
    let mut limits = Limits::default();
    limits.databases = 3;
    assert!(open(5, limits).unwrap_err().to_string().contains("number of databases"));
    let mut limits = Limits::default();
    limits.total_size = 100;
    let mut checks = Checks::strict().with_limits(limits);
    let error = OpenOptions::new().open("Synth.db", &mut with(&[]), &mut checks).unwrap_err();
    assert!(error.to_string().contains("size of all archives"), "{error}");
}

#[test]
fn an_archive_is_opened_by_itself() {
    let mut files = MemoryFiles(write::example().into_iter().collect());
    let alone = OpenOptions::new().open("Synth.mod", &mut files, &mut Checks::strict()).unwrap();
    assert_eq!((alone.all().len(), alone.root().archives().len()), (1, 1));
    let error = OpenOptions::new().open("none.mod", &mut files, &mut Checks::strict()).unwrap_err();
    assert_eq!(error.to_string(), "none.mod: file at offset 0x0: cannot be read: no such file");
}

/// Builds import what there is; `cargo rres verify` names what is missing.
#[test]
fn animations_of_characters_and_classes_of_actors_are_followed() {
    let archive = |kind: RecordType, record: &Record<'_>| {
        write::archive(&[write::RecordBytes::new(kind.0, 9, 0, write::record(record))])
    };
    let mut character = write::character();
    character.animations = [Ref::local(1), Ref::local(77)].into_iter().collect();
    let actor = Actor {
        name: Text::new(b"guard"),
        id: 1,
        kind: 2,
        assigned_as: 0,
        target: 500,
        action_count: 2,
        actions: [3, 78]
            .map(|id| Action {
                time: 0.0,
                kind: ActionKind::PlaySound { sound: Ref::local(id), duration: 1.0, volume: 100, flags: 0 },
            })
            .into(),
    };
    let sequence = Sequence {
        name: Text::new(b"intro"),
        flags: 0,
        run_state: 0,
        unknown: 0,
        actor_count: 1,
        actors: vec![actor],
        rest: Default::default(),
    };
    let mut files = with(&[
        ("Synth.mod", archive(RecordType::CHARACTER, &Record::Character(Box::new(character.clone())))),
        ("Synth.ssd", archive(RecordType::SEQUENCE, &Record::Sequence(sequence.clone()))),
    ]);
    let mut checks = Checks::default();
    let databases = open(&mut files, &mut checks).unwrap();
    let mut of = |kind| {
        let (links, errors) = links(&databases, root(kind, 9), &mut checks);
        let names: Vec<String> = links.as_object().unwrap_or_else(|| panic!("{errors:?}")).keys().cloned().collect();
        (names.join(" "), errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    };
    // Bodies begin after the header of the file.
    let place = |body: Vec<u8>, target: Ref| {
        let found = body.windows(4).position(|bytes| bytes == [target.id.to_le_bytes(), [0, 0]].concat());
        format!("at offset 0x{:x}: ", 12 + found.unwrap())
    };
    let (names, errors) = of(RecordType::CHARACTER);
    assert_eq!(names, "animations[0]");
    assert!(errors.contains("0x004d, which") && errors.lines().count() == 1, "{errors}");
    assert!(
        errors.contains(&place(write::record(&Record::Character(Box::new(character))), Ref::local(77))),
        "{errors}"
    );
    let (names, errors) = of(RecordType::SEQUENCE);
    assert_eq!(names, "actors[0].actions[0].sound");
    let errors: Vec<&str> = errors.lines().collect();
    let body = write::record(&Record::Sequence(sequence));
    for (error, text, id) in [(errors[0], "actor target", 500), (errors[1], "sound", 78)] {
        assert!(error.contains(&format!("0x{id:04x}, which")), "{error}");
        assert!(error.contains(&format!("{text} {}", place(body.clone(), Ref::local(id)))), "{error}");
    }
}

#[test]
fn every_link_of_a_texture_that_leads_to_nothing_is_an_error() {
    use rres_import_srsc::write::RecordBytes;
    let bytes = write::example().into_iter().find(|(path, _)| path == "Synth.txd").unwrap().1;
    let archive = rres_import_srsc::Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    let Record::Texture(texture) = archive.record(8).unwrap().parse(&mut Checks::strict()).unwrap() else { panic!() };
    let missing = |id| Ref { id, database: 9 };
    let texture = rres_import_srsc::Texture {
        mip: missing(1),
        alternate: missing(2),
        bump: missing(3),
        material: missing(4),
        ..texture
    };
    let archive = write::archive(&[RecordBytes::new(0x40, 8, 0, write::record(&Record::Texture(texture)))]);
    let mut checks = Checks::default();
    let databases = open(&mut with(&[("Synth.txd", archive)]), &mut checks).unwrap();
    let (_, errors) = links(&databases, root(RecordType::TEXTURE, 8), &mut checks);
    let found: Vec<_> = errors.iter().map(|error| (error.field, error.offset - 12)).collect();
    assert_eq!(found, [("alternate", 26), ("bump", 30), ("material", 38), ("mip", 22)]);
}

#[test]
fn a_model_without_vertices_polygons_or_textures_is_an_error() {
    use rres_import_srsc::{ModelName, Shading};
    let name = ModelName { name: Text::new(b"empty"), shading: Shading(0) };
    let model = write::RecordBytes::new(0x200, 9, 0, write::record(&Record::ModelName(name)));
    let mut checks = Checks::default();
    let databases = open(&mut with(&[("Synth.mod", write::archive(&[model]))]), &mut checks).unwrap();
    let at = root(RecordType::MODEL, 9);
    let (_, errors) = links(&databases, at, &mut checks);
    assert_eq!(errors.iter().map(|error| error.field).collect::<Vec<_>>(), ["vertices", "polygons", "textures"]);
    assert_eq!(databases.model(at, &mut Checks::default()).unwrap().name.decode(), "empty");
    assert_eq!(databases.model(at, &mut Checks::strict()).unwrap_err(), errors[0]);
}

#[test]
fn a_palette_may_have_any_id() {
    let bytes = write::example().into_iter().find(|(path, _)| path == "Synth.txd").unwrap().1;
    let archive = rres_import_srsc::Archive::parse("a", &bytes, &mut Checks::strict()).unwrap();
    let with_palettes = |ids: &[u16]| {
        let body = |number: usize| archive.record(number).unwrap().body().to_vec();
        let palettes = ids.iter().map(|id| write::RecordBytes::new(0x30, *id, 0, body(0)));
        write::archive(&palettes.chain([write::RecordBytes::new(0x40, 1, 0, body(1))]).collect::<Vec<_>>())
    };
    let open = |ids: &[u16], checks: &mut Checks| open(&mut with(&[("Synth.txd", with_palettes(ids))]), checks);
    let databases = open(&[7], &mut Checks::strict()).unwrap();
    assert!(databases.picture(root(RecordType::TEXTURE, 1), None, &mut Checks::strict()).is_ok());
    assert_eq!(databases.root().palette().unwrap().key().id, 7);
    let mut checks = Checks::default();
    let databases = open(&[7, 3], &mut checks).unwrap();
    assert_eq!(databases.root().palette().unwrap().key().id, 3);
    assert!(checks.warnings()[0].to_string().contains("palettes have the ids 0x0003, 0x0007"), "{checks:?}");
    assert!(open(&[7, 3], &mut Checks::strict()).is_err());
}
