//! Tags of SPDX in a text: `SPDX-License-Identifier: MIT`, in a comment of any language.

use crate::terms::Terms;

/// Lines of text from here to the next such line are not about the file itself.
const IGNORE: (&str, &str) = ("REUSE-IgnoreStart", "REUSE-IgnoreEnd");

/// What ends a comment on the line of a tag.
const ENDS_OF_COMMENTS: [&str; 8] = ["*/", "-->", "-}", "]]", "*)", "%>", "#}", "\"\"\""];

/// Reads the tags in a text.
pub(crate) fn read(text: &str) -> Terms {
    let mut terms = Terms::default();
    let mut is_ignored = false;
    for line in text.lines() {
        if line.contains(IGNORE.0) {
            is_ignored = true;
        } else if line.contains(IGNORE.1) {
            is_ignored = false;
        } else if !is_ignored {
            terms.add(of_line(line));
        }
    }
    terms.clean()
}

/// What one line says.
fn of_line(line: &str) -> Terms {
    let Some((_, rest)) = line.split_once("SPDX-") else { return notice(line).unwrap_or_default() };
    let Some((tag, value)) = rest.split_once(':') else { return Terms::default() };
    let value = without_end_of_comment(value.trim());
    // `<text>` is how SPDX quotes texts.
    let value = value.strip_prefix("<text>").map_or(value, |rest| rest.trim_end_matches("</text>")).trim();
    if value.is_empty() {
        return Terms::default();
    }
    let mut terms = Terms::default();
    match tag.trim() {
        "License-Identifier" => terms.license = Some(value.to_owned()),
        "FileCopyrightText" | "SnippetCopyrightText" => terms.copyright.push(value.to_owned()),
        "FileContributor" => terms.authors.push(value.to_owned()),
        "FileAttributionText" => terms.attribution = Some(value.to_owned()),
        _ => {}
    }
    terms
}

/// What a notice without a tag says, which REUSE takes as well: `Copyright 2024 A. Painter` or `© 2024 A. Painter`, with a year, so that
/// sentences about copyright are none.
fn notice(line: &str) -> Option<Terms> {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || "/*#;-!<%{'\"".contains(c));
    let line = without_end_of_comment(line.trim());
    let rest = ["Copyright", "©", "(C)"].iter().find_map(|start| line.strip_prefix(start))?.trim_start();
    let rest = ["(C)", "(c)", "©"].iter().find_map(|sign| rest.strip_prefix(sign)).unwrap_or(rest).trim_start();
    let has_year = rest.len() > 4 && rest.as_bytes()[..4].iter().all(u8::is_ascii_digit);
    has_year.then(|| Terms { copyright: vec![rest.to_owned()], ..Terms::default() })
}

fn without_end_of_comment(mut text: &str) -> &str {
    for end in ENDS_OF_COMMENTS {
        text = text.strip_suffix(end).map_or(text, str::trim_end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn tags_are_read_from_comments_of_any_language() {
        // REUSE-IgnoreStart
        for text in [
            "// SPDX-License-Identifier: MIT",
            "/* SPDX-License-Identifier: MIT */",
            "<!-- SPDX-License-Identifier: MIT -->",
            "--[[ SPDX-License-Identifier: MIT ]]",
            "SPDX-License-Identifier:MIT\r\n",
            "# REUSE-IgnoreStart\n# SPDX-License-Identifier: GPL-3.0-only\n# REUSE-IgnoreEnd\n# SPDX-License-Identifier: MIT",
        ] {
            assert_eq!(read(text).license.as_deref(), Some("MIT"), "{text}");
        }
        let terms = read(
            "SPDX-FileCopyrightText: 2011 A <a@b.c>\nSPDX-FileCopyrightText: 2012 B\nSPDX-FileContributor: C\n\
             SPDX-FileAttributionText: <text>thanks to D</text>\nSPDX-License-Identifier: MIT\n\
             SPDX-License-Identifier: CC-BY-4.0 OR X11",
        );
        // REUSE-IgnoreEnd
        assert_eq!(terms.copyright, ["2011 A <a@b.c>", "2012 B"]);
        assert_eq!((terms.authors.join(""), terms.attribution.as_deref()), ("C".to_owned(), Some("thanks to D")));
        assert_eq!(terms.license.as_deref(), Some("MIT AND (CC-BY-4.0 OR X11)"));
        // REUSE-IgnoreStart
        let notices =
            read("// Copyright 2024 A. Painter\n# © 2023 B\n/* Copyright (C) 2022 C */\n(C) 2021 D\nCopyright law\n");
        // REUSE-IgnoreEnd
        assert_eq!(notices.copyright, ["2024 A. Painter", "2023 B", "2022 C", "2021 D"]);
        assert_eq!(read("nothing: here\nSPDX\nSPDX-\nSPDX-License-Identifier:"), super::Terms::default());
    }
}
