//! The shape of the settings file → a JSON Schema of draft 7, which is the newest that all editors of TOML know.

use rres_settings::shape::{Key, Others, Shape, Table};
use serde_json::{Map, Value, json};

/// The schema of a settings file of this shape.
pub(super) fn document(file: &Table) -> Value {
    let mut writer = Writer::default();
    let mut schema = writer.table(file);
    schema.insert("$schema".to_owned(), "http://json-schema.org/draft-07/schema#".into());
    schema.insert("title".to_owned(), "assets.toml of rres".into());
    schema.insert("definitions".to_owned(), Value::Object(writer.definitions));
    Value::Object(schema)
}

/// Collects the tables that occur in several places.
#[derive(Default)]
struct Writer {
    definitions: Map<String, Value>,
}

impl Writer {
    fn shape(&mut self, shape: &Shape) -> Value {
        match shape {
            Shape::Flag => json!({ "type": "boolean" }),
            Shape::Only(flag) => json!({ "type": "boolean", "enum": [flag] }),
            Shape::Integer(range) => {
                let mut schema = object(json!({ "type": "integer", "minimum": range.start() }));
                // The largest number of TOML is not a number of JavaScript.
                if *range.end() < i64::MAX {
                    schema.insert("maximum".to_owned(), (*range.end()).into());
                }
                Value::Object(schema)
            }
            Shape::Number(range) => {
                json!({ "type": "number", "minimum": number(*range.start()), "maximum": number(*range.end()) })
            }
            Shape::Text(pattern) if pattern.is_empty() => json!({ "type": "string" }),
            Shape::Text(pattern) => json!({ "type": "string", "pattern": pattern }),
            Shape::OneOf(words) => json!({ "type": "string", "enum": words }),
            Shape::Array { item, length, is_distinct } => {
                let mut schema =
                    object(json!({ "type": "array", "items": self.shape(item), "minItems": length.start() }));
                if *length.end() < usize::MAX {
                    schema.insert("maxItems".to_owned(), (*length.end()).into());
                }
                if *is_distinct {
                    schema.insert("uniqueItems".to_owned(), true.into());
                }
                Value::Object(schema)
            }
            Shape::Table(table) => match table.name {
                None => Value::Object(self.table(table)),
                Some(name) => {
                    if !self.definitions.contains_key(name) {
                        let schema = Value::Object(self.table(table));
                        self.definitions.insert(name.to_owned(), schema);
                    }
                    json!({ "$ref": format!("#/definitions/{name}") })
                }
            },
            Shape::AnyOf(shapes) => {
                let shapes: Vec<Value> = shapes.iter().map(|shape| self.shape(shape)).collect();
                json!({ "anyOf": shapes })
            }
        }
    }

    fn table(&mut self, Table { doc, keys, others, .. }: &Table) -> Map<String, Value> {
        let mut schema = object(json!({ "type": "object", "description": doc }));
        if !keys.is_empty() {
            let properties: Map<_, _> = keys.iter().map(|key| (key.name.clone(), self.key(key))).collect();
            schema.insert("properties".to_owned(), Value::Object(properties));
        }
        let required: Vec<&str> = keys.iter().filter(|key| key.is_required).map(|key| &*key.name).collect();
        if !required.is_empty() {
            schema.insert("required".to_owned(), required.into());
        }
        match others.as_deref() {
            None => _ = schema.insert("additionalProperties".to_owned(), false.into()),
            Some(Others { names, refused, shape }) => {
                let mut rule = object(json!({ "pattern": names }));
                if !refused.is_empty() {
                    rule.insert("not".to_owned(), json!({ "enum": refused }));
                }
                schema.insert("propertyNames".to_owned(), Value::Object(rule));
                schema.insert("additionalProperties".to_owned(), self.shape(shape));
            }
        }
        schema
    }

    fn key(&mut self, key: &Key) -> Value {
        let mut schema = object(self.shape(&key.shape));
        // Beside a reference everything else has no effect.
        if schema.contains_key("$ref") {
            return Value::Object(schema);
        }
        let mut description = key.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        if !key.default_in_words.is_empty() {
            description = format!("{description}\n\nDefault: {}.", key.default_in_words);
        }
        if !description.is_empty() {
            schema.insert("description".to_owned(), description.into());
        }
        if let Some(default) = key.default.as_deref().and_then(from_toml) {
            schema.insert("default".to_owned(), default);
        }
        Value::Object(schema)
    }
}

/// A number without a decimal point if it needs none.
fn number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 { json!(number as i64) } else { json!(number) }
}

/// The members of a value that is an object.
fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// A value that is written in TOML; `None` for one that is not in JSON.
fn from_toml(text: &str) -> Option<Value> {
    let convert = |value: &toml_edit::Value| match value {
        toml_edit::Value::String(text) => Some(json!(text.value())),
        toml_edit::Value::Integer(integer) => Some(json!(integer.value())),
        toml_edit::Value::Float(float) => {
            // Settings are numbers of 32 bits, which are written with 64.
            let short = *float.value() as f32;
            let is_short = f64::from(short) == *float.value();
            Some(number(if is_short { short.to_string().parse().ok()? } else { *float.value() }))
        }
        toml_edit::Value::Boolean(flag) => Some(json!(flag.value())),
        _ => None,
    };
    match text.parse::<toml_edit::Value>().ok()? {
        toml_edit::Value::Array(items) => items.iter().map(convert).collect::<Option<Vec<_>>>().map(Value::from),
        value => convert(&value),
    }
}
