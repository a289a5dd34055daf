//! A document of [SPDX 2.3](https://spdx.github.io/spdx-spec/v2.3/) about the files of a game.

use rres_licenses::License;
use serde_json::{Value, json};
use sha1::{Digest, Sha1};

use super::Ledger;
use super::ledger::Source;
use crate::exit::Failure;
use crate::source_date::{self, Date};

/// What nobody states.
const NOTHING: &str = "NOASSERTION";

/// The document itself, for relations.
const DOCUMENT: &str = "SPDXRef-DOCUMENT";

/// Returns the document. Its time is that of `SOURCE_DATE_EPOCH`, or else 1980-01-01; all else depends on the files alone.
pub(super) fn document(ledger: &Ledger) -> Result<Value, Failure> {
    let mut files = Vec::new();
    let mut all = Sha1::new();
    for (number, source) in ledger.sources.iter().enumerate() {
        let file = &source.licensed.file;
        let bytes = std::fs::read(file).map_err(|e| Failure::Usage(format!("cannot read {}: {e}", file.display())))?;
        let file = file_json(source, number, &hex(&Sha1::digest(&bytes)));
        // Another document has another name.
        all.update(file.to_string().as_bytes());
        files.push(file);
    }
    let describes = |number: usize| json!({ "spdxElementId": DOCUMENT, "relationshipType": "DESCRIBES", "relatedSpdxElement": reference(number) });
    let own: Vec<Value> = ledger
        .texts()
        .into_iter()
        .filter(|(name, _)| name.starts_with("LicenseRef-"))
        .map(|(name, text)| own_license(&name, text))
        .collect();
    Ok(json!({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": DOCUMENT,
        "name": "assets",
        "documentNamespace": format!("https://spdx.org/spdxdocs/rres-assets-{}", hex(&all.finalize())),
        "creationInfo": {
            "created": Date::of(source_date::read()?).iso(),
            "creators": [format!("Tool: {}-{}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))],
        },
        "files": files,
        "hasExtractedLicensingInfos": own,
        "relationships": (0..ledger.sources.len()).map(describes).collect::<Vec<_>>(),
    }))
}

fn reference(number: usize) -> String {
    format!("SPDXRef-File-{}", number + 1)
}

fn file_json(source: &Source, number: usize, hash: &str) -> Value {
    let terms = &source.licensed.terms;
    // An expression that is wrong would make the document invalid.
    let license = terms.license.as_deref().filter(|text| License::parse(text).is_ok());
    let mut json = json!({
        "SPDXID": reference(number),
        "fileName": format!("./{}", source.licensed.source),
        "checksums": [{ "algorithm": "SHA1", "checksumValue": hash }],
        "licenseConcluded": license.unwrap_or(NOTHING),
        "copyrightText": if terms.copyright.is_empty() { NOTHING.to_owned() } else { terms.copyright.join("\n") },
    });
    if !terms.authors.is_empty() {
        json["fileContributors"] = json!(terms.authors);
    }
    let words: Vec<&String> = terms.attribution.iter().chain(&terms.source).collect();
    if !words.is_empty() {
        json["attributionTexts"] = json!(words);
    }
    json
}

/// A licence that SPDX does not list.
fn own_license(name: &str, text: Option<String>) -> Value {
    json!({ "licenseId": name, "extractedText": text.unwrap_or_else(|| format!("The text of {name} is not known.")) })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
