//! The statements of an OBJ file → lists of positions, texture coordinates and normals, and the elements between them.
//!
//! Indices are counted from 0 here and checked. Statements of curves, surfaces and renderers are counted by their word.

use std::collections::{BTreeMap, HashMap};

use rres_import::ImportError;

use super::lines::{Statement, Statements, shown};

/// The index that means "none".
pub(super) const NONE: u32 = u32::MAX;

/// The contents of a file.
#[derive(Default)]
pub(super) struct Obj {
    pub(super) positions: Vec<[f32; 3]>,
    /// The colours of the positions; empty if none has one. Positions without a colour are white.
    pub(super) colors: Vec<[f32; 3]>,
    pub(super) tex_coords: Vec<[f32; 2]>,
    pub(super) normals: Vec<[f32; 3]>,
    /// The corners of all elements.
    pub(super) corners: Vec<Corner>,
    pub(super) elements: Vec<Element>,
    /// The objects, groups and materials that elements belong to.
    pub(super) parts: Vec<Part>,
    pub(super) objects: Vec<String>,
    pub(super) groups: Vec<String>,
    pub(super) materials: Vec<String>,
    /// The libraries of materials, and their lines.
    pub(super) libraries: Vec<(String, u32)>,
    /// How often each statement occurs that is left out.
    pub(super) left_out: BTreeMap<String, u64>,
    /// How many positions have a weight other than 1.
    pub(super) weights: u64,
    /// How many texture coordinates have a third number other than 0.
    pub(super) depths: u64,
    /// Whether any face is in a smoothing group.
    pub(super) is_smooth: bool,
}

/// A corner of a face, a point of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Corner {
    pub(super) position: u32,
    pub(super) tex_coord: u32,
    pub(super) normal: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Shape {
    Face,
    Line,
    Points,
}

/// A face, a line of any length, or some points.
#[derive(Clone, Copy)]
pub(super) struct Element {
    pub(super) shape: Shape,
    /// Its corners.
    pub(super) first: u32,
    pub(super) count: u32,
    /// Index of the part that it belongs to.
    pub(super) part: u32,
    /// The smoothing group; 0 for none.
    pub(super) smoothing: u32,
    pub(super) line: u32,
}

/// What elements belong to. [`NONE`] for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Part {
    pub(super) object: u32,
    pub(super) group: u32,
    pub(super) material: u32,
}

/// Names in the order of their first use.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// Reads a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Obj, ImportError> {
    let mut obj = Obj::default();
    let (mut objects, mut groups, mut materials) = (Names::default(), Names::default(), Names::default());
    let mut numbers = HashMap::new();
    let mut part = Part { object: NONE, group: NONE, material: NONE };
    let mut smoothing = 0;
    for statement in Statements::new(bytes) {
        match &*statement.word {
            "v" => obj.position(&statement)?,
            "vt" => {
                let ([u, v, depth], _) = statement.numbers(1..=3)?;
                obj.tex_coords.push([u, v]);
                obj.depths += u64::from(depth != 0.0);
            }
            "vn" => obj.normals.push(statement.numbers(3..=3)?.0),
            word @ ("f" | "fo" | "l" | "p") => {
                let number = *numbers.entry(part).or_insert_with(|| {
                    obj.parts.push(part);
                    obj.parts.len() as u32 - 1
                });
                let shape = match word {
                    "l" => Shape::Line,
                    "p" => Shape::Points,
                    _ => Shape::Face,
                };
                obj.element(&statement, shape, number, smoothing)?;
            }
            "o" => (part.object, part.group) = (objects.number(&statement.rest), NONE),
            "g" => {
                let is_none = matches!(&*statement.rest, "" | "default" | "off" | "(null)");
                part.group = if is_none { NONE } else { groups.number(&statement.rest) };
            }
            "s" => smoothing = smoothing_group(&statement)?,
            "usemtl" => {
                // What exporters write for no material.
                let is_none = matches!(&*statement.rest, "" | "None" | "(null)");
                part.material = if is_none { NONE } else { materials.number(&statement.rest) };
            }
            "mtllib" if statement.rest.is_empty() => return Err(statement.error("has no file")),
            "mtllib" => obj.libraries.push((statement.rest.clone().into_owned(), statement.line)),
            word => *obj.left_out.entry(shown(word)).or_default() += 1,
        }
    }
    (obj.objects, obj.groups, obj.materials) = (objects.names, groups.names, materials.names);
    obj.is_smooth = obj.elements.iter().any(|element| element.smoothing > 0);
    obj.check()?;
    Ok(obj)
}

