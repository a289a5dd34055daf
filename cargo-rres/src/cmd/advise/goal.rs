//! What advice is to save.

use super::files::Measured;

/// What to save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Goal {
    /// Bytes in the pack
    #[default]
    Size,
    /// Time to load
    Load,
    /// Bytes in memory
    Memory,
    /// Bytes in video memory
    Vram,
    /// Textures that a graphics card changes between
    Textures,
}

impl Goal {
    /// Those that each row of the output says.
    pub(super) const COLUMNS: [Self; 4] = [Self::Size, Self::Load, Self::Memory, Self::Vram];

    /// What files take of it: bytes, nanoseconds, or textures.
    pub(super) fn of(self, measured: &Measured) -> u64 {
        match self {
            Self::Size => measured.stored,
            Self::Load => u64::try_from(measured.load.as_nanos()).unwrap_or(u64::MAX),
            Self::Memory => measured.decoded,
            Self::Vram => measured.video,
            Self::Textures => measured.textures,
        }
    }

    /// Whether it is worth a rule to take so much less of what files take.
    pub(super) fn is_worth_it(self, saved: u64, of: u64) -> bool {
        let least = match self {
            Self::Load => 200_000,
            Self::Size | Self::Memory | Self::Vram => 4 << 10,
            Self::Textures => 3,
        };
        saved >= least && u128::from(saved) * 100 >= u128::from(of) * u128::from(self.least_percent())
    }

    /// The least part of what files take that is worth a rule. A time is more, as no two measurements of one are equal.
    pub(super) fn least_percent(self) -> u32 {
        match self {
            Self::Load | Self::Textures => 20,
            Self::Size | Self::Memory | Self::Vram => 5,
        }
    }

    /// Its word in the output.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::Load => "load",
            Self::Memory => "memory",
            Self::Vram => "vram",
            Self::Textures => "textures",
        }
    }

    /// The head of its column.
    pub(super) fn column(self) -> &'static str {
        match self {
            Self::Size => "PACK",
            Self::Load => "LOAD",
            Self::Memory => "MEMORY",
            Self::Vram => "VRAM",
            Self::Textures => "TEXTURES",
        }
    }

    /// What a number of it is, as in "3.9 MB stored".
    pub(super) fn unit(self) -> &'static str {
        match self {
            Self::Size => "stored",
            Self::Load => "to load on one thread",
            Self::Memory => "in memory",
            Self::Vram => "in video memory",
            Self::Textures => "textures",
        }
    }
}
