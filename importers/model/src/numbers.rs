//! Accessors of numbers → spans of the numbers of a SCNE chunk. An accessor that several records use is stored once.

use std::collections::{HashMap, HashSet};

use gltf::json::Root;
use gltf::json::accessor::ComponentType;
use rres_format::chunk::scene::{SceneBlock, Span};
use rres_import::ImportError;

use super::accessor::Elements;
use super::buffers::{Buffers, size};
use super::demand::MAX_NUMBERS;
use super::document::item;

/// What is read and written while a SCNE chunk is made.
pub(super) struct Numbers<'r> {
    pub(super) root: &'r Root,
    pub(super) block: SceneBlock,
    known: HashMap<(usize, Scaling), Stored>,
    /// The setting `model.scale`.
    pub(super) scale: f32,
    /// The first numbers of times that are known to ascend.
    pub(super) ascending: HashSet<u32>,
}

/// What the scale of the model changes in the numbers of an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scaling {
    /// Nothing: times, rotations, weights.
    None,
    /// All of them: translations, differences of positions.
    All,
    /// The translations of matrices.
    Matrices,
}

/// An accessor that is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub(super) span: Span,
    pub(super) components: usize,
    pub(super) count: usize,
    component: ComponentType,
    normalized: bool,
}

impl Stored {
    /// Whether the components are floats, or integers that represent fractions.
    pub(super) fn is_float_or_fraction(&self) -> bool {
        self.component == ComponentType::F32 || (self.normalized && self.component != ComponentType::U32)
    }

    /// Whether the components are floats.
    pub(super) fn is_float(&self) -> bool {
        self.component == ComponentType::F32
    }

    /// What an element consists of: `3 × F32`.
    pub(super) fn shape(&self) -> String {
        format!("{} × {:?}", self.components, self.component)
    }
}

impl<'r> Numbers<'r> {
    pub(super) fn new(root: &'r Root, scale: f32) -> Self {
        Self { root, block: SceneBlock::default(), known: HashMap::new(), scale, ascending: HashSet::new() }
    }

    /// The elements of an accessor, as floats.
    pub(super) fn read(&mut self, buffers: &mut Buffers<'_, '_, '_>, index: usize) -> Result<Stored, ImportError> {
        self.read_scaled(buffers, index, Scaling::None)
    }

    /// The elements of an accessor, as floats, changed by the scale of the model.
    pub(super) fn read_scaled(
        &mut self,
        buffers: &mut Buffers<'_, '_, '_>,
        index: usize,
        scaling: Scaling,
    ) -> Result<Stored, ImportError> {
        let scaling = if self.scale == 1.0 { Scaling::None } else { scaling };
        if let Some(stored) = self.known.get(&(index, scaling)) {
            return Ok(*stored);
        }
        let stored = self.store(buffers, index, scaling, None)?;
        self.known.insert((index, scaling), stored);
        Ok(stored)
    }

    /// The elements of an accessor with these numbers, in this order.
    pub(super) fn read_some(
        &mut self,
        buffers: &mut Buffers<'_, '_, '_>,
        index: usize,
        scaling: Scaling,
        elements: &[u32],
    ) -> Result<Stored, ImportError> {
        self.store(buffers, index, scaling, Some(elements))
    }

    fn store(
        &mut self,
        buffers: &mut Buffers<'_, '_, '_>,
        index: usize,
        scaling: Scaling,
        chosen: Option<&[u32]>,
    ) -> Result<Stored, ImportError> {
        let count = size(item(&self.root.accessors, "accessor", index)?.count);
        if count.saturating_add(self.block.numbers.len()) > MAX_NUMBERS {
            return Err(too_many_numbers());
        }
        let elements = Elements::read_any(self.root, buffers, index)?;
        if count.saturating_mul(elements.components).saturating_add(self.block.numbers.len()) > MAX_NUMBERS {
            return Err(too_many_numbers());
        }
        if let Some(bad) = elements.floats().position(|number| !number.is_finite()) {
            let error =
                format!("accessor {index} has a number that is not finite in element {}", bad / elements.components);
            return Err(ImportError::new(error).with_damage_help("export it again"));
        }
        let Elements { component, components, normalized, count, .. } = elements;
        let scale = self.scale;
        let scaled = elements.floats().enumerate().map(|(at, number)| match scaling {
            Scaling::All => number * scale,
            Scaling::Matrices if (12..15).contains(&(at % 16)) => number * scale,
            _ => number,
        });
        let span = match chosen {
            None => self.block.push_numbers(scaled),
            Some(chosen) => {
                let all: Vec<f32> = scaled.collect();
                let size = chosen.len().saturating_mul(components);
                if size.saturating_add(self.block.numbers.len()) > MAX_NUMBERS {
                    return Err(too_many_numbers());
                }
                // What the accessor lacks is found by its count.
                let of_element =
                    |element: &u32| all.chunks_exact(components).nth(*element as usize).unwrap_or_default();
                self.block.push_numbers(chosen.iter().flat_map(of_element).copied())
            }
        };
        let span = span.map_err(|error| ImportError::new(error.to_string()))?;
        Ok(Stored { span, components, count, component, normalized })
    }

    /// Adds numbers that are in the document itself.
    pub(super) fn push(&mut self, what: &str, numbers: &[f32]) -> Result<Span, ImportError> {
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(ImportError::new(format!("{what} are not finite")).with_damage_help("export it again"));
        }
        self.block.push_numbers(numbers.iter().copied()).map_err(|error| ImportError::new(error.to_string()))
    }

    /// Adds a name.
    pub(super) fn name(&mut self, name: Option<&str>) -> Result<Span, ImportError> {
        self.block.push_name(name.unwrap_or_default()).map_err(|error| ImportError::new(error.to_string()))
    }

    /// Adds indices.
    pub(super) fn indices(&mut self, indices: Vec<u32>) -> Result<Span, ImportError> {
        self.block.push_indices(indices).map_err(|error| ImportError::new(error.to_string()))
    }
}

fn too_many_numbers() -> ImportError {
    ImportError::new("takes the model beyond 1 GiB of animations, skins and morph targets").with_help("split the model")
}
