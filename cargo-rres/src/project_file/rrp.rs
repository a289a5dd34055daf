//! `.rrp`, the projects of rrespacker.
//!
//! ```text
//! # comment
//! f PATH@NAME,LINK,RAW,ID,COMPRESSION,CIPHER
//! ```
//!
//! PATH is the file and NAME its path in the pack. LINK and RAW are 0 or 1, ID is hexadecimal with `0x` or decimal, and 0 for the
//! CRC-32 of NAME. COMPRESSION and CIPHER are the numbers of `rres.h`. Nothing is escaped: a comma belongs to PATH or NAME
//! unless it is one of the last five, and which `@` separates them is a guess, see [`Record::targets`].

use std::fmt::Write as _;

use rres_format::{Cipher, Compression};

use super::{MAX_FAULTS, MAX_FILES, Remark, lines, shown, too_many_faults};

/// One file of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) line: u32,
    /// `PATH@NAME`.
    pub(crate) target: String,
    /// The pack contains the path of the file instead of its bytes.
    pub(crate) is_link: bool,
    /// The pack contains the bytes of the file as they are.
    pub(crate) is_raw: bool,
    /// 0 for the CRC-32 of the name.
    pub(crate) id: u32,
    pub(crate) compression: Compression,
    pub(crate) cipher: Cipher,
}

/// What a project says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Project {
    pub(crate) records: Vec<Record>,
    /// Lines that cannot be understood.
    pub(crate) faults: Vec<Remark>,
    /// What looks wrong and can be read nevertheless.
    pub(crate) warnings: Vec<Remark>,
}

/// The longest record: two paths of the length that Linux allows.
const MAX_LENGTH: usize = 2 * 4096;

const EXPECTED: &str = "expected `f PATH@NAME,LINK,RAW,ID,COMPRESSION,CIPHER`";

/// Reads the text of a project.
pub(crate) fn parse(text: &str) -> Project {
    let mut project = Project::default();
    let mut announced = None;
    for (line, text) in lines(text) {
        let text = text.trim();
        if let Some(comment) = text.strip_prefix('#') {
            announced = announced.or_else(|| Some((line, announced_count(comment)?)));
            continue;
        }
        if text.is_empty() {
            continue;
        }
        if project.faults.len() >= MAX_FAULTS {
            project.faults.push(too_many_faults(line));
            break;
        }
        if project.records.len() == MAX_FILES {
            let message = format!("the project has more than {MAX_FILES} files, and a pack holds no more");
            project.faults.push(Remark::new(line, message));
            break;
        }
        match text.strip_prefix('f').filter(|rest| rest.starts_with([' ', '\t'])) {
            Some(rest) => match parse_record(line, rest.trim_start()) {
                Ok(record) => project.records.push(record),
                Err(faults) => project.faults.extend(faults),
            },
            None => {
                project.faults.push(Remark::new(line, format!("unknown record \"{}\", {EXPECTED}", shown(text))));
            }
        }
    }
    let found = project.records.len();
    if let Some((line, count)) = announced.filter(|(_, count)| *count != found && project.faults.is_empty()) {
        let message = format!("the header announces {count} files, and the project has {found}: lines may be missing");
        project.warnings.push(Remark::new(line, message));
    }
    project
}

/// The number in the comment `Number of files: 20`.
fn announced_count(comment: &str) -> Option<usize> {
    comment.trim().strip_prefix("Number of files:")?.trim().parse().ok()
}

