//! What a WebAssembly program imports, which says how a page must start it.

use std::collections::BTreeSet;

use wasmparser::{Parser, Payload};

/// The imports of a program.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Imports {
    /// Whether wasm-bindgen has to make its scripts.
    pub(super) bindgen: bool,
    /// The functions of C that it imports, as miniquad does.
    pub(super) env: BTreeSet<String>,
}

impl Imports {
    /// # Errors
    /// If this is no program, or one that browsers cannot run; the text says why.
    pub(super) fn of(program: &[u8]) -> Result<Self, String> {
        let mut imports = Self::default();
        for payload in Parser::new(0).parse_all(program) {
            let section = match payload.map_err(|e| format!("no WebAssembly program: {e}"))? {
                Payload::ImportSection(section) => section,
                _ => continue,
            };
            for import in section.into_imports() {
                let import = import.map_err(|e| format!("damaged: {e}"))?;
                match import.module {
                    "env" => {
                        imports.env.insert(import.name.to_owned());
                    }
                    module if module.starts_with("__wbindgen_") => imports.bindgen = true,
                    module => {
                        return Err(format!(
                            "imports `{}` of `{module}`, which browsers do not have; build for wasm32-unknown-unknown",
                            import.name
                        ));
                    }
                }
            }
        }
        Ok(imports)
    }

    /// Whether the script of an engine has to instantiate the program.
    pub(super) fn needs_engine(&self) -> bool {
        !self.env.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that imports functions, each with its module.
    fn program(imports: &[(&str, &str)]) -> Vec<u8> {
        let text = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
        let mut section = vec![u8::try_from(imports.len()).unwrap()];
        for (module, name) in imports {
            // Of kind function, of the first type.
            section.extend([text(module), text(name), vec![0, 0]].concat());
        }
        let types = [1, 4, 1, 0x60, 0, 0];
        let len = u8::try_from(section.len()).unwrap();
        [b"\0asm\x01\0\0\0".as_slice(), &types, &[2, len], &section].concat()
    }

    #[test]
    fn imports_say_what_a_page_needs() {
        assert_eq!(Imports::of(&program(&[])), Ok(Imports::default()));
        let macroquad = Imports::of(&program(&[("env", "glClear"), ("env", "console_log")])).unwrap();
        assert!(!macroquad.bindgen && macroquad.needs_engine());
        assert_eq!(macroquad.env.first().unwrap(), "console_log");
        let both = Imports::of(&program(&[("env", "glClear"), ("__wbindgen_placeholder__", "__wbg_now")])).unwrap();
        assert!(both.bindgen && both.needs_engine());
        let bevy = Imports::of(&program(&[("__wbindgen_placeholder__", "__wbg_now")])).unwrap();
        assert!(bevy.bindgen && !bevy.needs_engine());
    }

    #[test]
    fn what_browsers_cannot_run_is_refused() {
        let wasi = Imports::of(&program(&[("wasi_snapshot_preview1", "fd_write")])).unwrap_err();
        assert!(wasi.starts_with("imports `fd_write` of `wasi_snapshot_preview1`"), "{wasi}");
        for bytes in [b"\x7fELF".as_slice(), b"", b"\0asm\x01\0\0\0\x02\x7f"] {
            let why = Imports::of(bytes).unwrap_err();
            assert!(why.starts_with("no WebAssembly program: "), "{why}");
        }
        let cut = program(&[("env", "glClear")]);
        assert!(Imports::of(&cut[..cut.len() - 4]).is_err());
    }
}
