//! The bill of materials of a program, as CycloneDX JSON: the crates that are linked into it and which uses which, and the works that its assets
//! are from.

use rres_licenses::{Credit, License};
use serde_json::{Value, json};

use crate::cargo::{Crate, Graph};

/// Returns the bill of materials of `program`, whose crates are `linked`, and whose assets are from the works `credits`. It contains no time and no random serial number, so
/// equal programs have equal ones.
pub(super) fn bill_of_materials(program: &Crate, linked: &[&Crate], graph: &Graph, credits: &[Credit]) -> Value {
    let others = || linked.iter().filter(|package| package.id != program.id);
    let all: Vec<&Crate> = linked.to_vec();
    let uses = |package: &Crate| -> Vec<String> { graph.uses(&package.id, &all).into_iter().map(reference).collect() };
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": component(program, "application"),
            "tools": { "components": [{
                "type": "application",
                "name": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
            }] },
        },
        "components": others()
            .map(|package| component(package, "library"))
            .chain((1..).zip(credits).map(|(number, credit)| work(number, credit)))
            .collect::<Vec<_>>(),
        "dependencies": linked
            .iter()
            .map(|package| json!({ "ref": reference(package), "dependsOn": uses(package) }))
            .collect::<Vec<_>>(),
    })
}

/// The name of a package in the bill. Cargo's own would contain paths of this machine.
fn reference(package: &Crate) -> String {
    format!("{}@{}", package.name, package.version)
}

fn component(package: &Crate, kind: &str) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": reference(package),
        "name": package.name,
        "version": package.version,
    });
    if package.source.as_deref().is_some_and(|source| source.starts_with("registry+")) {
        component["purl"] = format!("pkg:cargo/{}@{}", package.name, package.version).into();
    }
    if let Some(license) = &package.license {
        // Cargo allowed a slash before SPDX expressions.
        component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
    }
    if !package.authors.is_empty() {
        component["author"] = package.authors.join(", ").into();
    }
    if let Some(description) = &package.description {
        component["description"] = description.split_whitespace().collect::<Vec<_>>().join(" ").into();
    }
    if let Some(url) = &package.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": url }]);
    }
    component
}

/// A work that assets are from, the first of which is its name.
fn work(number: usize, credit: &Credit) -> Value {
    let terms = &credit.terms;
    let files = credit.files.iter().map(|path| json!({ "name": "rres:asset", "value": path }));
    let is_address = |source: &&String| source.starts_with("http://") || source.starts_with("https://");
    let (address, words) = (terms.source.as_ref().filter(is_address), terms.source.as_ref());
    let words =
        words.filter(|source| !is_address(source)).map(|source| json!({ "name": "rres:source", "value": source }));
    let mut work = json!({
        "type": "data",
        "bom-ref": format!("assets/{number}"),
        "name": credit.files.first().map_or_else(|| format!("assets {number}"), Clone::clone),
        "properties": files.chain(words).collect::<Vec<_>>(),
    });
    // The standard allows expressions of SPDX only.
    match terms.license.as_deref().map(License::parse) {
        Some(Ok(license)) => work["licenses"] = json!([{ "expression": license.as_str() }]),
        Some(Err(_)) => work["licenses"] = json!([{ "license": { "name": terms.license } }]),
        None => {}
    }
    if !terms.authors.is_empty() {
        work["author"] = terms.authors.join(", ").into();
    }
    if !terms.copyright.is_empty() {
        work["copyright"] = terms.copyright.join("\n").into();
    }
    if let Some(source) = address {
        work["externalReferences"] = json!([{ "type": "website", "url": source }]);
    }
    work
}