fn parse_record(line: u32, text: &str) -> Result<Record, Vec<Remark>> {
    if text.len() > MAX_LENGTH {
        return Err(vec![Remark::new(line, format!("the record is longer than {MAX_LENGTH} bytes"))]);
    }
    let mut fields: Vec<&str> = text.rsplitn(6, ',').map(str::trim).collect();
    let found = fields.len();
    fields.reverse();
    let [target, link, raw, id, compression, cipher] = fields[..] else {
        let message = format!("found {found} of 6 fields separated by commas, {EXPECTED}");
        return Err(vec![Remark::new(line, message)]);
    };
    let mut faults = Vec::new();
    let mut wrong = |what: &str, found: &str, expected: &str| {
        faults.push(Remark::new(line, format!("{what} is \"{}\", expected {expected}", shown(found))));
    };
    if target.is_empty() || target.starts_with('@') {
        wrong("the path", target, "the path of a file");
    }
    let mut flag = |what: &str, text: &str| match text {
        "0" => false,
        "1" => true,
        other => {
            wrong(what, other, "0 or 1");
            false
        }
    };
    let (is_link, is_raw) = (flag("the external link", link), flag("the raw flag", raw));
    let parsed_id = match id.strip_prefix("0x").or_else(|| id.strip_prefix("0X")) {
        Some(digits) if !digits.starts_with('+') => u32::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None => id.parse().ok(),
    };
    if parsed_id.is_none() {
        wrong("the id", id, "a number of 32 bits such as 0x1f0188ce, or 0");
    }
    let parsed_compression = compression.parse().ok().map(Compression).filter(|known| known.name().is_some());
    let parsed_compression = parsed_compression.filter(|known| known.is_of_rres());
    if parsed_compression.is_none() {
        wrong("the compression", compression, "0 (none), 10 (DEFLATE), 20 (LZ4) or 40 (QOI)");
    }
    let parsed_cipher = cipher.parse().ok().map(Cipher).filter(|known| known.name().is_some());
    if parsed_cipher.is_none() {
        wrong("the cipher", cipher, "0 (none), 30 (AES) or 73 (XChaCha20-Poly1305)");
    }
    match (parsed_id, parsed_compression, parsed_cipher) {
        (Some(id), Some(compression), Some(cipher)) if faults.is_empty() => {
            Ok(Record { line, target: target.to_owned(), is_link, is_raw, id, compression, cipher })
        }
        _ => Err(faults),
    }
}

impl Record {
    /// Returns the paths and names that the record may mean, the most likely first: names of files may contain `@`, too.
    ///
    /// rrespacker proposes the end of the path as the name, so an `@` between a path and its end comes first. Then come the
    /// others from the last to the first, and the whole as a path without a name.
    pub(crate) fn targets(&self) -> Vec<(&str, Option<&str>)> {
        let target = self.target.as_str();
        let splits = target.match_indices('@').map(|(at, _)| (&target[..at], &target[at + 1..]));
        let mut splits: Vec<(&str, Option<&str>)> = splits
            .filter(|(path, name)| !path.is_empty() && !name.is_empty())
            .map(|(path, name)| (path, Some(name)))
            .collect();
        splits.reverse();
        splits.sort_by_key(|(path, name)| name.is_none_or(|name| !is_end(path, name)));
        splits.push((target, None));
        splits
    }
}

/// Whether a path ends in a name, whatever separates its folders.
fn is_end(path: &str, name: &str) -> bool {
    let same = |(a, b): (u8, u8)| a == b || matches!((a, b), (b'/' | b'\\', b'/' | b'\\'));
    let Some(rest) = path.len().checked_sub(name.len()) else { return false };
    let is_whole = rest == 0 || matches!(path.as_bytes()[rest - 1], b'/' | b'\\');
    is_whole && path.bytes().skip(rest).zip(name.bytes()).all(same)
}

