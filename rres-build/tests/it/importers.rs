//! Importers of a build script: what they make, their settings, the cache, and what goes wrong in them.

use std::sync::atomic::{AtomicUsize, Ordering};

use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Setting, Source};
use rres_engine::Build;
use rres_format::AssetKind;
use rres_format::chunk::custom::CustomView;
use rres_format::index::MetaKey;
use rres_format::{FourCc, PackView, ResourceId};

use super::Project;

/// Lists of numbers, each as a line, and `include FILE` or, for one that may be missing, `try FILE`.
#[derive(Clone)]
struct Lists {
    name: &'static str,
    version: u32,
    extensions: &'static [&'static str],
    types: Vec<AssetType>,
    settings: Vec<Setting>,
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            name: "lists",
            version: 1,
            extensions: &["list"],
            types: vec![AssetType::custom(*b"LIST", "crate::List"), AssetKind::Text.into()],
            settings: vec![
                Setting::integer("scale", 1..=8).with_default(1),
                Setting::one_of("order", ["given", "sorted"]).with_default("given"),
                Setting::flag("titled"),
                Setting::number("offset", -1.0..=1.0),
                Setting::text("title"),
            ],
        }
    }
}

impl Importer for Lists {
    fn describe(&self) -> Description {
        let described = Description::new(self.name, self.version).reads(self.extensions.iter().copied());
        let described = self.types.iter().cloned().fold(described, Description::makes);
        self.settings.iter().cloned().fold(described, Description::with_setting)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let settings = source.settings();
        let scale = settings.integer("scale").unwrap_or(1) as u8;
        let (mut data, mut needs, mut parts) = (vec![self.version as u8], Vec::new(), Vec::new());
        for (number, line) in (1..).zip(source.text()?.lines()) {
            match line.split_once(' ') {
                Some(("include", file)) => data.extend(source.read_input(file)?.iter()),
                Some(("try", file)) => data.extend(source.read_input(file).iter().flat_map(|bytes| bytes.iter())),
                Some(("needs", file)) => needs.push(file),
                Some(("part", text)) => parts.push(Asset::text(text)?.named(format!("part/{number}"))),
                Some(("returns", what)) => return Ok(wrong(what)),
                Some(("asks", key)) => drop(settings.flag(key)),
                Some(("panics", why)) => panic!("{why}"),
                Some(("hangs", _)) => hang(),
                _ => {
                    let found = || format!("expected a number, found \"{line}\"");
                    let item: u8 =
                        line.parse().map_err(|_| ImportError::new(found()).at(number, 1).with_help("count again"))?;
                    data.push(scale * item);
                }
            }
        }
        if settings.text("order") == Some("sorted") {
            data[1..].sort_unstable();
        }
        let mut list = Asset::custom(*b"LIST", &data).with_summary(format!("{} numbers", data.len() - 1));
        list = needs.into_iter().fold(list, Asset::with_dependency);
        if settings.flag("titled") == Some(true) {
            list = list.with_note("lists have no titles", "remove the setting");
        }
        Ok(std::iter::once(list).chain(parts).collect())
    }
}

/// What no importer may return.
fn wrong(what: &str) -> Vec<Asset> {
    let list = || Asset::custom(*b"LIST", [1]);
    match what {
        "nothing" => Vec::new(),
        "two" => vec![list(), list()],
        "a part first" => vec![list().named("part")],
        "the same part twice" => vec![list(), list().named("a"), list().named("a")],
        "a bad name" => vec![list(), list().named("../a")],
        "another kind" => vec![Asset::raw([1], "bin")],
        "another chunk" => vec![Asset::custom(*b"TSIL", [1])],
        "a path outside" => vec![list().with_dependency("../../x.txt")],
        "a missing part" => vec![list().with_sub_asset("a")],
        _ => unreachable!("{what}"),
    }
}

/// How often an importer of this process has hung.
static HANGS: AtomicUsize = AtomicUsize::new(0);

fn hang() {
    HANGS.fetch_add(1, Ordering::Relaxed);
    let mut number = 0_u64;
    loop {
        number = std::hint::black_box(number + 1);
    }
}

fn project(files: &[(&str, &[u8])]) -> Project {
    Project::new(files)
}

fn build(project: &Project) -> Build {
    project.build().importer(Lists::default())
}

