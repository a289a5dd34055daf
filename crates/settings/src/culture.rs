//! Language tags such as `en-US` to the Windows LCIDs that rres stores, and back.

/// The LCID of `tag`, a language with a region (`pt-BR`) or without one (`pt`), in any case.
pub(super) fn lcid(tag: &str) -> Option<u32> {
    let known = |table: &[(&str, u32)]| table.iter().find(|(name, _)| name.eq_ignore_ascii_case(tag)).map(|row| row.1);
    known(NEUTRAL).or_else(|| known(CULTURES)).or_else(|| {
        // The LCID of a language without a region is the low ten bits of the LCID of any of its regions.
        let of_language =
            |name: &str| name.split('-').next().is_some_and(|language| language.eq_ignore_ascii_case(tag));
        CULTURES.iter().find(|(name, _)| of_language(name)).map(|row| row.1 & 0x3ff)
    })
}

/// Whether a subtag is the code of a language: one of ISO 639-1, or one of three letters that games are translated into. Three letters are too many
/// words to know them all.
pub(super) fn is_language(subtag: &str) -> bool {
    LANGUAGES.split_whitespace().any(|code| code.eq_ignore_ascii_case(subtag))
}

const LANGUAGES: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga \
    gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv \
    mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so \
    sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu \
    ast awa bho brx ceb chr ckb dsb fil gsw haw hmn hsb ilo jbo kab lmo mad mai nds pap sat scn sco szl tlh tok vec yue";

/// The tags with a region, for suggestions.
pub(super) fn tags() -> impl Iterator<Item = &'static str> {
    CULTURES.iter().map(|row| row.0)
}

/// Languages and scripts whose LCID is not the low ten bits of a region's LCID.
const NEUTRAL: &[(&str, u32)] = &[
    ("zh", 0x7804),
    ("zh-Hans", 0x0004),
    ("zh-Hant", 0x7c04),
    ("no", 0x0014),
    ("nb", 0x7c14),
    ("nn", 0x7814),
    ("hr", 0x001a),
    ("sr", 0x7c1a),
    ("bs", 0x781a),
];

