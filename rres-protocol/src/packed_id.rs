//! The number in a generated constant: a resource id, and the slot that its entry had when the constant was generated.

use std::fmt;

use rres_format::ResourceId;

/// The position of a resource's entry when a constant was generated: a hint, which is checked on use.
///
/// In a pack set, the high 16 bits are the number of the pack and the low 16 bits are the slot in its front index. In a
/// single pack or a dev index, all 32 bits are the slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

impl Slot {
    /// Returns a slot in pack number `pack` of a pack set; the first pack has the number 0.
    pub const fn in_set(pack: u16, slot: u16) -> Self {
        Self((pack as u32) << 16 | slot as u32)
    }

    /// Returns the number of the pack and the slot in its index, for a set of `packs` packs.
    pub const fn resolve(self, packs: usize) -> (usize, u32) {
        if packs == 1 { (0, self.0) } else { ((self.0 >> 16) as usize, self.0 & 0xffff) }
    }
}

/// An id in the low half of a `u64` and its [`Slot`] in the high half, because rustc compiles one integer faster than a
/// struct of two.
///
/// ```
/// use rres_format::ResourceId;
/// use rres_protocol::packed_id::{PackedId, Slot};
///
/// let packed = PackedId::new(ResourceId(0x1a2b3c4d), Slot::in_set(1, 2));
/// assert_eq!(packed.to_string(), "0x00010002_1a2b3c4d");
/// assert_eq!((packed.id(), packed.slot()), (ResourceId(0x1a2b3c4d), Slot(0x0001_0002)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedId(pub u64);

impl PackedId {
    /// Combines an id and its slot.
    pub const fn new(id: ResourceId, slot: Slot) -> Self {
        Self((slot.0 as u64) << 32 | id.0 as u64)
    }

    /// Returns the id, the low 32 bits.
    pub const fn id(self) -> ResourceId {
        ResourceId(self.0 as u32)
    }

    /// Returns the slot, the high 32 bits.
    pub const fn slot(self) -> Slot {
        Slot((self.0 >> 32) as u32)
    }

    /// Reads the literal that [`Display`](fmt::Display) writes, or the literal of a bare id, whose slot is 0.
    pub fn parse(literal: &str) -> Option<Self> {
        let digits = literal.trim().strip_prefix("0x")?.replace('_', "");
        u64::from_str_radix(&digits, 16).ok().map(Self)
    }
}

/// Formats the number as an integer literal for generated code.
impl fmt::Display for PackedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08x}_{:08x}", self.slot().0, self.id().0)
    }
}