#[track_caller]
fn fails(build: Build) -> String {
    build.build().expect_err("the build should fail").to_string()
}

/// The data of the custom asset at `path` in the pack.
fn data(project: &Project, path: &str) -> Vec<u8> {
    let bytes = std::fs::read(project.out().join("game.rres")).unwrap();
    let view = PackView::parse(&bytes).unwrap();
    let chunk = view.find(ResourceId::from_path(path)).unwrap().unwrap();
    assert_eq!(chunk.info.kind, FourCc(*b"LIST"));
    let payload = chunk.decode(&mut Default::default()).unwrap();
    CustomView::parse(payload.view().unwrap()).unwrap().data().to_vec()
}

#[test]
fn files_become_custom_assets_with_settings_sub_assets_dependencies_and_constants() {
    let project = project(&[
        ("a.list", b"3\n1\nneeds b.txt\npart one\n"),
        ("b.txt", b"b"),
        ("deep/c.LIST", b"2\n"),
        ("numbers.dat", b"4\n"),
        (
            "assets.toml",
            b"[\"a.list\"]\nlists = { scale = 2, order = \"sorted\" }\n[\"*.dat\"]\nimporter = \"lists\"\n",
        ),
    ]);
    let report = build(&project).build().unwrap();
    assert_eq!(report.imported(), 4);
    assert_eq!(data(&project, "a.list"), [1, 2, 6]);
    assert_eq!(data(&project, "deep/c.LIST"), [1, 2]);
    assert_eq!(data(&project, "numbers.dat"), [1, 4]);

    let pack = std::fs::read(project.out().join("game.rres")).unwrap();
    let index = PackView::parse(&pack).unwrap().index().unwrap();
    let slot = index.find(ResourceId::from_path("a.list")).unwrap();
    assert_eq!(index.entry(slot).unwrap().kind, Some(AssetKind::Custom));
    assert_eq!(index.meta(slot).unwrap().get(MetaKey::CUSTOM_KIND), Some(u32::from_le_bytes(*b"LIST")));
    assert_eq!(index.dependencies(slot).unwrap().collect::<Vec<_>>(), [ResourceId::from_path("b.txt")]);

    let module = project.module();
    for part in [
        "type CustomLISTId = ::rres_runtime::Id<crate::List>;",
        "check_custom_type::<crate::List>([76, 73, 83, 84]);",
        "store.register::<crate::List>();",
        "/// `a.list`: 2 numbers, ",
        "pub const A_LIST: CustomLISTId = CustomLISTId { id: ",
        "pub mod a_list {",
        "pub mod part {",
        "pub const _4: TextId = ",
    ] {
        assert!(module.contains(part), "{part} in:\n{module}");
    }
}

#[test]
fn results_are_cached_by_version_settings_types_and_input_files() {
    let project = project(&[("a.list", b"1\ninclude more.bin\n"), ("more.bin", &[7, 8])]);
    let imported = |build: Build| build.build().unwrap().imported();
    assert_eq!(imported(build(&project)), 2);
    assert_eq!(imported(build(&project)), 0, "nothing has changed");
    assert_eq!(data(&project, "a.list"), [1, 1, 7, 8]);

    project.write("more.bin", &[9]);
    assert_eq!(imported(build(&project)), 2, "the raw file, and the list that reads it");
    assert_eq!(data(&project, "a.list"), [1, 1, 9]);

    let newer = || project.build().importer(Lists { version: 2, ..Lists::default() });
    assert_eq!(imported(newer()), 1);
    assert_eq!(data(&project, "a.list"), [2, 1, 9]);
    assert_eq!(imported(newer()), 0);

    let scaled = newer().rule("*.list", |rule| rule.set("lists", "scale", 3));
    assert_eq!(imported(scaled), 1);
    let explicit = newer().rule("*.list", |rule| rule.set("lists", "scale", 1));
    assert_eq!(imported(explicit), 0, "the default is the same as no setting");

    // The kinds of chunks are part of the key, and the path of the type only of the module.
    let moved = Lists {
        types: vec![AssetType::custom(*b"LIST", "crate::m::List"), AssetKind::Text.into()],
        ..Lists::default()
    };
    assert_eq!(imported(project.build().importer(moved)), 0);
    assert!(project.module().contains("Id<crate::m::List>"));
    let other = Lists { types: vec![AssetType::custom(*b"TSIL", "crate::List")], ..Lists::default() };
    assert!(
        fails(project.build().importer(other))
            .contains("made a chunk of kind \"LIST\", which its description does not list")
    );
}

