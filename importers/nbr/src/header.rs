//! The header: a mark, a version, and the type of the resource.

use crate::error::{Error, ErrorKind, Operation};
use crate::reader::Reader;
use crate::types::{NUMBERS, ResourceType, SKELETON, Version};

/// The first byte of each file.
pub const MARK: u8 = 107;

/// The length of the header in bytes.
pub const HEADER_LEN: usize = 7;

/// The header of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version, which is one of [`Version::SUPPORTED`].
    pub version: Version,
    /// The type of the resource that follows.
    pub resource_type: ResourceType,
}

impl Header {
    /// Reads the header at the start of a file.
    ///
    /// # Errors
    /// If the file is shorter, begins with another byte, or has a version or a type that is not read.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::parse(&mut Reader::new(bytes, Operation::ReadHeader))
    }

    pub(crate) fn parse(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mark = reader.u8("mark")?;
        if mark != MARK {
            return Err(reader.error(
                0,
                "mark",
                ErrorKind::NotNbr,
                mark,
                format!("{MARK}, with which NBR files begin"),
            ));
        }
        let version = Version { major: reader.i16("major version")?, minor: reader.i16("minor version")? };
        if !Version::SUPPORTED.contains(&version) {
            let known = Version::SUPPORTED.map(|version| version.to_string()).join(", ");
            return Err(reader.error(1, "version", ErrorKind::UnsupportedVersion, version, format!("one of {known}")));
        }
        let at = reader.position();
        let number = reader.u16("resource type")?;
        let is_shifted = version.minor == 5 && number >= SKELETON;
        let name = NUMBERS.get(usize::from(number) + usize::from(is_shifted)).copied();
        let found = name.and_then(|name| ResourceType::ALL.into_iter().find(|of| of.name() == name));
        let Some(resource_type) = found else {
            let found = format!("{number} ({})", name.unwrap_or("unknown"));
            let known = ResourceType::ALL.map(ResourceType::name).join(", ");
            return Err(reader.error(
                at,
                "resource type",
                ErrorKind::UnsupportedType,
                found,
                format!("one of {known}"),
            ));
        };
        let has_other_layout = matches!(resource_type, ResourceType::Skeleton | ResourceType::Animation);
        if has_other_layout && version != Version::CURRENT {
            let found = format!("{version}, in which the {resource_type} had another layout");
            let expected = Version::CURRENT.to_string() + "; convert its source again with a newer `nbr`";
            return Err(reader.error(1, "version", ErrorKind::UnsupportedVersion, found, expected));
        }
        Ok(Self { version, resource_type })
    }
}