/// Returns the text of a project.
pub(crate) fn write(records: &[Record]) -> String {
    let mut text = format!(
        "#\n# rrp v1.0 - rres project text file, written by cargo-rres\n#\n# \
         f <path@name>,<external-link>,<force-raw>,<custom-id>,<compressor>,<cipher>\n#\n# Number of files:     {}\n#\n",
        records.len()
    );
    for Record { target, is_link, is_raw, id, compression, cipher, .. } in records {
        let (link, raw) = (u8::from(*is_link), u8::from(*is_raw));
        // Writing to a string never fails.
        let _ = writeln!(text, "f {target},{link},{raw},0x{id:08x},{},{}", compression.0, cipher.0);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<(u32, String)> {
        let project = parse(text);
        project.faults.into_iter().chain(project.warnings).map(|fault| (fault.line, fault.message)).collect()
    }

    fn target(target: &str) -> Record {
        parse(&format!("f {target},0,0,0,0,0")).records.remove(0)
    }

    #[test]
    fn a_record_is_read_with_line_breaks_and_spaces_of_any_sort() {
        let text = "#\r\n\r\n# Number of files:     2\r\nf C:\\a\\b.png@b.png,0,1,0x0000001F,40,73\r\n \tf\ta.txt@b , 1, 0 ,7,10,30 \n";
        let project = parse(text);
        assert_eq!((&project.faults, &project.warnings), (&vec![], &vec![]));
        let expected = Record {
            line: 4,
            target: "C:\\a\\b.png@b.png".to_owned(),
            is_link: false,
            is_raw: true,
            id: 31,
            compression: Compression::QOI,
            cipher: Cipher::XCHACHA20_POLY1305,
        };
        assert_eq!(project.records[0], expected);
        let second = &project.records[1];
        assert_eq!((second.line, second.target.as_str(), second.is_link, second.id), (5, "a.txt@b", true, 7));
    }

    #[test]
    fn commas_belong_to_the_names() {
        assert_eq!(target("a,b.txt@x, y.txt").targets()[0], ("a,b.txt", Some("x, y.txt")));
    }

    #[test]
    fn the_end_of_the_path_is_the_most_likely_name() {
        for (text, path, name) in [
            ("C:\\g\\s@2x.png@res/s@2x.png", "C:\\g\\s@2x.png", Some("res/s@2x.png")),
            ("C:\\g\\res\\s@2x.png@res/s@2x.png", "C:\\g\\res\\s@2x.png", Some("res/s@2x.png")),
            ("res/s@2x.png@s@2x.png", "res/s@2x.png", Some("s@2x.png")),
            ("a.png@hero.png", "a.png", Some("hero.png")),
            ("a.png", "a.png", None),
        ] {
            let record = target(text);
            // The first case has no end that fits, so files decide.
            let found = record.targets();
            let expected = (path, name);
            assert!(
                found[0] == expected || text.contains("C:\\g\\s") && found.contains(&expected),
                "{text}: {found:?}"
            );
        }
        assert_eq!(target("x@y@z").targets(), [("x@y", Some("z")), ("x", Some("y@z")), ("x@y@z", None)]);
    }

    #[test]
    fn every_fault_is_reported_with_its_line() {
        let text =
            "f a@b,2,x,0x1ffffffff,30,0\ng a\nf a@b,0,0,0\nf a@b,0,0,-1,50,99\nf ,0,0,0,0,0\nf a@b,0,0,0x+1,0,0\nfoo\n";
        let expected = [
            (1, "the external link is \"2\", expected 0 or 1"),
            (1, "the raw flag is \"x\", expected 0 or 1"),
            (1, "the id is \"0x1ffffffff\", expected a number of 32 bits such as 0x1f0188ce, or 0"),
            (2, "unknown record \"g a\", expected `f PATH@NAME,LINK,RAW,ID,COMPRESSION,CIPHER`"),
            (3, "found 4 of 6 fields separated by commas, expected `f PATH@NAME,LINK,RAW,ID,COMPRESSION,CIPHER`"),
            (4, "the id is \"-1\", expected a number of 32 bits such as 0x1f0188ce, or 0"),
            (4, "the compression is \"50\", expected 0 (none), 10 (DEFLATE), 20 (LZ4) or 40 (QOI)"),
            (4, "the cipher is \"99\", expected 0 (none), 30 (AES) or 73 (XChaCha20-Poly1305)"),
            (5, "the path is \"\", expected the path of a file"),
            (6, "the id is \"0x+1\", expected a number of 32 bits such as 0x1f0188ce, or 0"),
            (7, "unknown record \"foo\", expected `f PATH@NAME,LINK,RAW,ID,COMPRESSION,CIPHER`"),
        ];
        let found = messages(text);
        assert_eq!(found, expected.map(|(line, message)| (line, message.to_owned())));
    }

    #[test]
    fn a_project_that_was_cut_off_is_noticed() {
        let found = messages("# Number of files: 2\nf a@b,0,0,0,0,0\n");
        assert_eq!(
            found,
            [(1, "the header announces 2 files, and the project has 1: lines may be missing".to_owned())]
        );
    }

    #[test]
    fn hostile_projects_are_bounded() {
        let long = format!("f {}@b,0,0,0,0,0\n", "@".repeat(9000));
        assert!(messages(&long)[0].1.contains("longer than 8192 bytes"));
        assert_eq!(parse(&"x\n".repeat(9000)).faults.len(), MAX_FAULTS + 1);
        let many = "f a@b,0,0,0,0,0\n".repeat(MAX_FILES + 10);
        let project = parse(&many);
        assert_eq!((project.records.len(), project.faults.len(), project.faults[0].line), (MAX_FILES, 1, 65_536));
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = "f a, b@c.txt@d@e,1,0,0x0000002a,0,0\nf x@y,0,1,0,20,30\n";
        let records = parse(text).records;
        let again = parse(&write(&records));
        let without_lines = |records: &[Record]| -> Vec<Record> {
            records.iter().map(|record| Record { line: 0, ..record.clone() }).collect()
        };
        assert_eq!(without_lines(&again.records), without_lines(&records));
        assert_eq!((again.faults.len(), again.warnings.len()), (0, 0));
    }
}