#[test]
fn settings_have_the_errors_of_all_others() {
    let project = project(&[("a.list", b"1\n"), ("b.txt", b"b")]);
    let with = |text: &str| {
        project.write("assets.toml", text.as_bytes());
        fails(build(&project))
    };
    for (text, expected) in [
        (
            "[\"*.list\"]\nlists = { scal = 2 }\n",
            "assets.toml:2:11: unknown key `scal` in `lists` of [\"*.list\"], expected one of scale, order, titled, offset, title\n  \
             help: did you mean `scale`?",
        ),
        (
            "[\"*.list\"]\nlists = { scale = \"2\" }\n",
            "assets.toml:2:19: wrong type for `lists.scale`: found a string, expected an integer",
        ),
        (
            "[\"*.list\"]\nlists = { scale = 9 }\n",
            "assets.toml:2:19: out of range: 9 for `lists.scale`, expected 1 to 8",
        ),
        (
            "[\"*.list\"]\nlists = { order = \"sortd\" }\n",
            "assets.toml:2:19: unknown value \"sortd\" for `lists.order`, expected one of \"given\", \"sorted\"\n  \
             help: did you mean \"sorted\"?",
        ),
        (
            "[\"*.list\"]\nlists = 3\n",
            "assets.toml:2:9: wrong type for `lists`: found an integer, expected a table of settings",
        ),
        (
            "[\"*.list\"]\nlist = { scale = 2 }\n",
            "assets.toml:2:1: unknown key `list` in [\"*.list\"], expected one of kind, importer, id, ",
        ),
        (
            "[\"*.txt\"]\nimporter = \"list\"\n",
            "assets.toml:2:1: unknown value \"list\" for `importer`, expected one of \"generate\", \"lists\", \"nbr\", \"srsc\"\n  help: did you mean \"lists\"?",
        ),
        ("[\"*.txt\"]\nimporter = \"text\"\n", "help: a kind has an importer of its own: kind = \"text\""),
        (
            "[\"*.txt\"]\nlists = { scale = 2 }\n",
            "assets.toml:2:11: contradictory values: `lists` has no effect on \"*.txt\": the kind is \"text\"\n  \
             help: to have this importer read the files, set `importer` = \"lists\" in the same rule",
        ),
        (
            "[\"*.nbr\"]\nlists = { scale = 2 }\n",
            "`lists` has no effect on \"*.nbr\": the importer `nbr` reads .nbr files",
        ),
        (
            "[\"*.list\"]\nkind = \"raw\"\nlists = { scale = 2 }\n",
            "contradictory values: `lists` has no effect with `kind` = \"raw\"",
        ),
        (
            "[\"*.list\"]\nkind = \"raw\"\nimporter = \"lists\"\n",
            "contradictory values: `kind` = \"raw\" has an importer of its own, found `importer` = \"lists\"",
        ),
        (
            "[\"*.list\"]\nignore = true\nlists = { scale = 2 }\n",
            "contradictory values: the rule has `ignore` = true, and ignored files have no settings",
        ),
    ] {
        let found = with(text);
        assert!(found.contains(expected), "{expected}\nin:\n{found}");
    }

    // Values of build.rs have the place of the rule.
    project.write("assets.toml", b"");
    type Set = fn(rres_settings::Rule) -> rres_settings::Rule;
    let cases: [(Set, &str); 4] = [
        (
            |rule| rule.set("list", "scale", 1),
            "unknown importer `list`: this build has none of this name\n  help: did you mean `lists`?",
        ),
        (
            |rule| rule.set("lists", "sclae", 1),
            "unknown setting `sclae` of the importer `lists`: it has scale, order, titled, offset, title",
        ),
        (|rule| rule.set("lists", "scale", "x"), "wrong type for `lists.scale`: found a string, expected an integer"),
        (|rule| rule.set("lists", "offset", 2), "out of range: 2 for `lists.offset`, expected -1 to 1"),
    ];
    for (set, expected) in cases {
        let found = fails(build(&project).rule("*.list", set));
        assert!(found.contains(expected) && found.contains("importers.rs:"), "{expected}\nin:\n{found}");
    }
    build(&project).rule("*.list", |rule| rule.set("lists", "offset", 1).set("lists", "title", "T")).build().unwrap();
}

