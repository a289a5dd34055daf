//! The ciphers that `rres.h` names. Sealed chunks are listed and kept; opening them is refused by name.

use crate::open_enum::open_enum;

open_enum! {
    /// `rresEncryptionType`.
    pub struct Cipher(u8);
    /// Not sealed.
    NONE = 0, "none";
    /// Named by rres.h, implemented nowhere.
    XOR = 1, "XOR";
    /// Named by rres.h, implemented nowhere.
    DES = 10, "DES";
    /// Named by rres.h, implemented nowhere.
    TDES = 11, "TDES";
    /// Named by rres.h, implemented nowhere.
    IDEA = 20, "IDEA";
    /// AES-256 in counter mode, as rres-raylib.h uses it.
    AES = 30, "AES";
    /// Named by rres.h, implemented nowhere.
    AES_GCM = 31, "AES-GCM";
    /// Named by rres.h, implemented nowhere.
    XTEA = 40, "XTEA";
    /// Named by rres.h, implemented nowhere.
    BLOWFISH = 50, "Blowfish";
    /// Named by rres.h, implemented nowhere.
    RSA = 60, "RSA";
    /// Named by rres.h, implemented nowhere.
    SALSA20 = 70, "Salsa20";
    /// Named by rres.h, implemented nowhere.
    CHACHA20 = 71, "ChaCha20";
    /// Named by rres.h, implemented nowhere.
    XCHACHA20 = 72, "XChaCha20";
    /// XChaCha20-Poly1305, as rres-raylib.h uses it.
    XCHACHA20_POLY1305 = 73, "XChaCha20-Poly1305";
}
