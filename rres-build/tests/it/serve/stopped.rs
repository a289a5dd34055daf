//! An import that takes too long: its thread cannot be stopped, but the process can.

use super::*;

/// A layer whose cel is 65,535 pixels wide on a picture 1 pixel wide: hardly any memory, and minutes of work without optimisation.
fn slow_picture() -> Vec<u8> {
    let words = |words: &[u16]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let chunk =
        |kind: u16, data: &[u8]| [&(data.len() as u32 + 6).to_le_bytes()[..], &kind.to_le_bytes(), data].concat();
    let layer = chunk(0x2004, &[&words(&[1, 0, 0, 0, 0, 0])[..], &[255, 0, 0, 0, 0, 0]].concat());
    let mut zeros = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    (0..400).for_each(|_| zeros.write_all(&[0; 65535 * 4]).unwrap());
    let cel =
        [&words(&[0, 0, 0])[..], &[255], &words(&[2, 0]), &[0; 5], &words(&[65535, 400]), &zeros.finish().unwrap()];
    let link = chunk(0x2005, &[&words(&[0, 0, 0])[..], &[255], &words(&[1, 0]), &[0; 5], &words(&[0])].concat());
    let mut out = [&[0; 4][..], &words(&[0xa5e0, 80, 1, 400, 32]), &[3, 0, 0, 0]].concat();
    out.resize(128, 0);
    for frame in 0..80 {
        let chunks = if frame == 0 { [layer.clone(), chunk(0x2005, &cel.concat())].concat() } else { link.clone() };
        out.extend((chunks.len() as u32 + 16).to_le_bytes());
        out.extend(words(&[0xf1fa, if frame == 0 { 2 } else { 1 }, 100, 0, 0, 0]));
        out.extend(chunks);
    }
    out
}

#[test]
fn an_import_that_takes_too_long_is_named_stopped_and_not_tried_again() {
    let mut files = sources_and_list();
    files.push(("assets.toml", b"[\"**\"]\nimage.frames = \"all\"\n"));
    let project = built(&files);
    let notes = project.dir.path().join("notes");
    let start = || {
        let mut command = command(&project);
        command.env("RRES_IMPORT_SECONDS", "4");
        Server::start_noting(command, fs::File::create(&notes).unwrap())
    };
    let mut server = start();
    project.write("slow.aseprite", &slow_picture());
    let (answer, _) = server.update();
    let is_stopped = |line: &String| line.starts_with("failed\tslow.aseprite\t") && line.contains("was stopped after ");
    assert!(answer.iter().any(is_stopped), "{answer:?}");
    let noted = fs::read_to_string(&notes).unwrap();
    assert!(noted.contains("rres: still importing") && noted.contains("slow.aseprite after "), "{noted}");
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
    fs::remove_file(project.assets().join("slow.aseprite")).unwrap();
    project.write("slow.aseprite", b"short");
    let (mended, _) = server.update();
    assert!(mended.iter().any(|line| line.contains("is not an Aseprite file")), "{mended:?}");
    server.end();
}