#[test]
fn importers_that_contradict_others_are_errors_of_the_line_that_registers_them() {
    let project = project(&[("a.list", b"1\n")]);
    let of = Lists::default;
    let custom = |chunk: &[u8; 4], path: &str| vec![AssetType::custom(*chunk, path)];
    for (importer, expected) in [
        (Lists { name: "Lists", ..of() }, "\"Lists\" is not a name of an importer"),
        (Lists { name: "image", ..of() }, "the name of the importer `image` is taken by a kind of assets"),
        (Lists { name: "max_size", ..of() }, "the name of the importer `max_size` is taken by a key of rules"),
        (
            Lists { name: "lists", extensions: &[], ..of() },
            "the name of the importer `lists` is taken by another importer",
        ),
        (Lists { name: "more", ..of() }, "the importers `lists` and `more` both take .list files"),
        (Lists { name: "more", extensions: &[".x"], ..of() }, "the importer `more` has the extension \".x\""),
        (
            Lists { name: "more", extensions: &[], types: Vec::new(), ..of() },
            "the importer `more` makes no type of asset",
        ),
        (
            Lists { name: "more", extensions: &[], types: vec![AssetKind::Custom.into()], ..of() },
            "makes assets of kind data",
        ),
        (
            Lists { name: "more", extensions: &[], types: custom(b"IMGE", "crate::A"), ..of() },
            "\"IMGE\", which means image",
        ),
        (
            Lists { name: "more", extensions: &[], types: custom(b"A-B!", "crate::A"), ..of() },
            "chunks of kind \"A-B!\"",
        ),
        (
            Lists { name: "more", extensions: &[], types: custom(b"MORE", "More"), ..of() },
            "makes assets of the type \"More\"",
        ),
        (
            Lists { name: "more", extensions: &[], types: custom(b"LIST", "crate::Other"), ..of() },
            "chunks of kind \"LIST\" would be of two types, \"crate::List\" and \"crate::Other\"",
        ),
        (
            Lists { name: "more", extensions: &[], settings: vec![Setting::flag("a"), Setting::text("a")], ..of() },
            "the setting `more.a` is declared twice",
        ),
        (
            Lists {
                name: "more",
                extensions: &[],
                settings: vec![Setting::integer("a", 1..=2).with_default(3)],
                ..of()
            },
            "the default does not fit: out of range: 3 for `more.a`, expected 1 to 2",
        ),
    ] {
        let found = fails(build(&project).importer(importer));
        assert!(found.contains(expected) && found.contains("importers.rs:"), "{expected}\nin:\n{found}");
    }
    let twice = Lists { name: "more", extensions: &[], ..of() };
    build(&project).importer(twice).build().expect("one type may have several importers");
}

#[test]
fn what_an_importer_must_not_do_is_an_error_of_the_file() {
    let project = project(&[]);
    let with = |text: &str| {
        project.write("a.list", text.as_bytes());
        fails(build(&project))
    };
    for (text, expected) in [
        ("1\nx\n", "a.list:2:1: expected a number, found \"x\"\n  help: count again"),
        ("include ../x.bin", "refers to \"../x.bin\", which is not inside the assets directory"),
        ("include x.bin", "x.bin, which cannot be read"),
        ("needs b.txt", "depends on \"b.txt\", which is not an asset"),
        ("returns nothing", "the importer `lists` returned no asset"),
        ("returns two", "returned 2 assets without a name, expected one"),
        ("returns a part first", "returned the sub-asset \"part\" first"),
        ("returns the same part twice", "returned two sub-assets \"a\""),
        ("returns a bad name", "returned a sub-asset \"../a\", which is not a path"),
        ("returns another kind", "made an asset of kind raw, which its description does not list"),
        ("returns another chunk", "made a chunk of kind \"TSIL\", which its description does not list"),
        ("returns a path outside", "depends on \"../../x.txt\", which is not inside the assets directory"),
        ("returns a missing part", "depends on the sub-asset \"a\", which it did not make"),
        ("asks scal", "asks for a setting `scal` that it does not declare"),
        ("asks scale", "declares its setting `scale` as an integer"),
        (
            "panics for a reason",
            "the importer `lists` failed: for a reason\n  help: correct the importer in the build script",
        ),
    ] {
        let found = with(text);
        assert!(found.contains(expected) && found.contains("a.list"), "{expected}\nin:\n{found}");
    }
    project.write("a.list", b"1\n\xff");
    assert!(fails(build(&project)).contains("a.list:2:1: is not UTF-8"));
}

