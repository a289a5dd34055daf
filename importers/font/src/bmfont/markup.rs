//! Descriptions as lines of `key=value` or as XML: both are a list of tags with attributes.

use rres_format::index::GlyphForm;

use super::ImportError;
use super::description::{Channels, Description, GlyphOf, character};

/// A tag with its attributes, and the line that it is in.
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
    line: u32,
}

pub(super) fn read(text: &str) -> Result<Description, ImportError> {
    let tags = if text.trim_start().starts_with('<') { xml_tags(text)? } else { line_tags(text)? };
    let mut description = Description::default();
    let mut pages: Vec<(i64, String, u32)> = Vec::new();
    for tag in &tags {
        if matches!(tag.name.as_str(), "char" | "kerning") {
            description.rounded.extend(tag.rounded().map(str::to_owned));
        }
        match tag.name.as_str() {
            "info" => {
                // A negative size is the size of the letters instead of the line.
                let size = tag.number("size")?.unwrap_or(0).unsigned_abs();
                description.size = u32::try_from(size).unwrap_or(u32::MAX);
                description.is_bold = tag.number("bold")? == Some(1);
                description.is_italic = tag.number("italic")? == Some(1);
                let padding = tag.text("padding").and_then(|list| list.split(',').next()?.trim().parse().ok());
                description.padding = padding.unwrap_or(0);
            }
            "common" => {
                description.line_height = tag.fraction("lineHeight")?;
                description.base = tag.fraction("base")?;
                description.scale = (tag.required("scaleW")?, tag.required("scaleH")?);
            }
            "page" => {
                let file = tag.text("file").ok_or_else(|| tag.lacks("file"))?;
                pages.push((tag.required("id")?, file.to_owned(), tag.line));
            }
            "char" => {
                let id = character(tag.required("id")?).map_err(|message| tag.fault(&message))?;
                let Some(character) = id else { continue };
                description.glyphs.push(GlyphOf {
                    character,
                    x: tag.required("x")?,
                    y: tag.required("y")?,
                    width: tag.required("width")?,
                    height: tag.required("height")?,
                    offset_x: tag.required("xoffset")?,
                    offset_y: tag.required("yoffset")?,
                    advance: tag.fraction("xadvance")?,
                    page: tag.number("page")?.unwrap_or(0).try_into().unwrap_or(u32::MAX),
                    channels: Channels::of(tag.number("chnl")?.unwrap_or(15)),
                    line: tag.line,
                });
            }
            "kerning" => {
                let amount = tag.required("amount")?;
                let of = |key| character(tag.required(key)?).map_err(|message| tag.fault(&message));
                if let (Some(first), Some(second)) = (of("first")?, of("second")?) {
                    description.kernings.push((first, second, amount));
                }
            }
            // As msdf-bmfont writes it.
            "distanceField" => {
                let range = tag.number("distanceRange")?.unwrap_or(4);
                let form = if tag.text("fieldType") == Some("sdf") { GlyphForm::Sdf } else { GlyphForm::Msdf };
                description.field = Some((form, range as f32));
            }
            _ => {}
        }
    }
    description.complete_size();
    pages.sort();
    if let Some((number, (id, _, line))) = pages.iter().enumerate().find(|(number, page)| page.0 != *number as i64) {
        let message = format!("numbers a page {id}, expected {number}: pages are counted from 0");
        return Err(ImportError::new(message).with_help("export the font again").at(*line, 1));
    }
    description.pages = pages.into_iter().map(|page| page.1).collect();
    description.glyphs.sort_by_key(|glyph| glyph.character);
    Ok(description)
}

