//! Texts, decoded to UTF-8.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use rres_format::chunk::raw::RawView;
use rres_format::chunk::shader::ShaderInterface;
use rres_format::chunk::text::{CodeLanguage, TextEncoding, TextProps, TextView, decode};
use rres_format::{AssetKind, FourCc};

use super::{Asset, FromResource};
use crate::error::Result;
use crate::resource::{Chunk, LoadedResource};

/// A text in UTF-8, whatever the encoding of the source file was. It dereferences to `str` and prints as it is; cloning
/// shares it.
///
/// ```
/// use rres_runtime::Text;
///
/// fn rows(text: &Text) -> Vec<&str> {
///     println!("{text}");
///     text.lines().filter(|line| !line.starts_with('#')).collect()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Text {
    /// A copy, because bytes in a mapped pack are known to be UTF-8 only at the moment when they are checked.
    text: Arc<str>,
    props: TextProps,
    shader: Option<Arc<ShaderInterface>>,
}

impl Text {
    /// Returns the text, without a byte order mark.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the encoding of the source file.
    pub fn encoding(&self) -> TextEncoding {
        self.props.encoding
    }

    /// Returns the programming language of source code.
    pub fn language(&self) -> CodeLanguage {
        self.props.language
    }

    /// Returns what a program has to give this shader: entry points, bindings, inputs and constants. `None` if the build has not
    /// validated the text as a shader; see docs/shaders.md.
    ///
    /// ```
    /// use rres_runtime::Text;
    /// use rres_runtime::asset::shader::ShaderStage;
    ///
    /// /// The name of the function for the vertex stage of a pipeline.
    /// fn vertex_entry(shader: &Text) -> Option<&str> {
    ///     let entry = shader.shader()?.entry_points_of(ShaderStage::Vertex).next()?;
    ///     Some(&entry.name)
    /// }
    /// ```
    pub fn shader(&self) -> Option<&ShaderInterface> {
        self.shader.as_deref()
    }

    /// Returns the Windows language id (0x0409 is en-US); `None` if the text is for every culture.
    pub fn culture(&self) -> Option<u32> {
        Some(self.props.culture).filter(|culture| *culture != 0)
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

/// Shares the text without a copy.
impl From<Text> for Arc<str> {
    fn from(text: Text) -> Self {
        text.text
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.as_str().to_owned()
    }
}

impl Asset for Text {
    const KIND: AssetKind = AssetKind::Text;
}

impl FromResource for Text {
    fn from_resource(resource: &LoadedResource<'_>) -> Result<Self> {
        let chunk = resource.chunk(FourCc::TEXT)?;
        let view = TextView::parse(chunk.payload()?)?;
        let shader = match resource.chunk(FourCc::SHDR) {
            Ok(chunk) => Some(Arc::new(ShaderInterface::parse(chunk.payload()?)?)),
            Err(_) => None,
        };
        Ok(Self { text: view.decode()?.into(), props: view.props(), shader })
    }

    fn from_file(file: &Chunk, _: &LoadedResource<'_>) -> Option<Result<Self>> {
        let made = || {
            let bytes = RawView::parse(file.payload()?)?.bytes();
            let props = TextProps::utf8(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
            Ok(Self { text: decode(props.encoding, bytes)?.into(), props, shader: None })
        };
        (file.kind == FourCc::RAWD).then(made)
    }
}
