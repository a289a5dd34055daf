//! The bytes of settings that are part of the key of a blob.
//!
//! They contain the settings that affect the import of one kind and differ from their defaults, each with its key. So
//! neither a changed name or id nor a new version that adds a setting causes another import.

use rres_format::ResourceId;

/// A value that is part of the key of a blob. Equal values have equal bytes, different values have different bytes, and
/// the bytes determine where they end.
pub(crate) trait Fingerprint {
    fn fingerprint(&self, out: &mut Vec<u8>);
}

impl Fingerprint for bool {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
}

impl Fingerprint for u32 {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

impl Fingerprint for i32 {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

impl Fingerprint for u64 {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

impl Fingerprint for f32 {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        out.extend(self.to_bits().to_le_bytes());
    }
}

impl Fingerprint for str {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        out.extend((self.len() as u64).to_le_bytes());
        out.extend(self.as_bytes());
    }
}

impl Fingerprint for String {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        self.as_str().fingerprint(out);
    }
}

impl Fingerprint for ResourceId {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        self.0.fingerprint(out);
    }
}

impl<T: Fingerprint> Fingerprint for Option<T> {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        self.is_some().fingerprint(out);
        self.iter().for_each(|value| value.fingerprint(out));
    }
}

impl<T: Fingerprint> Fingerprint for Vec<T> {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        (self.len() as u64).fingerprint(out);
        self.iter().for_each(|value| value.fingerprint(out));
    }
}