impl Obj {
    /// Three coordinates, perhaps a weight, perhaps a colour.
    fn position(&mut self, statement: &Statement<'_>) -> Result<(), ImportError> {
        let ([x, y, z, a, b, c, d], count) = statement.numbers::<7>(3..=7)?;
        let color = match count {
            6 => Some([a, b, c]),
            7 => Some([b, c, d]),
            5 => return Err(statement.error("has 5 numbers, expected 3, 4, 6 or 7")),
            _ => None,
        };
        self.positions.push([x, y, z]);
        self.weights += u64::from(matches!(count, 4 | 7) && a != 1.0);
        if color.is_some() || !self.colors.is_empty() {
            self.colors.resize(self.positions.len() - 1, [1.0; 3]);
            self.colors.push(color.unwrap_or([1.0; 3]));
        }
        Ok(())
    }

    fn element(
        &mut self,
        statement: &Statement<'_>,
        shape: Shape,
        part: u32,
        smoothing: u32,
    ) -> Result<(), ImportError> {
        let first = self.corners.len();
        for word in statement.words() {
            let corner = self.corner(word).map_err(|found| statement.error(found))?;
            self.corners.push(corner);
        }
        let count = self.corners.len() - first;
        let least = match shape {
            Shape::Face => 3,
            Shape::Line => 2,
            Shape::Points => 1,
        };
        if count < least {
            return Err(statement.error(format!("has {count} vertices, expected {least} or more")));
        }
        let narrow = |count: usize| u32::try_from(count).map_err(|_| statement.error("is one vertex too many"));
        let (first, count) = (narrow(first)?, narrow(count)?);
        self.elements.push(Element { shape, first, count, part, smoothing, line: statement.line });
        Ok(())
    }

    /// The indices of `1`, `1/2`, `1//3` or `1/2/3`. Those from the end are resolved; the others are checked at the end of the file, since
    /// some files have the positions behind the faces.
    fn corner(&self, word: &str) -> Result<Corner, String> {
        let mut parts = word.split('/');
        let mut index = |what: &str, count: usize| -> Result<u32, String> {
            let Some(text) = parts.next().filter(|text| !text.is_empty()) else { return Ok(NONE) };
            let wrong = |expected: &str| format!("has \"{}\", expected {expected}", shown(word));
            let number: i64 = text.parse().map_err(|_| wrong("indices as 1/2/3"))?;
            let index = if number < 0 { number + count as i64 } else { number - 1 };
            if number == 0 {
                return Err(wrong("indices from 1 on, or from the end as -1"));
            }
            u32::try_from(index).ok().filter(|index| *index != NONE).ok_or_else(|| match index {
                ..0 => format!("has {what} {number}, but {count} precede it"),
                _ => format!("has {what} {number}, which is more than any file has"),
            })
        };
        let corner = Corner {
            position: index("position", self.positions.len())?,
            tex_coord: index("texture coordinate", self.tex_coords.len())?,
            normal: index("normal", self.normals.len())?,
        };
        match (corner.position, parts.next()) {
            (NONE, _) | (_, Some(_)) => Err(format!("has \"{}\", expected indices as 1/2/3", shown(word))),
            _ => Ok(corner),
        }
    }

    fn check(&self) -> Result<(), ImportError> {
        for element in &self.elements {
            let corners = &self.corners[element.first as usize..][..element.count as usize];
            for corner in corners {
                for (what, index, count) in [
                    ("position", corner.position, self.positions.len()),
                    ("texture coordinate", corner.tex_coord, self.tex_coords.len()),
                    ("normal", corner.normal, self.normals.len()),
                ] {
                    if index != NONE && index as usize >= count {
                        let found = format!("refers to {what} {}, but the file has only {count}", u64::from(index) + 1);
                        return Err(ImportError::new(found).with_damage_help("export it again").at(element.line, 1));
                    }
                }
            }
        }
        Ok(())
    }
}

fn smoothing_group(statement: &Statement<'_>) -> Result<u32, ImportError> {
    match statement.words().next() {
        None | Some("off" | "null" | "(null)") => Ok(0),
        Some("on") => Ok(1),
        Some(number) => {
            number.parse().map_err(|_| statement.error(format!("has \"{}\", expected a number or off", shown(number))))
        }
    }
}
