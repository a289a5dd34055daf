//! Objects in memory, for tests.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, MutexGuard};

use super::{Objects, Part, Replaced, UpdateVersion};

/// A store in memory.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    objects: Mutex<HashMap<String, Vec<u8>>>,
    lacks_conditions: bool,
    /// What another machine writes in place of what this one has just written, and how often.
    written_over: Mutex<Option<(String, Vec<u8>, usize)>>,
}

impl Memory {
    /// A store that replaces objects in any case.
    pub(crate) fn without_conditions() -> Self {
        Self { lacks_conditions: true, ..Self::default() }
    }

    /// Has another machine write these bytes each time that this one replaces the object, so many times.
    pub(crate) fn write_over(&self, name: &str, bytes: &[u8], times: usize) {
        *self.written_over.lock().unwrap() = Some((name.to_owned(), bytes.to_vec(), times));
    }

    fn objects(&self) -> MutexGuard<'_, HashMap<String, Vec<u8>>> {
        self.objects.lock().unwrap()
    }
}

fn version(bytes: &[u8]) -> UpdateVersion {
    UpdateVersion { e_tag: Some(blake3::hash(bytes).to_hex().to_string()), version: None }
}

impl Objects for Memory {
    fn get(&self, name: &str, most: u64) -> io::Result<Option<(Vec<u8>, UpdateVersion)>> {
        let found = self.objects().get(name).cloned();
        assert!(found.as_ref().is_none_or(|bytes| bytes.len() as u64 <= most));
        Ok(found.map(|bytes| (bytes.clone(), version(&bytes))))
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> io::Result<()> {
        self.objects().insert(name.to_owned(), bytes);
        Ok(())
    }

    fn replace(&self, name: &str, bytes: &[u8], expected: Option<UpdateVersion>) -> io::Result<Replaced> {
        let mut objects = self.objects();
        if !self.lacks_conditions && objects.get(name).map(|bytes| version(bytes)) != expected {
            return Ok(Replaced::No);
        }
        objects.insert(name.to_owned(), bytes.to_vec());
        match &mut *self.written_over.lock().unwrap() {
            Some((of, others, times)) if of == name && *times > 0 => {
                *times -= 1;
                objects.insert(name.to_owned(), others.clone());
            }
            _ => {}
        }
        Ok(if self.lacks_conditions { Replaced::InAnyCase } else { Replaced::Yes })
    }

    fn get_parts(&self, parts: &[Part], take: &mut dyn FnMut(usize, &[u8])) -> io::Result<()> {
        let objects = self.objects();
        for (number, Part { name, range }) in parts.iter().enumerate() {
            let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            if let Some(bytes) = objects.get(name).and_then(|bytes| bytes.get(range)) {
                take(number, bytes);
            }
        }
        Ok(())
    }
}
