//! Data and previews → one HTML file that needs nothing else.
//!
//! The page consists of `page/page.html`, with the style sheet and the scripts in it, and two blocks of data: `data`, which
//! the page reads at once, and `details`; the page reads an asset from there when it shows it. The browser parses neither as
//! HTML or script. A content security policy lets only our own script run, and the page loads nothing from anywhere.

use serde_json::{Value, json};

use super::preview::Preview;

const PAGE: &str = include_str!("page/page.html");

const STYLE: &str = include_str!("page/style.css");

/// The scripts in the order of their execution. Each uses the scripts before it.
const SCRIPTS: [&str; 12] = [
    include_str!("page/basics.js"),
    include_str!("page/data.js"),
    include_str!("page/treemap.js"),
    include_str!("page/table.js"),
    include_str!("page/blocks.js"),
    include_str!("page/image.js"),
    include_str!("page/sound.js"),
    include_str!("page/font.js"),
    include_str!("page/model.js"),
    include_str!("page/text.js"),
    include_str!("page/detail.js"),
    include_str!("page/main.js"),
];

/// What the page shows of one asset when it is chosen.
pub(super) struct Detail {
    /// What `cargo rres info` reports about it.
    pub(super) info: Value,
    pub(super) preview: Preview,
}

/// Returns the page.
pub(super) fn html(mut data: Value, details: &[Detail]) -> String {
    let (details, places) = details_block(details);
    data["places"] = places;
    let data = in_script(&data);
    // Nobody who names an asset can know a hash of all names and pictures.
    let nonce =
        blake3::Hasher::new().update(data.as_bytes()).update(details.as_bytes()).finalize().to_hex()[..32].to_owned();
    let scripts = format!("(() => {{\n'use strict';\n{}}})();", SCRIPTS.join("\n"));
    let mut html = String::with_capacity(PAGE.len() + STYLE.len() + scripts.len() + data.len() + details.len());
    let mut rest = PAGE;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(b, rest)| Some((b, rest.split_once("}}")?)))
    {
        html += before;
        html += match name {
            "nonce" => &nonce,
            "version" => env!("CARGO_PKG_VERSION"),
            "style" => STYLE,
            "script" => &scripts,
            "data" => &data,
            _ => &details,
        };
        rest = after;
    }
    html + rest
}

/// Marks a file as one that this command has written and may replace.
pub(super) const MARK: &str = r#"<meta name="generator" content="cargo rres report "#;

/// Returns the data in a page.
pub(super) fn data(html: &str) -> Option<&str> {
    let (_, data) = html.split_once(r#"<script type="application/json" id="data">"#)?;
    Some(data.split_once("</script>")?.0)
}

/// Returns the details of all assets, one after the other, and where each begins and how long it is: its thumbnail, and all
/// of it. The places are numbers of characters. All of them are ASCII.
fn details_block(details: &[Detail]) -> (String, Value) {
    let mut block = String::new();
    let mut places = Vec::with_capacity(details.len());
    for Detail { info, preview } in details {
        let start = block.len();
        block += &in_script(&json!({ "info": info, "preview": preview.value }));
        let end = block.len();
        let mut thumbnail = (0, 0);
        if let Some(uri) = &preview.thumbnail {
            // A small picture is its own thumbnail.
            thumbnail = match block[start..end].find(uri.as_str()) {
                Some(at) => (start + at, uri.len()),
                None => {
                    block += uri;
                    (end, uri.len())
                }
            };
        }
        block.push('\n');
        places.push(json!([thumbnail.0, thumbnail.1, start, end - start]));
    }
    (block, places.into())
}

/// Returns JSON that cannot end the script element which contains it, in ASCII.
fn in_script(value: &Value) -> String {
    let json = value.to_string();
    let mut ascii = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // Outside of strings, JSON has neither of these.
            '<' | '>' | '&' | '\u{7f}'.. => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    ascii += &format!("\\u{unit:04x}");
                }
            }
            _ => ascii.push(c),
        }
    }
    ascii
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(name: &str, thumbnail: Option<&str>) -> Detail {
        let value = json!({ "type": "image", "uri": "data:small" });
        Detail { info: json!({ "path": name }), preview: Preview { value, thumbnail: thumbnail.map(str::to_owned) } }
    }

    #[test]
    fn no_name_can_end_a_script() {
        let name = "</script><script>alert(1)</script><!-- \u{2028} 🎮 {{style}}";
        let html = html(json!({ "assets": [{ "path": name }] }), &[detail(name, None)]);
        assert_eq!(html.matches("alert(1)").count(), 2);
        assert_eq!(html.matches("<script").count(), html.matches("</script>").count());
        assert_eq!(html.matches("<script").count(), 3);
        let parsed: Value = serde_json::from_str(data(&html).unwrap()).unwrap();
        assert_eq!(parsed["assets"][0]["path"], name);
        assert!(html.starts_with("<!doctype html>") && html.contains(MARK));
    }

    #[test]
    fn places_lead_to_details_and_thumbnails() {
        let details = [detail("ä", Some("data:small")), detail("b", Some("data:other")), detail("c", None)];
        let (block, places) = details_block(&details);
        let at = |asset: usize, field: usize| {
            let number = |i: usize| places[asset][field * 2 + i].as_u64().unwrap() as usize;
            &block[number(0)..number(0) + number(1)]
        };
        assert_eq!([at(0, 0), at(1, 0), at(2, 0)], ["data:small", "data:other", ""]);
        for (asset, path) in ["ä", "b", "c"].iter().enumerate() {
            let detail: Value = serde_json::from_str(at(asset, 1)).unwrap();
            assert_eq!(detail["info"]["path"], *path);
        }
    }
}