#[test]
fn a_file_that_needs_many_refused_ones_is_one_fault() {
    let broken = ["1.list", "2.list", "3.list", "4.list", "5.list"].map(|path| (path, b"x".as_slice()));
    let project = project(&[("all.list", b"needs 1.list\nneeds 2.list\nneeds 3.list\nneeds 4.list\nneeds 5.list")]);
    broken.iter().for_each(|(path, bytes)| project.write(path, bytes));
    let found = fails(build(&project));
    let expected = "all.list: depends on 5 files that are refused: \"1.list\", \"2.list\", \"3.list\" and 2 more";
    assert!(found.contains(expected) && found.matches("all.list").count() == 1, "{found}");
    project.write("all.list", b"needs 1.list");
    let found = fails(build(&project));
    assert!(found.contains("all.list: depends on \"1.list\", which is refused"), "{found}");
}

#[test]
fn a_missing_file_is_told_with_the_one_that_was_meant() {
    let project = project(&[("a.list", b"needs names.lst"), ("names.list", b"1")]);
    let found = fails(build(&project));
    assert!(
        found.contains("depends on \"names.lst\", which is not an asset\n  help: did you mean \"names.list\"?"),
        "{found}"
    );
}

/// A build with an importer that never ends, in a process of its own, which ends its threads.
#[test]
#[ignore = "run by the next test, in a process of its own"]
fn endless() {
    let project = project(&[("a.list", b"hangs for ever"), ("b.list", b"1\n")]);
    let build = build(&project);
    // The second build does not try again.
    for _ in 0..2 {
        let found = fails(build.clone());
        assert!(found.contains("a.list: the importer `lists` was stopped after 1 s"), "{found}");
        assert!(!found.contains("b.list"), "{found}");
        assert_eq!(HANGS.load(Ordering::Relaxed), 1);
    }
    build.rule("a.list", |rule| rule.kind(AssetKind::Raw)).build().unwrap();
}

#[test]
fn an_importer_that_never_ends_is_stopped() {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "importers::endless", "--ignored"]).env("RRES_IMPORT_SECONDS", "1");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn an_importer_of_the_build_script_comes_before_one_of_ours_and_a_kind_before_both() {
    let project =
        project(&[("a.txt", b"1\n"), ("b.txt", b"words"), ("assets.toml", b"[\"b.txt\"]\nkind = \"text\"\n")]);
    let importer = Lists { extensions: &["txt"], ..Lists::default() };
    project.build().importer(importer).build().unwrap();
    assert_eq!(data(&project, "a.txt"), [1, 1]);
    assert!(project.module().contains("pub const B_TXT: TextId"));
}

#[test]
fn a_file_that_an_importer_missed_is_read_once_it_exists() {
    let project = project(&[("a.list", b"1\ntry more.bin\n")]);
    let imported = || build(&project).build().unwrap().imported();
    assert_eq!((imported(), data(&project, "a.list")), (1, vec![1, 1]));
    assert_eq!(imported(), 0);
    project.write("more.bin", &[9]);
    assert_eq!((imported(), data(&project, "a.list")), (2, vec![1, 1, 9]));
}

#[test]
fn importers_of_two_projects_do_not_share_their_results() {
    let (one, two) = (project(&[("a.list", b"1\n")]), project(&[("a.list", b"1\n")]));
    let shared = tempfile::tempdir().unwrap();
    for project in [&one, &two] {
        assert_eq!(build(project).cache_dir(shared.path()).build().unwrap().imported(), 1);
    }
}

