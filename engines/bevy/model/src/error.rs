//! Why a model cannot become one of Bevy.

use std::fmt;

use rres_runtime::ResourceId;
use rres_runtime::asset::model::TextureSlot;

/// Why a model could not be loaded: the source of Bevy's `AssetLoadError`.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModelError {
    /// The store reports it.
    Store(rres_runtime::Error),
    /// No mounted pack has the path of an image of a material, which Bevy needs.
    MissingImage {
        /// The name of the material.
        material: String,
        /// What the image is for.
        slot: TextureSlot,
        /// Its id.
        image: ResourceId,
    },
    /// A joint is not in the scene that shows its skin.
    JointElsewhere {
        /// The number of the scene.
        scene: usize,
        /// The number of the skin.
        skin: u32,
        /// The node of the joint.
        joint: u32,
    },
    /// Bevy does not take a curve.
    Curve {
        /// The name of the animation.
        animation: String,
        /// The node that the channel moves.
        node: u32,
        /// What Bevy says.
        reason: String,
    },
    /// Bevy does not take so many morph targets.
    MorphTargets {
        /// The number of the mesh.
        mesh: u32,
        /// What Bevy says.
        reason: String,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::MissingImage { material, slot, image } => write!(
                f,
                "no mounted pack has the image {image} with a path, and it is the {slot} texture of the material \"{material}\"; mount the \
                 pack of the image, or build it with paths"
            ),
            Self::JointElsewhere { scene, skin, joint } => write!(
                f,
                "its scene {scene} shows skin {skin}, but node {joint}, a joint of that skin, is not in the scene; \
                 export the model with its whole skeleton in the scene"
            ),
            Self::Curve { animation, node, reason } => {
                write!(f, "the animation \"{animation}\" has keys for node {node} that Bevy does not take: {reason}")
            }
            Self::MorphTargets { mesh, reason } => {
                write!(f, "mesh {mesh} has morph targets that Bevy does not take: {reason}")
            }
        }
    }
}

impl std::error::Error for ModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            _ => None,
        }
    }
}

impl From<rres_runtime::Error> for ModelError {
    fn from(error: rres_runtime::Error) -> Self {
        Self::Store(error)
    }
}
