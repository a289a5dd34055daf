//! `.cube` files of Adobe and Resolve: tables that turn colours into other colours → a 3D texture, or a row of pixels for tables with one dimension.
//!
//! The table is text: a size, then three numbers in each line, red fastest. So red is across, green down and blue the number of the slice. The numbers
//! are stored as they are. Shaders take the table as numbers, whatever colours they mean, so the image is linear.

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{ImageShape, MetaKey};
use rres_settings::ImageSettings;

use super::{Asset, Decoded, ImportError, finish, layers};

/// The extension of these files.
pub(super) const EXTENSION: &str = "cube";

/// The largest sizes that the format allows.
const MAX_1D: u32 = 65_536;
const MAX_3D: u32 = 256;

/// How many faults are printed at once.
const MAX_FAULTS: usize = 5;

/// Makes the image of a file.
pub(super) fn import(bytes: &[u8], settings: &ImageSettings) -> Result<Asset, ImportError> {
    let table = Table::parse(bytes)?;
    let (size, height, shape) = match table.size {
        Size::One(size) => (size, 1, ImageShape::Flat),
        Size::Three(size) => (size, size * size, ImageShape::Volume(size)),
    };
    let props = ImageProps { width: size, height, format: PixelFormat::RGB32F, mipmaps: 1 };
    let mut decoded = Decoded::zeroed(props)?;
    for (to, number) in decoded.data_mut().chunks_exact_mut(4).zip(&table.numbers) {
        to.copy_from_slice(&number.to_le_bytes());
    }
    (decoded.linear, decoded.shape) = (true, shape);
    let mut image =
        if shape == ImageShape::Flat { finish(decoded, settings)? } else { layers::of_texture(decoded, settings)? };
    let keys = [
        [MetaKey::DOMAIN_START_RED, MetaKey::DOMAIN_START_GREEN, MetaKey::DOMAIN_START_BLUE],
        [MetaKey::DOMAIN_END_RED, MetaKey::DOMAIN_END_GREEN, MetaKey::DOMAIN_END_BLUE],
    ];
    for (usual, (keys, numbers)) in [0.0, 1.0].into_iter().zip(keys.iter().zip(table.domain)) {
        for (key, number) in keys.iter().zip(numbers).filter(|(_, number)| *number != usual) {
            image.meta.set_f32(*key, number);
        }
    }
    if !table.title.is_empty() {
        image.summary += &format!(" \"{}\"", table.title);
    }
    Ok(image)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    One(u32),
    Three(u32),
}

/// What a file says.
struct Table {
    title: String,
    size: Size,
    /// The first and the last colour that the table is for.
    domain: [[f32; 3]; 2],
    numbers: Vec<f32>,
}

impl Table {
    fn parse(bytes: &[u8]) -> Result<Self, ImportError> {
        let mut reader = Reader::default();
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            let line = String::from_utf8_lossy(line);
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                reader.line(number, line);
            }
        }
        reader.finish()
    }
}

/// The file so far.
#[derive(Default)]
struct Reader {
    title: String,
    size: Option<Size>,
    domain: Option<[[f32; 3]; 2]>,
    numbers: Vec<f32>,
    /// The lines of the table so far, damaged ones as well.
    lines: u64,
    faults: Vec<String>,
    fault_count: usize,
}

impl Reader {
    fn fault(&mut self, line: u32, what: &str) {
        self.fault_count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(format!("line {line}: {what}"));
        }
    }

    fn line(&mut self, at: u32, line: &str) {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        if first.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            self.entry(at, line);
            return;
        }
        match first {
            "TITLE" => {
                let title = line[first.len()..].trim().trim_matches('"');
                self.title = title.chars().filter(|c| !c.is_control()).take(80).collect();
            }
            "LUT_1D_SIZE" | "LUT_3D_SIZE" => self.size(at, first, words.next(), words.next()),
            "DOMAIN_MIN" | "DOMAIN_MAX" => {
                let Some(numbers) = numbers(words).and_then(|numbers| <[f32; 3]>::try_from(numbers).ok()) else {
                    return self.fault(at, &format!("{first} without three numbers"));
                };
                let domain = self.domain.get_or_insert([[0.0; 3], [1.0; 3]]);
                domain[usize::from(first == "DOMAIN_MAX")] = numbers;
            }
            // How Resolve writes the same for all channels.
            "LUT_1D_INPUT_RANGE" | "LUT_3D_INPUT_RANGE" => match numbers(words).as_deref() {
                Some([start, end]) => self.domain = Some([[*start; 3], [*end; 3]]),
                _ => self.fault(at, &format!("{first} without two numbers")),
            },
            _ => {
                let word: String = first.chars().take(40).collect();
                self.fault(at, &format!("unknown keyword {word}"));
            }
        }
    }

    fn size(&mut self, at: u32, keyword: &str, number: Option<&str>, rest: Option<&str>) {
        let is_1d = keyword == "LUT_1D_SIZE";
        let most = if is_1d { MAX_1D } else { MAX_3D };
        let Some(size) =
            number.and_then(|number| number.parse().ok()).filter(|size| (2..=most).contains(size) && rest.is_none())
        else {
            return self.fault(at, &format!("{keyword} without a number from 2 to {most}"));
        };
        if self.size.is_some() {
            return self.fault(at, "a second size: files with two tables are not supported");
        }
        self.size = Some(if is_1d { Size::One(size) } else { Size::Three(size) });
    }

    fn entry(&mut self, at: u32, line: &str) {
        self.lines += 1;
        match numbers(line.split_whitespace()).as_deref() {
            Some(entry @ [_, _, _]) => self.numbers.extend_from_slice(entry),
            _ => self.fault(at, "expected three numbers"),
        }
    }

    fn finish(mut self) -> Result<Table, ImportError> {
        let expected = self.size.map(|size| match size {
            Size::One(size) => u64::from(size),
            Size::Three(size) => u64::from(size).pow(3),
        });
        match expected {
            None => {
                self.fault_count += 1;
                self.faults.insert(0, "it has no LUT_1D_SIZE or LUT_3D_SIZE".to_owned());
            }
            Some(expected) if expected != self.lines => {
                self.fault_count += 1;
                self.faults
                    .insert(0, format!("it has {} lines of numbers, expected {expected} by its size", self.lines));
            }
            Some(_) => {}
        }
        let domain = self.domain.unwrap_or([[0.0; 3], [1.0; 3]]);
        if domain[0].iter().zip(domain[1]).any(|(start, end)| *start >= end) {
            self.fault_count += 1;
            self.faults.insert(0, "its domain ends before it begins".to_owned());
        }
        let (Some(size), 0) = (self.size, self.fault_count) else {
            self.faults.truncate(MAX_FAULTS);
            let more = match self.fault_count - self.faults.len() {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            let message = format!("is not a table of colours (.cube): {}{more}", self.faults.join("; "));
            return Err(ImportError::new(message).with_help(
                "export it again as .cube, or store its bytes with kind = \"raw\" if it is for another program",
            ));
        };
        Ok(Table { title: self.title, size, domain, numbers: self.numbers })
    }
}

/// Up to four numbers; `None` if one is none.
fn numbers<'a>(words: impl Iterator<Item = &'a str>) -> Option<Vec<f32>> {
    words.take(4).map(|word| word.parse().ok().filter(|number: &f32| number.is_finite())).collect()
}