impl Tag {
    fn text(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// A whole number. Some programs write `12.0`.
    fn number(&self, key: &str) -> Result<Option<i64>, ImportError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let text = text.trim();
        let rounded = || {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && number.abs() < 1e9)?;
            Some(number.round() as i64)
        };
        match text.parse().ok().or_else(rounded) {
            Some(number) => Ok(Some(number)),
            None => Err(self.fault(&format!("has `{key}` = \"{text}\" in `{}`, expected a number", self.name))),
        }
    }

    /// A number that may have parts of pixels.
    fn fraction(&self, key: &str) -> Result<f32, ImportError> {
        self.number(key)?.ok_or_else(|| self.lacks(key))?;
        let number = self.text(key).and_then(|text| text.trim().parse::<f32>().ok());
        number.filter(|number| number.abs() < 1e9).ok_or_else(|| {
            self.fault(&format!("has `{key}` in `{}`, which is out of range, expected less than 1000000000", self.name))
        })
    }

    /// The attributes that [`Self::number`] rounds, without those that [`Self::fraction`] reads.
    fn rounded(&self) -> impl Iterator<Item = &str> {
        let is_fraction = |text: &str| text.trim().parse::<f64>().is_ok_and(|number| number.fract() != 0.0);
        let rounded = self.attributes.iter().filter(move |(key, value)| key != "xadvance" && is_fraction(value));
        rounded.map(|(key, _)| key.as_str())
    }

    fn required<T: TryFrom<i64>>(&self, key: &str) -> Result<T, ImportError> {
        let number = self.number(key)?.ok_or_else(|| self.lacks(key))?;
        T::try_from(number)
            .map_err(|_| self.fault(&format!("has `{key}` = {number} in `{}`, which is out of range", self.name)))
    }

    fn lacks(&self, key: &str) -> ImportError {
        self.fault(&format!("has `{}` without `{key}`", self.name))
    }

    fn fault(&self, message: &str) -> ImportError {
        ImportError::new(message).with_help("export the font again, or correct the line").at(self.line, 1)
    }
}

/// One tag per line: `char id=65 x=0 …`.
fn line_tags(text: &str) -> Result<Vec<Tag>, ImportError> {
    let mut tags = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let number = number as u32 + 1;
        let line = line.trim();
        let (name, mut rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if name.is_empty() {
            continue;
        }
        let mut tag = Tag { name: name.to_owned(), attributes: Vec::new(), line: number };
        loop {
            rest = rest.trim_start();
            let Some((key, value)) = rest.split_once('=') else { break };
            let value = value.trim_start();
            let (value, after) = match value.strip_prefix('"') {
                Some(quoted) => {
                    quoted.split_once('"').ok_or_else(|| tag.fault("has a text without its closing quote"))?
                }
                None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
            };
            tag.attributes.push((key.trim().to_owned(), value.to_owned()));
            rest = after;
        }
        tags.push(tag);
    }
    Ok(tags)
}

/// The tags of an XML document, in order. What is between them means nothing in a description.
fn xml_tags(text: &str) -> Result<Vec<Tag>, ImportError> {
    let mut tags = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(start) = rest.find('<') {
        line += count_lines(&rest[..start]);
        rest = &rest[start..];
        let end = match rest {
            _ if rest.starts_with("<!--") => rest.find("-->").map(|end| end + 3),
            _ => tag_end(rest),
        };
        let at = |message: &str| ImportError::new(message).with_help("export the font again").at(line, 1);
        let end = end.ok_or_else(|| at("has a tag that does not end"))?;
        let (inside, after) = rest.split_at(end);
        let body = inside.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
        if !body.starts_with(['/', '?', '!']) {
            let (name, mut list) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
            let mut tag = Tag { name: name.to_owned(), attributes: Vec::new(), line };
            loop {
                list = list.trim_start();
                let Some((key, value)) = list.split_once('=') else { break };
                let value = value.trim_start();
                let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
                let quote = quote.ok_or_else(|| at("has an attribute without quotes"))?;
                let (value, after) =
                    value[1..].split_once(quote).ok_or_else(|| at("has an attribute without its closing quote"))?;
                tag.attributes.push((key.trim().to_owned(), unescape(value)));
                list = after;
            }
            tags.push(tag);
        }
        line += count_lines(inside);
        rest = after;
    }
    Ok(tags)
}

fn count_lines(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32
}

/// The end of a tag; `>` in quotes does not end it.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return Some(at + 1),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

/// The text of an attribute, with the five named entities and numbers of characters replaced.
fn unescape(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let entity = rest.find(';').map(|end| &rest[1..end]);
        let number = |digits: &str| match digits.strip_prefix('x') {
            Some(digits) => u32::from_str_radix(digits, 16).ok().and_then(char::from_u32),
            None => digits.parse().ok().and_then(char::from_u32),
        };
        let character = entity.and_then(|entity| match entity {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => number(entity.strip_prefix('#')?),
        });
        match (character, entity) {
            (Some(character), Some(entity)) => {
                out.push(character);
                rest = &rest[entity.len() + 2..];
            }
            _ => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}
