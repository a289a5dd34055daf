//! Parts of a model by typed number: what the constants of the generated module are.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use super::{Animation, Camera, Light, Material, Mesh, Model, Node, Scene, Skin};

/// The number of a part of a model, such as an animation. The generated module has a constant for each part with a name.
///
/// ```
/// use rres_runtime::Model;
/// use rres_runtime::asset::model::{Animation, Part};
///
/// # mod assets { pub mod fox_glb { pub mod animation {
/// #     pub const RUN: rres_runtime::asset::model::Part<rres_runtime::asset::model::Animation> = rres_runtime::asset::model::Part::new(2);
/// # } } }
/// fn run(fox: &Model) -> Option<&Animation> {
///     fox.part(assets::fox_glb::animation::RUN)
/// }
/// # let _: Part<Animation> = assets::fox_glb::animation::RUN;
/// ```
pub struct Part<T> {
    index: u32,
    part: PhantomData<fn() -> T>,
}

impl<T> Part<T> {
    /// Creates the number of the part at this place in its list.
    pub const fn new(index: u32) -> Self {
        Self { index, part: PhantomData }
    }

    /// Returns the place of the part in its list.
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

/// What a [`Part`] can be.
pub trait ModelPart: Sized {
    /// Returns all parts of this sort, in the order of their numbers.
    fn all(model: &Model) -> &[Self];
}

macro_rules! parts {
    ($($part:ty: $all:ident;)*) => {$(
        impl ModelPart for $part {
            fn all(model: &Model) -> &[Self] {
                model.$all()
            }
        }
    )*};
}

parts! {
    Animation: animations;
    Camera: cameras;
    Light: lights;
    Material: materials;
    Mesh: meshes;
    Node: all_nodes;
    Scene: scenes;
    Skin: skins;
}

impl Model {
    /// Returns a part; `None` if the model has fewer, as after a reload.
    pub fn part<T: ModelPart>(&self, part: Part<T>) -> Option<&T> {
        T::all(self).get(part.index())
    }
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Part<T> {}

impl<T> PartialEq for Part<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Part<T> {}

impl<T> Hash for Part<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Part({})", self.index)
    }
}
