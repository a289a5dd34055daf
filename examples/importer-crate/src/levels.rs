//! Levels: the names of PPM pictures, one a line, each half as large as the one before. They become the mip levels of one image.

use rres_format::AssetKind;
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_import::{Asset, Description, ImportError, Importer, Source};

use super::number;

/// The importer of levels.
#[derive(Clone, Copy, Debug)]
pub struct LevelsImporter;

impl Importer for LevelsImporter {
    fn describe(&self) -> Description {
        Description::new("levels", 1).reads(["levels"]).makes(AssetKind::Image)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let (mut pixels, mut size, mut mipmaps) = (Vec::new(), (0, 0), 0);
        for (line, name) in (1..).zip(source.text()?.lines()) {
            let file = source.read_input(name)?;
            let (width, height, level) = ppm(&file, line).map_err(|error| error.within(name))?;
            let expected = (u32::max(size.0 >> mipmaps, 1), u32::max(size.1 >> mipmaps, 1));
            if mipmaps == 0 {
                size = (width, height);
            } else if expected != (width, height) {
                let found =
                    format!("level {mipmaps} has {width}×{height} pixels, expected {}×{}", expected.0, expected.1);
                return Err(ImportError::new(found).at(line, 1));
            }
            pixels.extend(level);
            mipmaps += 1;
        }
        let props = ImageProps { width: size.0, height: size.1, format: PixelFormat::RGB8, mipmaps };
        Ok(vec![source.image_levels(props, pixels)?])
    }
}

/// Reads a binary PPM: `P6`, width, height and 255, then the pixels.
fn ppm(file: &[u8], line: u32) -> Result<(u32, u32, &[u8]), ImportError> {
    let head = file.splitn(4, |byte| byte.is_ascii_whitespace()).collect::<Vec<_>>();
    let [b"P6", width, height, rest] = head[..] else { return Err(ImportError::new("is not a binary PPM picture")) };
    let text = format!("{} {}", String::from_utf8_lossy(width), String::from_utf8_lossy(height));
    let mut words = text.split(' ');
    let (width, height): (u32, u32) = (number(&mut words, line)?, number(&mut words, line)?);
    let pixels =
        rest.strip_prefix(b"255\n").filter(|pixels| pixels.len() as u128 == u128::from(width) * u128::from(height) * 3);
    pixels
        .map(|pixels| (width, height, pixels))
        .ok_or_else(|| ImportError::damaged("is cut off, or has more than 8 bits"))
}
