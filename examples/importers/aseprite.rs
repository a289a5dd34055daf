//! Pictures and animations of the editor Aseprite, read by the crate `aseprite-loader`. The game's type is `Animations` of
//! `examples/aseprite.rs`.
//!
//! rres-build reads these files itself, as images; here they become a type of the game, with a picture of all frames side by side as a
//! sub-asset. The data is of little-endian `u16`: width and height of a frame, number of frames, number of tags; for each frame its time in
//! milliseconds; for each tag its first and last frame and the length of its name, and after all of these the names.

use aseprite_loader::loader::{AsepriteFile, LayerSelection};
use rres_build::AssetKind;
use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Source};
use rres_build::settings::PixelFormat;

pub(crate) struct AsepriteImporter;

/// The most bytes of all frames.
const MAX_PIXELS: usize = 256 << 20;

impl Importer for AsepriteImporter {
    fn describe(&self) -> Description {
        Description::new("aseprite", 1)
            .reads(["aseprite", "ase"])
            .makes(AssetType::custom(*b"ANIM", "crate::Animations"))
            .makes(AssetKind::Image)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let failed = |error: &dyn std::fmt::Display| {
            ImportError::new(format!("is not a file that can be read: {error}"))
                .with_help("save it again with Aseprite")
        };
        let file = AsepriteFile::load(source.bytes()).map_err(|e| failed(&e))?;
        let (width, height) = file.size();
        let (row, count) = (usize::from(width) * 4, file.frames().len());
        let total = (row * usize::from(height)).checked_mul(count).filter(|total| (1..=MAX_PIXELS).contains(total));
        let total = total.ok_or_else(|| failed(&format!("{count} frames of {width}×{height} pixels")))?;

        let (mut sheet, mut numbers) = (vec![0; total], vec![width, height, count as u16, file.tags().len() as u16]);
        for (number, frame) in file.frames().iter().enumerate() {
            let mut pixels = vec![0; row * usize::from(height)];
            file.render_frame(number, &mut pixels, &LayerSelection::Visible).map_err(|e| failed(&e))?;
            for (y, line) in pixels.chunks_exact(row).enumerate() {
                let start = (y * count + number) * row;
                sheet[start..start + row].copy_from_slice(line);
            }
            numbers.push(frame.duration);
        }
        for tag in file.tags() {
            numbers.extend([*tag.range.start(), *tag.range.end(), tag.name.len() as u16]);
        }
        let mut data: Vec<u8> = numbers.into_iter().flat_map(u16::to_le_bytes).collect();
        file.tags().iter().for_each(|tag| data.extend(tag.name.bytes()));
        // The settings of images apply to it: `["*.aseprite"] image = { filter = "nearest" }`.
        let columns = u32::try_from(row / 4 * count).map_err(|e| failed(&e))?;
        let sheet = source.image(columns, height.into(), PixelFormat::RGBA8, sheet)?.named("sheet");
        let animations = Asset::custom(*b"ANIM", data).with_sub_asset("sheet");
        Ok(vec![
            animations.with_summary(format!("{count} frames of {width}×{height}, {} tags", file.tags().len())),
            sheet,
        ])
    }
}