#[rustfmt::skip]
const CULTURES: &[(&str, u32)] = &[
    ("af-ZA", 0x0436), ("am-ET", 0x045e), ("ar-AE", 0x3801), ("ar-EG", 0x0c01), ("ar-IQ", 0x0801), ("ar-MA", 0x1801),
    ("ar-SA", 0x0401), ("as-IN", 0x044d), ("az-Latn-AZ", 0x042c), ("be-BY", 0x0423), ("bg-BG", 0x0402),
    ("bn-BD", 0x0845), ("bn-IN", 0x0445), ("bo-CN", 0x0451), ("br-FR", 0x047e), ("bs-Latn-BA", 0x141a),
    ("ca-ES", 0x0403), ("co-FR", 0x0483), ("cs-CZ", 0x0405), ("cy-GB", 0x0452), ("da-DK", 0x0406), ("de-AT", 0x0c07),
    ("de-CH", 0x0807), ("de-DE", 0x0407), ("de-LI", 0x1407), ("de-LU", 0x1007), ("el-GR", 0x0408), ("en-AU", 0x0c09),
    ("en-CA", 0x1009), ("en-GB", 0x0809), ("en-IE", 0x1809), ("en-IN", 0x4009), ("en-NZ", 0x1409), ("en-US", 0x0409),
    ("en-ZA", 0x1c09), ("es-419", 0x580a), ("es-AR", 0x2c0a), ("es-CL", 0x340a), ("es-CO", 0x240a), ("es-ES", 0x0c0a),
    ("es-MX", 0x080a), ("es-PE", 0x280a), ("es-US", 0x540a), ("et-EE", 0x0425), ("eu-ES", 0x042d), ("fa-IR", 0x0429),
    ("fi-FI", 0x040b), ("fil-PH", 0x0464), ("fo-FO", 0x0438), ("fr-BE", 0x080c), ("fr-CA", 0x0c0c), ("fr-CH", 0x100c),
    ("fr-FR", 0x040c), ("fr-LU", 0x140c), ("fy-NL", 0x0462), ("ga-IE", 0x083c), ("gd-GB", 0x0491), ("gl-ES", 0x0456),
    ("gu-IN", 0x0447), ("ha-Latn-NG", 0x0468), ("haw-US", 0x0475), ("he-IL", 0x040d), ("hi-IN", 0x0439),
    ("hr-HR", 0x041a), ("hu-HU", 0x040e), ("hy-AM", 0x042b), ("id-ID", 0x0421), ("ig-NG", 0x0470), ("is-IS", 0x040f),
    ("it-CH", 0x0810), ("it-IT", 0x0410), ("ja-JP", 0x0411), ("ka-GE", 0x0437), ("kk-KZ", 0x043f), ("kl-GL", 0x046f),
    ("km-KH", 0x0453), ("kn-IN", 0x044b), ("ko-KR", 0x0412), ("ky-KG", 0x0440), ("lb-LU", 0x046e), ("lo-LA", 0x0454),
    ("lt-LT", 0x0427), ("lv-LV", 0x0426), ("mi-NZ", 0x0481), ("mk-MK", 0x042f), ("ml-IN", 0x044c), ("mn-MN", 0x0450),
    ("mr-IN", 0x044e), ("ms-MY", 0x043e), ("mt-MT", 0x043a), ("my-MM", 0x0455), ("nb-NO", 0x0414), ("ne-NP", 0x0461),
    ("nl-BE", 0x0813), ("nl-NL", 0x0413), ("nn-NO", 0x0814), ("oc-FR", 0x0482), ("or-IN", 0x0448), ("pa-IN", 0x0446),
    ("pl-PL", 0x0415), ("ps-AF", 0x0463), ("pt-BR", 0x0416), ("pt-PT", 0x0816), ("rm-CH", 0x0417), ("ro-RO", 0x0418),
    ("ru-RU", 0x0419), ("sa-IN", 0x044f), ("si-LK", 0x045b), ("sk-SK", 0x041b), ("sl-SI", 0x0424), ("sq-AL", 0x041c),
    ("sr-Cyrl-RS", 0x281a), ("sr-Latn-RS", 0x241a), ("sv-FI", 0x081d), ("sv-SE", 0x041d), ("sw-KE", 0x0441),
    ("ta-IN", 0x0449), ("te-IN", 0x044a), ("tg-Cyrl-TJ", 0x0428), ("th-TH", 0x041e), ("tk-TM", 0x0442),
    ("tr-TR", 0x041f), ("tt-RU", 0x0444), ("uk-UA", 0x0422), ("ur-PK", 0x0420), ("uz-Latn-UZ", 0x0443),
    ("vi-VN", 0x042a), ("xh-ZA", 0x0434), ("yo-NG", 0x046a), ("zh-CN", 0x0804), ("zh-HK", 0x0c04), ("zh-MO", 0x1404),
    ("zh-SG", 0x1004), ("zh-TW", 0x0404), ("zu-ZA", 0x0435),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_regions_languages_and_scripts() {
        for (tag, code) in [
            ("en-US", 0x0409),
            ("EN-us", 0x0409),
            ("en", 0x0009),
            ("pt", 0x0016),
            ("fil", 0x0064),
            ("zh-Hant", 0x7c04),
            ("zh", 0x7804),
            ("nb", 0x7c14),
        ] {
            assert_eq!(lcid(tag), Some(code), "{tag}");
        }
        for tag in ["", "-", "xx", "en-", "en-USA", "english"] {
            assert_eq!(lcid(tag), None, "{tag}");
        }
    }

    #[test]
    fn every_row_is_sorted_and_unique() {
        assert!(CULTURES.is_sorted_by(|a, b| a.0 < b.0));
        let mut codes: Vec<u32> = CULTURES.iter().chain(NEUTRAL).map(|row| row.1).collect();
        codes.sort_unstable();
        assert!(codes.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
