//! Plural forms: those of gettext, which have numbers, and those of Fluent, which have the names of Unicode (CLDR).
//!
//! A Fluent text is a plural if it is nothing but a choice by a number between the categories of CLDR:
//!
//! ```text
//! photos = { $count ->
//!     [one] one photo
//!    *[other] { $count } photos
//! }
//! ```

use std::fmt::Write as _;

/// The plural forms of a language in the order of gettext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms {
    /// The value of the header `Plural-Forms`.
    pub header: &'static str,
    /// The categories of CLDR, one for each form.
    pub categories: &'static [&'static str],
}

impl Forms {
    /// Whether a category is that of one number only, such as `one` in German, which in Russian is also that of 21.
    pub(crate) fn is_for_one_number(self, category: &str) -> bool {
        let number = match category {
            "zero" => 0,
            "one" => 1,
            "two" => 2,
            _ => return false,
        };
        self.header.contains(&format!("(n != {number})")) || self.header.contains(&format!("n=={number} ?"))
    }
}

const ONE: Forms = Forms { header: "nplurals=1; plural=0;", categories: &["other"] };
const TWO: Forms = Forms { header: "nplurals=2; plural=(n != 1);", categories: &["one", "other"] };
/// 21 and 31 are like 1, and 11 is not.
const BY_LAST_DIGIT: Forms =
    Forms { header: "nplurals=2; plural=(n%10!=1 || n%100==11);", categories: &["one", "other"] };
const TWO_WITH_ZERO: Forms = Forms { header: "nplurals=2; plural=(n > 1);", categories: &["one", "other"] };
const EAST_SLAVIC: Forms = Forms {
    header: "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    categories: &["one", "few", "many"],
};
const SOUTH_SLAVIC: Forms = Forms { header: EAST_SLAVIC.header, categories: &["one", "few", "other"] };
const POLISH: Forms = Forms {
    header: "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    categories: &["one", "few", "many"],
};
const CZECH: Forms =
    Forms { header: "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);", categories: &["one", "few", "other"] };
const SLOVENE: Forms = Forms {
    header: "nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);",
    categories: &["one", "two", "few", "other"],
};
const LITHUANIAN: Forms = Forms {
    header: "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);",
    categories: &["one", "few", "other"],
};
const LATVIAN: Forms = Forms {
    header: "nplurals=3; plural=(n%10==0 || (n%100>=11 && n%100<=19) ? 2 : n%10==1 ? 0 : 1);",
    categories: &["one", "other", "zero"],
};
const ROMANIAN: Forms = Forms {
    header: "nplurals=3; plural=(n==1 ? 0 : n==0 || (n%100>0 && n%100<20) ? 1 : 2);",
    categories: &["one", "few", "other"],
};
const ARABIC: Forms = Forms {
    header: "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);",
    categories: &["zero", "one", "two", "few", "many", "other"],
};
const IRISH: Forms = Forms {
    header: "nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n>=3 && n<=6 ? 2 : n>=7 && n<=10 ? 3 : 4);",
    categories: &["one", "two", "few", "many", "other"],
};

/// Every category of CLDR.
const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// Returns the plural forms of a language, a tag of BCP 47; `None` for one that this version does not know.
///
/// ```
/// use rres_translations::plural::forms;
///
/// assert_eq!(forms("pl").unwrap().categories, ["one", "few", "many"]);
/// ```
pub fn forms(language: &str) -> Option<Forms> {
    let language = language.replace('_', "-").to_ascii_lowercase();
    let base = language.split('-').next().unwrap_or_default();
    Some(match base {
        _ if language == "pt-pt" => TWO,
        "is" | "mk" => BY_LAST_DIGIT,
        "ja" | "ko" | "zh" | "yue" | "vi" | "th" | "id" | "ms" | "lo" | "my" | "km" => ONE,
        "pt" | "fr" | "fa" | "hi" | "am" | "bn" | "gu" | "hy" | "kn" | "zu" => TWO_WITH_ZERO,
        "ru" | "uk" | "be" => EAST_SLAVIC,
        "sr" | "hr" | "bs" | "sh" => SOUTH_SLAVIC,
        "pl" => POLISH,
        "cs" | "sk" => CZECH,
        "sl" => SLOVENE,
        "lt" => LITHUANIAN,
        "lv" => LATVIAN,
        "ro" | "mo" => ROMANIAN,
        "ar" => ARABIC,
        "ga" => IRISH,
        "en" | "de" | "nl" | "sv" | "da" | "nb" | "nn" | "no" | "fi" | "et" | "el" | "hu" | "it" | "es" | "ca"
        | "eu" | "gl" | "bg" | "tr" | "eo" | "af" | "sw" | "sq" | "ta" | "te" | "ml" | "mr" | "ur" | "az" | "ka"
        | "kk" | "mn" | "fo" | "lb" | "fy" | "he" | "x" => TWO,
        _ => return None,
    })
}