#[test]
fn an_explanation_names_importer_rules_settings_and_input_files() {
    let project = project(&[
        ("a.list", b"include more.bin\n"),
        ("more.bin", &[7]),
        ("assets.toml", b"[\"**\"]\nnotes = true\n[\"*.list\"]\nlists = { scale = 2 }\n"),
    ]);
    let rules = |build: Build| build.rule("a.list", |rule| rule.set("lists", "scale", 3));
    let explained = rules(build(&project)).explain(&["a.list".to_owned(), "more.bin".to_owned()]).unwrap();
    let [list, more] = &explained.explanations[..] else { panic!("{explained:?}") };
    assert_eq!((list.importer.as_deref(), list.kind), (Some("lists"), Some(AssetKind::Custom)));
    assert_eq!((list.kind_reason.as_str(), list.constant.as_deref()), ("extension .list", Some("A_LIST")));
    let scale = list.settings.iter().find(|setting| setting.key == "lists.scale").unwrap();
    assert_eq!((scale.value.as_str(), scale.set_by.as_ref().unwrap().rule.as_str()), ("3", "a.list"));
    assert_eq!(scale.overridden.iter().map(|by| by.value.as_str()).collect::<Vec<_>>(), ["2"]);
    let title = list.settings.iter().find(|setting| setting.key == "lists.title").unwrap();
    assert_eq!((title.value.as_str(), &title.set_by), ("none", &None));
    assert_eq!(list.rules[1].keys, ["lists.scale"]);
    assert_eq!(list.import.as_ref().unwrap().inputs, ["more.bin"]);
    assert_eq!((more.importer.as_deref(), &more.read_by[..]), (Some("raw"), &["a.list".to_owned()][..]));

    let planned = rules(build(&project)).plan().unwrap();
    assert_eq!((planned[0].kind, planned[0].importer.as_str()), (None, "lists"));
}

#[cfg(all(feature = "image", feature = "sound"))]
mod media {
    use rres_format::chunk::PayloadView;
    use rres_format::chunk::image::ImageView;
    use rres_format::chunk::image::PixelFormat;
    use rres_format::chunk::wave::WaveView;

    use super::*;

    /// A grey picture and a tone.
    struct Media;

    impl Importer for Media {
        fn describe(&self) -> Description {
            Description::new("media", 1).reads(["media"]).makes(AssetKind::Image).makes(AssetKind::Sound)
        }

        fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
            let pixels = if source.bytes().is_empty() { &[7; 3][..] } else { &[7; 4] };
            let tone: Vec<f32> = (0..800).map(|i| (i % 2) as f32 - 0.5).collect();
            let sound = source.sound(8000, 2, &tone)?.named("tone");
            Ok(vec![source.image(2, 2, PixelFormat::GRAY8, pixels)?.with_dependency("a.txt"), sound])
        }
    }

    #[test]
    fn pictures_and_sounds_obey_the_settings_of_their_kinds() {
        let project = project(&[
            ("a.media", b"x"),
            ("a.txt", b"words"),
            (
                "assets.toml",
                b"[\"*.media\"]\nimage = { format = \"rgba8\" }\nsound = { sample = \"u8\", channels = \"mono\" }\n",
            ),
        ]);
        project.build().importer(Media).build().unwrap();
        let bytes = std::fs::read(project.out().join("game.rres")).unwrap();
        let view = PackView::parse(&bytes).unwrap();
        let block = |path| {
            let chunk = view.find(ResourceId::from_path(path)).unwrap().unwrap();
            chunk.decode(&mut Default::default()).unwrap()
        };
        let (image, tone) = (block("a.media"), block("a.media#tone"));
        let image = ImageView::parse(image.view().unwrap()).unwrap();
        assert_eq!((image.props().format, &image.level(0).unwrap()[..4]), (PixelFormat::RGBA8, &[7, 7, 7, 255][..]));
        let payload: PayloadView<'_> = tone.view().unwrap();
        let tone = WaveView::parse(payload).unwrap().props();
        assert_eq!((tone.frames, tone.channels, tone.sample_size), (400, 1, 8));

        let explained = project.build().importer(Media).explain(&["a.media".to_owned()]).unwrap();
        assert_eq!(explained.explanations[0].import.as_ref().unwrap().resources[0].dependencies, ["a.txt"]);

        project.write("a.media", b"");
        let found = fails(project.build().importer(Media));
        assert!(found.contains("a.media: became 2×2 GRAY8 with 3 bytes of pixels, expected 4"), "{found}");
    }
}
