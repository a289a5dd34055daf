//! Typed values → NBR files of [`Version::CURRENT`].
//!
//! The fields of the format are narrow. What does not fit, such as a shader of 64 KiB or a name of 256 bytes, is an error that names the field,
//! the number and the limit; `nbr` cuts it off. Material numbers up to 254 are written; Nikola takes those above 127 for negative.

mod model;
mod motion;

use crate::error::{Error, ErrorKind, Operation};
use crate::header::MARK;
use crate::texture::{CHANNELS, RGBA8, RGBA16F};
use crate::types::Version;
use crate::{Audio, Cubemap, Font, Pixels, Resource, Samples, Shader, Texture};

/// Returns a resource as a file.
///
/// # Errors
/// If a value does not fit into its field, or contradicts another.
pub fn to_vec(resource: &Resource<'_>) -> Result<Vec<u8>, Error> {
    let of = resource.resource_type();
    let mut writer = Writer { bytes: vec![MARK], operation: Operation::Write(of) };
    writer.bytes.extend(Version::CURRENT.major.to_le_bytes());
    writer.bytes.extend(Version::CURRENT.minor.to_le_bytes());
    writer.bytes.extend(of.number().to_le_bytes());
    match resource {
        Resource::Texture(texture) => writer.texture(texture)?,
        Resource::Cubemap(cubemap) => writer.cubemap(cubemap)?,
        Resource::Shader(shader) => writer.shader(shader)?,
        Resource::Model(model) => writer.model(model)?,
        Resource::Skeleton(skeleton) => writer.skeleton(skeleton)?,
        Resource::Animation(animation) => writer.animation(animation)?,
        Resource::Font(font) => writer.font(font)?,
        Resource::Audio(audio) => writer.audio(audio)?,
    }
    Ok(writer.bytes)
}

struct Writer {
    bytes: Vec<u8>,
    operation: Operation,
}

impl Writer {
    fn error(&self, kind: ErrorKind, field: &str, found: impl ToString, expected: impl ToString) -> Error {
        Error {
            kind,
            operation: self.operation,
            position: self.bytes.len(),
            field: field.to_owned(),
            found: found.to_string(),
            expected: expected.to_string(),
        }
    }

    /// Returns a number in the type of its field.
    fn fit<T: TryFrom<usize>>(&self, number: usize, limit: u32, field: &str) -> Result<T, Error> {
        T::try_from(number).map_err(|_| {
            self.error(ErrorKind::TooLarge, field, number, format!("at most {limit}, the largest of the format"))
        })
    }

    fn u8(&mut self, number: usize, field: &str) -> Result<(), Error> {
        let number: u8 = self.fit(number, u8::MAX.into(), field)?;
        self.bytes.push(number);
        Ok(())
    }

    fn u16(&mut self, number: usize, field: &str) -> Result<(), Error> {
        let number: u16 = self.fit(number, u16::MAX.into(), field)?;
        self.bytes.extend(number.to_le_bytes());
        Ok(())
    }

    fn u32(&mut self, number: usize, field: &str) -> Result<(), Error> {
        let number: u32 = self.fit(number, u32::MAX, field)?;
        self.bytes.extend(number.to_le_bytes());
        Ok(())
    }

