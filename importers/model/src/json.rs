//! Members of JSON objects as numbers, with errors that name them: for extensions and for what the JSON reader of glTF refuses
//! as a whole.

use gltf::json::Value;
use rres_import::ImportError;

/// The list in a member, empty if there is none.
pub(super) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The text in a member, empty if there is none.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The object of an extension.
pub(super) fn extension<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get("extensions")?.get(name)
}

/// The index in a member.
pub(super) fn index(value: &Value, key: &str) -> Result<Option<usize>, ImportError> {
    let Some(found) = value.get(key) else { return Ok(None) };
    let index = found.as_u64().and_then(|index| usize::try_from(index).ok());
    index.map(Some).ok_or_else(|| wrong(key, found, "a whole number"))
}

/// The number in a member.
pub(super) fn number(value: &Value, key: &str) -> Result<Option<f32>, ImportError> {
    Ok(numbers::<1>(value, key, true)?.map(|[number]| number))
}

/// The `N` numbers in a member, or a number alone if `is_bare`.
pub(super) fn numbers<const N: usize>(
    value: &Value,
    key: &str,
    is_bare: bool,
) -> Result<Option<[f32; N]>, ImportError> {
    let Some(found) = value.get(key) else { return Ok(None) };
    let mut out = [0.0; N];
    let single = std::slice::from_ref(found);
    let items = if is_bare { single } else { found.as_array().map(Vec::as_slice).unwrap_or_default() };
    let numbers =
        items.iter().map(|item| item.as_f64().map(|number| number as f32).filter(|number| number.is_finite()));
    let is_right =
        items.len() == N && out.iter_mut().zip(numbers).all(|(slot, number)| number.map(|n| *slot = n).is_some());
    let expected = if is_bare { "a number".to_owned() } else { format!("{N} numbers") };
    if is_right { Ok(Some(out)) } else { Err(wrong(key, found, &expected)) }
}

/// The error of a member with another value than expected.
pub(super) fn wrong(key: &str, found: &Value, expected: &str) -> ImportError {
    let shown: String = found.to_string().chars().take(80).collect();
    ImportError::new(format!("{key} is {shown}, expected {expected}")).with_damage_help("export it again")
}
