//! The limits that the reader keeps before it allocates memory.

/// The most that the reader accepts. The defaults are far above every file of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the pixels of a texture, as they are stored after decompression.
    pub texture_size: u64,
    /// Width and height of a texture, in pixels.
    pub texture_edge: u32,
    /// Bytes of the samples of a sound.
    pub sound_size: u64,
    /// Bytes of one archive, and of the text of a `.db` file.
    pub file_size: u64,
    /// Bytes of all archives of a database and of those that it depends on.
    pub total_size: u64,
    /// Databases that one depends on, directly and through others.
    pub databases: usize,
    /// How deep databases depend on others.
    pub depth: usize,
    /// Pictures of an animated texture.
    pub frames: usize,
    /// Warnings that are kept; more are only counted.
    pub warnings: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            texture_size: 256 << 20,
            texture_edge: 16_384,
            sound_size: 256 << 20,
            file_size: 2 << 30,
            total_size: 8 << 30,
            databases: 1024,
            depth: 64,
            frames: 4096,
            warnings: 1000,
        }
    }
}