    fn f32s(&mut self, values: &[f32]) {
        self.bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// Checks what a list has to be as long as.
    fn expect_len(&self, found: usize, expected: u64, field: &str) -> Result<(), Error> {
        if found as u64 == expected { Ok(()) } else { Err(self.error(ErrorKind::Invalid, field, found, expected)) }
    }

    fn shape(&mut self, width: u32, height: u32, pixels: &Pixels<'_>) -> Result<(), Error> {
        if width == 0 || height == 0 {
            return Err(self.error(ErrorKind::Invalid, "size", format!("{width} × {height}"), "at least one pixel"));
        }
        self.bytes.extend(width.to_le_bytes());
        self.bytes.extend(height.to_le_bytes());
        self.bytes.push(CHANNELS);
        self.bytes.push(match pixels {
            Pixels::Rgba8(_) => RGBA8,
            Pixels::Rgba32F(_) => RGBA16F,
        });
        Ok(())
    }

    fn pixels(&mut self, width: u32, height: u32, pixels: &Pixels<'_>) -> Result<(), Error> {
        let count = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(CHANNELS.into());
        self.expect_len(pixels.len(), count, "pixels")?;
        match pixels {
            Pixels::Rgba8(bytes) => self.bytes.extend_from_slice(bytes),
            Pixels::Rgba32F(floats) => self.f32s(floats),
        }
        Ok(())
    }

    fn texture(&mut self, texture: &Texture<'_>) -> Result<(), Error> {
        let Texture { width, height, pixels } = texture;
        self.shape(*width, *height, pixels)?;
        self.pixels(*width, *height, pixels)
    }

    fn cubemap(&mut self, cubemap: &Cubemap<'_>) -> Result<(), Error> {
        let Cubemap { width, height, faces } = cubemap;
        self.shape(*width, *height, &faces[0])?;
        self.u8(faces.len(), "faces")?;
        for (number, face) in faces.iter().enumerate() {
            if std::mem::discriminant(face) != std::mem::discriminant(&faces[0]) {
                let error = self.error(ErrorKind::Invalid, "pixels", "another format", "the format of the first face");
                return Err(error.within("faces", number));
            }
            self.pixels(*width, *height, face).map_err(|error| error.within("faces", number))?;
        }
        Ok(())
    }

    fn shader(&mut self, shader: &Shader<'_>) -> Result<(), Error> {
        match shader {
            // A length of 0 would mean that there are two stages.
            Shader::Compute(source) if source.is_empty() => {
                Err(self.error(ErrorKind::Invalid, "compute source", "no bytes", "1 or more"))
            }
            Shader::Compute(source) => self.source(source, "compute source"),
            Shader::Graphics { vertex, pixel } => {
                self.u16(0, "compute length")?;
                self.source(vertex, "vertex source")?;
                self.source(pixel, "pixel source")
            }
        }
    }

    fn source(&mut self, source: &[u8], field: &str) -> Result<(), Error> {
        self.u16(source.len(), field)?;
        self.bytes.extend_from_slice(source);
        self.bytes.push(0);
        Ok(())
    }

    fn font(&mut self, font: &Font<'_>) -> Result<(), Error> {
        self.u32(font.glyphs.len(), "number of glyphs")?;
        for (number, glyph) in font.glyphs.iter().enumerate() {
            let within = |error: Error| error.within("glyphs", number);
            if glyph.codepoint > i8::MAX as u32 {
                let limit = "at most 127: the format has only the characters of ASCII";
                return Err(within(self.error(ErrorKind::TooLarge, "codepoint", glyph.codepoint, limit)));
            }
            self.bytes.push(glyph.codepoint as u8);
            for (side, field) in [(glyph.width, "width"), (glyph.height, "height")] {
                let side: u16 = self.fit(side as usize, u16::MAX.into(), field).map_err(within)?;
                self.f32s(&[side.into()]);
            }
            self.f32s(&[glyph.left, glyph.right, glyph.top, glyph.bottom]);
            self.f32s(&[glyph.offset_x, glyph.offset_y, glyph.advance_x, glyph.left_bearing]);
            let count = u64::from(glyph.width) * u64::from(glyph.height);
            self.expect_len(glyph.pixels.len(), count, "pixels").map_err(within)?;
            self.bytes.extend_from_slice(&glyph.pixels);
        }
        self.f32s(&[font.ascent, font.descent, font.line_gap]);
        Ok(())
    }

    fn audio(&mut self, audio: &Audio<'_>) -> Result<(), Error> {
        let Audio { sample_rate, channels, samples } = audio;
        if *sample_rate == 0 || *channels == 0 {
            let found = format!("{sample_rate} Hz, {channels} channels");
            return Err(self.error(ErrorKind::Invalid, "sample rate and channels", found, "1 or more of each"));
        }
        let frames = samples.len() / usize::from(*channels);
        self.expect_len(samples.len(), frames as u64 * u64::from(*channels), "samples")?;
        self.bytes.push(match samples {
            Samples::U8(_) => 0,
            Samples::I16(_) => 1,
            Samples::F32(_) => 2,
        });
        self.bytes.extend(sample_rate.to_le_bytes());
        self.bytes.push(*channels);
        let bytes = samples.to_bytes();
        self.u32(bytes.len(), "size")?;
        self.bytes.extend_from_slice(&bytes);
        Ok(())
    }
}
