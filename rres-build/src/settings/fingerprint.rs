//! The byte form of settings that goes into cache keys.
//!
//! It holds what the import and the encoding of one kind depend on and nothing else, so that a changed id, name or
//! sound gain of an image rule imports nothing again.

use rres_format::AssetKind;

use super::types::{CharSet, FontSettings, ImageSettings, Settings, SoundSettings, TextSettings};

/// Raised when the meaning of a byte changes; importers have versions of their own.
const VERSION: u8 = 1;

impl Settings {
    /// Appends the byte form of what matters to the import and the encoding of an asset of kind `kind`.
    ///
    /// The defaults of the pack are not seen: call [`Settings::fill`] before. Equal bytes mean equal results from
    /// equal sources; the form is self-delimiting, so that more can follow it.
    pub fn fingerprint(&self, kind: AssetKind, out: &mut Vec<u8>) {
        out.extend([VERSION, kind as u8]);
        put_option(out, self.compression.map(|compression| compression as u32));
        put_option(out, self.level.map(i32::cast_unsigned));
        match kind {
            // The textures inside a model are images.
            AssetKind::Image | AssetKind::Model => put_image(out, &self.image),
            AssetKind::Sound => put_sound(out, &self.sound),
            AssetKind::Font => put_font(out, &self.font),
            AssetKind::Text => put_text(out, &self.text),
            AssetKind::Raw | AssetKind::Link => {}
            // A kind newer than this code: everything might matter.
            _ => {
                put_image(out, &self.image);
                put_sound(out, &self.sound);
                put_font(out, &self.font);
                put_text(out, &self.text);
            }
        }
    }
}

fn put_image(out: &mut Vec<u8>, image: &ImageSettings) {
    let ImageSettings { format, mipmaps, premultiply, filter, wrap, color_space } = image;
    // 0 is no format: rres numbers them from 1.
    out.push(format.map_or(0, |format| format as u8));
    out.extend([u8::from(*mipmaps), u8::from(*premultiply), *filter as u8, *wrap as u8, *color_space as u8]);
}

fn put_sound(out: &mut Vec<u8>, sound: &SoundSettings) {
    let SoundSettings { store, sample, gain, looped } = sound;
    out.extend([*store as u8, sample.map_or(0, |sample| sample as u8), u8::from(*looped)]);
    // Adding 0 turns -0 into 0.
    out.extend((gain + 0.0).to_bits().to_le_bytes());
}

fn put_font(out: &mut Vec<u8>, font: &FontSettings) {
    let FontSettings { size, chars, padding } = font;
    put_len(out, size.len());
    for size in size {
        out.extend(size.to_le_bytes());
    }
    put_len(out, chars.len());
    for set in chars {
        match set {
            CharSet::Ascii => out.push(1),
            CharSet::Latin => out.push(2),
            CharSet::Greek => out.push(3),
            CharSet::Cyrillic => out.push(4),
            CharSet::Text(text) => {
                out.push(0);
                put_len(out, text.len());
                out.extend(text.as_bytes());
            }
        }
    }
    out.extend(padding.to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &TextSettings) {
    let TextSettings { culture, encoding, lang } = text;
    put_option(out, *culture);
    out.push(encoding.map_or(0, |encoding| encoding as u8));
    put_option(out, lang.map(|lang| lang as u32));
}

fn put_option(out: &mut Vec<u8>, value: Option<u32>) {
    out.push(u8::from(value.is_some()));
    out.extend(value.unwrap_or(0).to_le_bytes());
}

fn put_len(out: &mut Vec<u8>, len: usize) {
    out.extend((len as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Compression, PixelFormatChoice, SampleFormat, SoundStore, TextEncoding, Wrap};
    use rres_format::ResourceId;

    fn print(settings: &Settings, kind: AssetKind) -> Vec<u8> {
        let mut out = Vec::new();
        settings.fingerprint(kind, &mut out);
        out
    }

    /// One change per entry, and the kinds whose import it affects.
    type Change = (fn(&mut Settings), &'static [AssetKind]);

    const CHANGES: &[Change] = &[
        (|s| s.id = Some(ResourceId(7)), &[]),
        (|s| s.rename = Some("HERO".into()), &[]),
        (|s| s.ignore = true, &[]),
        (|s| s.kind = Some(AssetKind::Raw), &[]),
        (|s| s.compression = Some(Compression::None), AssetKind::ALL),
        (|s| s.level = Some(0), AssetKind::ALL),
        (|s| s.image.format = Some(PixelFormatChoice::Rgba8), &[AssetKind::Image, AssetKind::Model]),
        (|s| s.image.mipmaps = true, &[AssetKind::Image, AssetKind::Model]),
        (|s| s.image.premultiply = true, &[AssetKind::Image, AssetKind::Model]),
        (|s| s.image.wrap = Wrap::Repeat, &[AssetKind::Image, AssetKind::Model]),
        (|s| s.sound.store = SoundStore::Pcm, &[AssetKind::Sound]),
        (|s| s.sound.sample = Some(SampleFormat::U8), &[AssetKind::Sound]),
        (|s| s.sound.gain = -3.0, &[AssetKind::Sound]),
        (|s| s.sound.looped = true, &[AssetKind::Sound]),
        (|s| s.font.size = vec![32, 48], &[AssetKind::Font]),
        (|s| s.font.chars = vec![CharSet::Latin], &[AssetKind::Font]),
        (|s| s.font.chars = vec![CharSet::Text("a".into())], &[AssetKind::Font]),
        (|s| s.font.padding = 0, &[AssetKind::Font]),
        (|s| s.text.culture = Some(0), &[AssetKind::Text]),
        (|s| s.text.encoding = Some(TextEncoding::Utf8), &[AssetKind::Text]),
    ];

    #[test]
    fn holds_what_matters_and_nothing_else() {
        for &kind in AssetKind::ALL {
            let default = print(&Settings::default(), kind);
            let mut seen = vec![default.clone()];
            for (number, (change, kinds)) in CHANGES.iter().enumerate() {
                let mut settings = Settings::default();
                change(&mut settings);
                let changed = print(&settings, kind);
                if kinds.contains(&kind) {
                    assert!(!seen.contains(&changed), "change {number} is lost for {kind}");
                    seen.push(changed);
                } else {
                    assert_eq!(changed, default, "change {number} must not matter to {kind}");
                }
            }
        }
    }

    #[test]
    fn kinds_differ_and_zero_has_one_form() {
        let mut seen: Vec<_> = AssetKind::ALL.iter().map(|&kind| print(&Settings::default(), kind)).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), AssetKind::ALL.len());

        let mut minus_zero = Settings::default();
        minus_zero.sound.gain = -0.0;
        assert_eq!(print(&minus_zero, AssetKind::Sound), print(&Settings::default(), AssetKind::Sound));
    }

    #[test]
    fn bytes_are_pinned() {
        // A change here means that every cache goes cold: raise VERSION with it.
        assert_eq!(
            print(&Settings::default(), AssetKind::Image),
            [1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        );
    }
}