/// A Fluent text that is a choice by a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plural {
    /// The variable without `$`.
    pub variable: String,
    /// Category and text of each variant, in the order of the text.
    pub variants: Vec<(String, String)>,
}

impl Plural {
    /// Returns the texts for one thing and for several, if there are no other ones.
    pub fn one_and_other(&self) -> Option<(String, String)> {
        let of = |wanted: &str| self.variants.iter().find(|(category, _)| category == wanted).map(|of| of.1.clone());
        if self.variants.len() == 2 { Some((of("one")?, of("other")?)) } else { None }
    }

    /// Returns the texts in the order of the forms, if each form has one.
    pub fn in_order(&self, forms: Forms) -> Option<Vec<String>> {
        let of = |wanted: &&str| self.variants.iter().find(|(category, _)| category == wanted).map(|of| of.1.clone());
        if self.variants.len() > forms.categories.len() {
            return None;
        }
        forms.categories.iter().map(of).collect()
    }
}

/// Splits a Fluent text that is nothing but a choice by a number, each variant in a line. `None` for any other text.
pub fn split(text: &str) -> Option<Plural> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let (selector, variants) = inner.split_once("->")?;
    let variable = selector.trim().strip_prefix('$')?;
    if !variable.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')) {
        return None;
    }
    let (mut found, mut defaults): (Vec<(String, String)>, _) = (Vec::new(), 0);
    for line in variants.lines().map(str::trim).filter(|line| !line.is_empty()) {
        defaults += u32::from(line.starts_with('*'));
        let (category, text) = line.trim_start_matches('*').strip_prefix('[')?.split_once(']')?;
        let (category, text) = (category.trim(), text.trim());
        let is_new = found.iter().all(|(known, _)| known != category);
        if !is_new || !CATEGORIES.contains(&category) || text.is_empty() || !is_balanced(text) {
            return None;
        }
        found.push((category.to_owned(), text.to_owned()));
    }
    (defaults == 1).then(|| Plural { variable: variable.to_owned(), variants: found })
}

/// Whether each brace of a line has its other one, so that the variant ends with the line.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    for c in text.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Writes a Fluent text that chooses by a number. The last form is the one for everything else.
///
/// Line breaks within a form become spaces, because a variant is one line here.
pub fn join(variable: &str, forms: Forms, texts: &[String]) -> String {
    let mut out = format!("{{ ${variable} ->\n");
    let default = forms.categories.iter().position(|category| *category == "other");
    let default = default.unwrap_or(forms.categories.len().saturating_sub(1));
    for (at, (category, text)) in forms.categories.iter().zip(texts).enumerate() {
        let mark = if at == default { "   *" } else { "    " };
        let _ = writeln!(out, "{mark}[{category}] {}", text.lines().map(str::trim).collect::<Vec<_>>().join(" "));
    }
    out + "}"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_by_a_number_is_split_and_joined() {
        let text = "{ $count ->\n    [one] one photo\n   *[other] { $count } photos\n}";
        let plural = split(text).unwrap();
        assert_eq!(plural.one_and_other(), Some(("one photo".into(), "{ $count } photos".into())));
        let forms = forms("de").unwrap();
        assert_eq!(join(&plural.variable, forms, &plural.in_order(forms).unwrap()), text);
    }

    #[test]
    fn other_texts_are_no_plurals() {
        for text in [
            "a { $b }",
            "{ $b }",
            "{ $b ->\n [male] a\n *[other] b\n} c",
            "{ $b ->\n [male] a\n *[other] b\n}",
            "{ $b ->\n [one] a\n [other] b\n}",
            "{ $b ->\n [one] { $c ->\n [one] x\n *[other] y\n }\n *[other] b\n}",
            "{ NUMBER($b) ->\n [one] a\n *[other] b\n}",
            "{ $b ->\n [one] a\n [one] a\n *[other] b\n}",
        ] {
            assert_eq!(split(text), None, "{text}");
        }
    }

    #[test]
    fn every_language_has_as_many_categories_as_its_header_says() {
        for language in "en fr ja ru sr pl cs sl lt lv ro ar ga pt-BR zh_Hant".split(' ') {
            let forms = forms(language).unwrap();
            let count = forms.categories.len();
            assert!(forms.header.starts_with(&format!("nplurals={count};")), "{language}");
        }
        assert_eq!(forms("tlh"), None);
    }

    #[test]
    fn some_categories_are_for_one_number() {
        let of = |language: &str| {
            let forms = forms(language).unwrap();
            let single = forms.categories.iter().copied().filter(|category| forms.is_for_one_number(category));
            single.collect::<Vec<_>>().join(" ")
        };
        for (languages, expected) in
            [("de pl cs ro", "one"), ("ar", "zero one two"), ("ga", "one two"), ("ru sr is fr sl lt lv ja", "")]
        {
            languages.split(' ').for_each(|language| assert_eq!(of(language), expected, "{language}"));
        }
    }
}
