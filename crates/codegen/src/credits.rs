//! Who made the assets → the function `credits` of the generated module.

use std::fmt::Write;

use rres_protocol::CREDIT_MARK;

/// One work: assets with the same authors, licence and source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credit {
    /// The licence, as an expression of SPDX.
    pub license: Option<String>,
    /// Who made it.
    pub authors: Vec<String>,
    /// The notices of copyright.
    pub copyright: Vec<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// The words that its author wants to be shown.
    pub attribution: Option<String>,
    /// The paths of the assets, sorted; empty if packs do not have paths.
    pub assets: Vec<String>,
}

/// The text of the function, for the runtime at `rt`. Rust's and its own forms of these values are equal.
pub(crate) fn function(rt: &str, credits: &[Credit]) -> String {
    let mut text = format!(
        "/// Who made these assets, by work: the licence of each, its authors and where it comes from.
pub const fn credits() -> &'static [{rt}::Credit] {{
    const {{
        &[
"
    );
    for Credit { license, authors, copyright, source, attribution, assets } in credits {
        let assets =
            assets.iter().map(|path| format!("{rt}::__private::credited({:?})", format!("{CREDIT_MARK}{path}")));
        let assets: Vec<String> = assets.collect();
        let _ = writeln!(
            text,
            "            {rt}::__private::credit(
                {license}, &{authors:?}, &{copyright:?},
                {source}, {attribution},
                const {{ &[{assets}] }},
            ),",
            license = option(license.as_deref()),
            source = option(source.as_deref()),
            assets = assets.join(", "),
            attribution = option(attribution.as_deref()),
        );
    }
    text.push_str("        ]\n    }\n}\n\n");
    text
}

fn option(text: Option<&str>) -> String {
    match text {
        Some(text) => format!("::core::option::Option::Some({text:?})"),
        None => "::core::option::Option::None".to_owned(),
    }
}
