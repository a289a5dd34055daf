//! The JSON of an explanation.

use rres_engine::{ChunkFacts, ImportFacts, ResourceFacts, Standing};
use rres_settings::{MatchedRule, SetBy, SettingOrigin};
use serde_json::{Value, json};

use super::{Answer, Named};

pub(super) fn explanation_json(answer: &Answer) -> Value {
    let (explained, explanation) = (&answer.explained, answer.explanation());
    let (left_out_by, place, because) = match &explanation.standing {
        Standing::Ignored { rule, place } => (Some(rule), Some(place), None),
        Standing::NeverAsset { name } => (None, None, Some(name)),
        _ => (None, None, None),
    };
    let target_file = match &explanation.standing {
        Standing::TargetFile { asset, file } => Some(json!({ "asset": asset, "file": file })),
        _ => None,
    };
    let note = |(text, help): &(String, String)| json!({ "message": text, "help": some(help) });
    let named = |Named { file, line }: &Named| json!({ "file": file.display().to_string(), "line": line });
    json!({
        "path": explanation.path,
        "file": explanation.file.display().to_string(),
        "standing": explanation.standing.word(),
        "left_out_by": left_out_by.map(|rule| json!({ "rule": rule, "place": place })),
        "left_out_name": because,
        "target_file": target_file,
        "module": explanation.module,
        "pack": explained.pack,
        "importer": explanation.importer,
        "kind": explanation.kind.map(|kind| kind.name()),
        "kind_reason": some(&explanation.kind_reason),
        "id": explanation.id.map(|id| id.to_string()),
        "id_reason": some(&explanation.id_reason),
        "constant": explanation.constant,
        "rules": explanation.rules.iter().map(rule_json).collect::<Vec<_>>(),
        "settings": explanation.settings.iter().map(setting_json).collect::<Vec<_>>(),
        "groups": explanation.groups,
        "import": explanation.import.as_ref().map(import_json),
        "needed_by": explanation.needed_by,
        "read_by": explanation.read_by,
        "notes": explanation.notes.iter().map(note).collect::<Vec<_>>(),
        "prints_notes": explanation.prints_notes,
        "named_in": answer.named.iter().map(named).collect::<Vec<_>>(),
    })
}

fn some(text: &String) -> Option<&String> {
    Some(text).filter(|text| !text.is_empty())
}

fn rule_json(MatchedRule { rule, place, keys, when, holds, .. }: &MatchedRule) -> Value {
    json!({ "rule": rule, "place": place, "keys": keys, "when": when, "holds": holds })
}

pub(crate) fn setting_json(SettingOrigin { key, value, set_by, overridden, .. }: &SettingOrigin) -> Value {
    json!({
        "key": key,
        "value": value,
        "set_by": set_by.as_ref().map(set_by_json),
        "overridden": overridden.iter().map(set_by_json).collect::<Vec<_>>(),
    })
}

fn set_by_json(SetBy { key, rule, place, value, when, .. }: &SetBy) -> Value {
    json!({ "key": key, "rule": rule, "place": place, "value": value, "when": when })
}

fn import_json(facts: &ImportFacts) -> Value {
    json!({
        "source_size": facts.source_size,
        "stored_size": facts.stored_size,
        "cached": facts.cached,
        "seconds": (facts.elapsed.as_secs_f64() * 1e4).round() / 1e4,
        "inputs": facts.inputs,
        "resources": facts.resources.iter().map(resource_json).collect::<Vec<_>>(),
    })
}

fn resource_json(resource: &ResourceFacts) -> Value {
    json!({
        "path": resource.path,
        "id": resource.id.to_string(),
        "kind": resource.kind.name(),
        "constant": resource.constant,
        "summary": resource.summary,
        "stored_size": resource.stored_size,
        "decoded_size": resource.decoded_size,
        "dependencies": resource.dependencies,
        "chunks": resource.chunks.iter().map(chunk_json).collect::<Vec<_>>(),
    })
}

fn chunk_json(chunk: &ChunkFacts) -> Value {
    json!({
        "kind": chunk.kind.to_string(),
        "compression": chunk.compression.to_string(),
        "stored_size": chunk.stored_size,
        "decoded_size": chunk.decoded_size,
        "reason": chunk.reason,
    })
}
