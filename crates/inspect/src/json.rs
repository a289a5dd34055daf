//! Numbers, texts and lists as JSON.

use std::fmt::Write as _;

/// A value that can be written as JSON.
pub(crate) trait ToJson {
    fn write(&self, to: &mut String);
}

/// Writes an object; each field follows the last one.
pub(crate) struct Object<'t> {
    to: &'t mut String,
    is_first: bool,
}

impl<'t> Object<'t> {
    pub(crate) fn new(to: &'t mut String) -> Self {
        to.push('{');
        Self { to, is_first: true }
    }

    pub(crate) fn field(&mut self, name: &str, value: &impl ToJson) -> &mut Self {
        if !std::mem::take(&mut self.is_first) {
            self.to.push(',');
        }
        name.write(self.to);
        self.to.push(':');
        value.write(self.to);
        self
    }

    pub(crate) fn end(&mut self) {
        self.to.push('}');
    }
}

impl ToJson for str {
    fn write(&self, to: &mut String) {
        to.push('"');
        for c in self.chars() {
            match c {
                '"' => to.push_str("\\\""),
                '\\' => to.push_str("\\\\"),
                '\n' => to.push_str("\\n"),
                '\r' => to.push_str("\\r"),
                '\t' => to.push_str("\\t"),
                c if c < ' ' || c == '\u{7f}' => {
                    let _ = write!(to, "\\u{:04x}", u32::from(c));
                }
                c => to.push(c),
            }
        }
        to.push('"');
    }
}

impl ToJson for &str {
    fn write(&self, to: &mut String) {
        str::write(self, to);
    }
}

impl ToJson for String {
    fn write(&self, to: &mut String) {
        str::write(self, to);
    }
}

impl ToJson for bool {
    fn write(&self, to: &mut String) {
        to.push_str(if *self { "true" } else { "false" });
    }
}

impl ToJson for u64 {
    fn write(&self, to: &mut String) {
        let _ = write!(to, "{self}");
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write(&self, to: &mut String) {
        match self {
            Some(value) => value.write(to),
            None => to.push_str("null"),
        }
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write(&self, to: &mut String) {
        to.push('[');
        for (i, value) in self.iter().enumerate() {
            if i > 0 {
                to.push(',');
            }
            value.write(to);
        }
        to.push(']');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_read_back() {
        let all: String = (0..0x250).filter_map(char::from_u32).chain("\u{2028} 🎮 </script>".chars()).collect();
        let mut json = String::new();
        vec![Some(all.clone()), None].write(&mut json);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), serde_json::json!([all, null]));
        assert!(!json.contains('\n'));
    }

    #[test]
    fn objects_have_commas_between_fields() {
        let mut json = String::new();
        Object::new(&mut json).field("a", &1).field("b", &vec![true, false]).field("c", &"x").end();
        assert_eq!(json, r#"{"a":1,"b":[true,false],"c":"x"}"#);
    }
}
