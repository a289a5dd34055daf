//! Skins → joints and inverse bind matrices.

use rres_format::chunk::scene::{NONE, SkinRecord, Span};
use rres_import::ImportError;

use super::buffers::Buffers;
use super::document::item;
use super::nodes::Nodes;
use super::numbers::{Numbers, Scaling};

/// Reads every skin.
pub(super) fn read(
    numbers: &mut Numbers<'_>,
    nodes: &Nodes<'_>,
    buffers: &mut Buffers<'_, '_, '_>,
) -> Result<(), ImportError> {
    for (number, skin) in numbers.root.skins.iter().enumerate() {
        let mut read = || -> Result<SkinRecord, ImportError> {
            let joints: Vec<u32> =
                skin.joints.iter().map(|joint| nodes.number(joint.value())).collect::<Result<_, _>>()?;
            let count = joints.len();
            if count == 0 {
                return Err(ImportError::new("has no joints").with_damage_help("export it again"));
            }
            let inverse_bind_matrices = match skin.inverse_bind_matrices {
                Some(accessor) => {
                    let stored = numbers.read_scaled(buffers, accessor.value(), Scaling::Matrices)?;
                    if stored.components != 16 || !stored.is_float() || stored.count < count {
                        let found = format!(
                            "has {count} joints, and {} inverse bind matrices of {}",
                            stored.count,
                            stored.shape()
                        );
                        return Err(ImportError::new(found).with_damage_help("export it again"));
                    }
                    // Matrices beyond the joints have no meaning.
                    Span { count: count as u32 * 16, ..stored.span }
                }
                None => Span::default(),
            };
            Ok(SkinRecord {
                name: numbers.name(skin.name.as_deref())?,
                joints: numbers.indices(joints)?,
                inverse_bind_matrices,
                skeleton: skin.skeleton.map_or(Ok(NONE), |node| nodes.number(node.value()))?,
            })
        };
        let record = read().map_err(|error| error.within(&format!("skin {number}")))?;
        numbers.block.skins.push(record);
    }
    Ok(())
}

/// Checks that the vertices of every mesh have only joints of the skins that they are shown with. `largest` has the mesh and
/// the largest joint of each primitive.
pub(super) fn check_joints(numbers: &Numbers<'_>, largest: &[(u32, Option<u32>)]) -> Result<(), ImportError> {
    let root = numbers.root;
    let mut of_mesh = vec![None; root.meshes.len()];
    for (mesh, joint) in largest {
        of_mesh[*mesh as usize] = of_mesh[*mesh as usize].max(*joint);
    }
    for (number, node) in root.nodes.iter().enumerate() {
        let (Some(skin), Some(mesh)) = (node.skin, node.mesh) else { continue };
        let joints = item(&root.skins, "skin", skin.value())?.joints.len();
        if let Some(joint) = of_mesh[mesh.value()].filter(|joint| *joint as usize >= joints) {
            let (mesh, skin) = (mesh.value(), skin.value());
            let error =
                format!("mesh {mesh} has joint {joint}, but skin {skin} of node {number} has only {joints} joints");
            return Err(ImportError::new(error).with_damage_help("it is damaged: export it again"));
        }
    }
    Ok(())
}
