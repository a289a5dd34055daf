//! The images of models: which are inside the model's file, which are files beside it, and their order.

use std::collections::HashMap;

use rres_format::{AssetKind, ResourceId};

use crate::opened_pack::OpenedPack;
use crate::resource_list::{Resource, ResourceList};
use crate::selection::Selection;

/// What comes between the path of a model and the number of an image inside it.
const SEPARATOR: &str = "#image/";

/// The most images inside a model. A damaged pack could have any number in a name.
const MAX_NUMBER: usize = 4096;

/// An image of a model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlannedTexture<'a> {
    pub(super) id: ResourceId,
    pub(super) number: usize,
    pub(super) source: PlannedSource<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum PlannedSource<'a> {
    /// It is read from this pack and becomes part of the model's file.
    Pack(&'a OpenedPack),
    /// A file with this URI.
    File(String),
}

impl PartialEq for PlannedSource<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Pack(a), Self::Pack(b)) => std::ptr::eq(*a, *b),
            (Self::File(a), Self::File(b)) => a == b,
            _ => false,
        }
    }
}

/// The images of all models of the packs.
pub(super) struct SubAssets<'a> {
    /// By the path of the model, the numbers of the images inside it.
    inside: HashMap<String, Vec<(usize, ResourceId, &'a OpenedPack)>>,
    /// The place of each image.
    images: HashMap<ResourceId, &'a OpenedPack>,
}

impl<'a> SubAssets<'a> {
    /// Finds the images, and those that are inside the selected models.
    pub(super) fn find<'l>(
        lists: impl Iterator<Item = (&'a OpenedPack, &'l ResourceList<'a>)> + Clone,
        selection: &Selection,
    ) -> Self
    where
        'a: 'l,
    {
        let mut found = Self { inside: HashMap::new(), images: HashMap::new() };
        let readable = |resource: &&Resource<'_>| !resource.chunks.is_empty() && resource.sealed_with().is_none();
        let loaded = lists.filter(|(pack, _)| pack.runtime_pack().is_some());
        for (_, list) in loaded.clone() {
            let models = list.resources.iter().filter(|resource| resource.kind == Some(AssetKind::Model));
            for model in models.filter(readable).filter(|model| selection.contains(model)) {
                found.inside.extend(model.path.as_deref().map(|path| (path.to_owned(), Vec::new())));
            }
        }
        for (pack, list) in loaded {
            let images = list.resources.iter().filter(|resource| resource.kind == Some(AssetKind::Image));
            for image in images.filter(readable) {
                found.images.entry(image.id).or_insert(pack);
                if let Some((model, number)) = split(image)
                    && let Some(inside) = found.inside.get_mut(model)
                {
                    inside.push((number, image.id, pack));
                }
            }
        }
        found
    }

    /// Returns the path of the model whose file contains the resource.
    pub(super) fn owner<'r>(&self, resource: &'r Resource<'_>) -> Option<&'r str> {
        let (model, _) = split(resource)?;
        let is_inside =
            |inside: &Vec<(usize, ResourceId, &OpenedPack)>| inside.iter().any(|(_, id, _)| *id == resource.id);
        self.inside.get(model).filter(|inside| is_inside(inside)).map(|_| model)
    }

    /// Returns the images of a model: those inside it, and its dependencies. Importing them in the order of their numbers
    /// finds the same dependencies in the same order.
    pub(super) fn textures(&self, pack: &OpenedPack, model: &Resource<'_>) -> Vec<PlannedTexture<'a>> {
        let inside = model.path.as_deref().and_then(|path| self.inside.get(path));
        let inside = inside.map(Vec::as_slice).unwrap_or_default();
        let mut textures: Vec<PlannedTexture<'a>> = inside
            .iter()
            .map(|(number, id, pack)| PlannedTexture { id: *id, number: *number, source: PlannedSource::Pack(pack) })
            .collect();
        let index = pack.view().index();
        let dependencies = model.slot.and_then(|slot| index?.dependencies(slot).ok());
        let mut next = 0;
        for id in dependencies.into_iter().flatten() {
            match inside.iter().find(|(_, other, _)| *other == id) {
                Some((number, ..)) => next = number + 1,
                None => {
                    let Some(pack) = self.images.get(&id) else { continue };
                    while inside.iter().any(|(number, ..)| *number == next) {
                        next += 1;
                    }
                    textures.push(PlannedTexture { id, number: next, source: PlannedSource::Pack(pack) });
                    next += 1;
                }
            }
        }
        textures
    }
}

/// Splits the path of an image inside a model: `a.glb#image/2` is image 2 of `a.glb`.
fn split<'r>(image: &'r Resource<'_>) -> Option<(&'r str, usize)> {
    let (model, number) = image.path.as_deref()?.rsplit_once(SEPARATOR)?;
    let number = number.parse().ok().filter(|number| *number < MAX_NUMBER)?;
    Some((model, number))
}
