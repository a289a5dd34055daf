//! Models as files.

use super::Writer;
use crate::error::{Error, ErrorKind};
use crate::model::{COMPONENTS, FLOATS_PER_VERTEX, JOINT_COMPONENTS, NO_TEXTURE};
use crate::{Material, Mesh, Model};

impl Writer {
    pub(super) fn model(&mut self, model: &Model<'_>) -> Result<(), Error> {
        let Model { meshes, materials, textures } = model;
        self.u16(meshes.len(), "number of meshes")?;
        for (number, mesh) in meshes.iter().enumerate() {
            self.mesh(mesh, materials.len()).map_err(|error| error.within("meshes", number))?;
        }
        self.u8(materials.len(), "number of materials")?;
        for (number, material) in materials.iter().enumerate() {
            self.material(material, textures.len()).map_err(|error| error.within("materials", number))?;
        }
        self.u8(textures.len(), "number of textures")?;
        for (number, texture) in textures.iter().enumerate() {
            self.texture(texture).map_err(|error| error.within("textures", number))?;
        }
        Ok(())
    }

    fn mesh(&mut self, mesh: &Mesh, material_count: usize) -> Result<(), Error> {
        let Mesh { has_joints, vertices, indices, material } = mesh;
        self.bytes.push(if *has_joints { COMPONENTS | JOINT_COMPONENTS } else { COMPONENTS });
        if vertices.is_empty() || !vertices.len().is_multiple_of(FLOATS_PER_VERTEX) {
            let expected = format!("a multiple of {FLOATS_PER_VERTEX}, the number of floats of a vertex");
            return Err(self.error(ErrorKind::Invalid, "vertices", vertices.len(), expected));
        }
        self.u32(vertices.len(), "vertices")?;
        self.f32s(vertices);
        self.u32(indices.len(), "indices")?;
        let count = mesh.vertex_count();
        if let Some(wrong) = indices.iter().find(|index| **index as usize >= count) {
            return Err(self.error(
                ErrorKind::Invalid,
                "indices",
                wrong,
                format!("less than {count}, the number of vertices"),
            ));
        }
        self.bytes.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
        let number = match material {
            Some(number) if usize::from(*number) < material_count => *number,
            // Without materials, the number is 0.
            None if material_count == 0 => 0,
            other => {
                let found = other.map_or_else(|| "none".to_owned(), |number| number.to_string());
                let expected = format!("one of {material_count} materials");
                return Err(self.error(ErrorKind::Invalid, "material", found, expected));
            }
        };
        self.bytes.push(number);
        Ok(())
    }

    fn material(&mut self, material: &Material, texture_count: usize) -> Result<(), Error> {
        let Material { color, metallic, roughness, emissive, .. } = material;
        self.f32s(color);
        self.f32s(&[*metallic, *roughness, *emissive]);
        for number in material.textures() {
            if let Some(wrong) = number.filter(|number| usize::from(*number) >= texture_count || *number == NO_TEXTURE)
            {
                let expected = format!("one of {} textures", texture_count.min(NO_TEXTURE.into()));
                return Err(self.error(ErrorKind::Invalid, "textures", wrong, expected));
            }
            self.bytes.push(number.unwrap_or(NO_TEXTURE));
        }
        Ok(())
    }
}
