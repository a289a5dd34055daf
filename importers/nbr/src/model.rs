//! Models: meshes, their materials, and the textures of those.

use crate::error::{Error, WarningKind};
use crate::reader::Reader;
use crate::texture::{LEAST_TEXTURE, Texture};

/// The number of floats of each vertex: position 3, normal 3, tangent 3, joints 4, weights 4, texture coordinates 2.
pub const FLOATS_PER_VERTEX: usize = 19;

/// The bits of position, normal, tangent and texture coordinates.
pub(crate) const COMPONENTS: u8 = 0b00_1111;
/// The bits of joints and weights.
pub(crate) const JOINT_COMPONENTS: u8 = 0b11_0000;

/// The material number of a texture that a material does not have.
pub(crate) const NO_TEXTURE: u8 = u8::MAX;

/// Components, counts, a vertex, material.
const LEAST_MESH: usize = 10 + FLOATS_PER_VERTEX * 4;
/// Six floats and five numbers.
const MATERIAL: usize = 29;

/// The names of the textures of a material, in the order of the file.
const SLOTS: [&str; 5] = ["albedo", "metallic", "roughness", "normal", "emissive"];

/// Meshes, with their materials and textures. The nodes of the scene are not stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Model<'a> {
    /// What is drawn.
    pub meshes: Vec<Mesh>,
    /// What meshes refer to.
    pub materials: Vec<Material>,
    /// What materials refer to. A model without textures has one white pixel.
    pub textures: Vec<Texture<'a>>,
}

/// Vertices, and triangles of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Whether joints move the vertices. Otherwise the joints of all are −2 and their weights 0.
    pub has_joints: bool,
    /// [`FLOATS_PER_VERTEX`] floats for each vertex. Positions are a tenth of those in the source.
    pub vertices: Vec<f32>,
    /// Numbers of vertices, three for each triangle. Each is smaller than the number of vertices.
    pub indices: Vec<u32>,
    /// The number of the material.
    pub material: Option<u8>,
}

/// The look of a surface. The numbers are numbers of the model's textures.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Red, green and blue. The albedo texture is multiplied by them.
    pub color: [f32; 3],
    /// 0 for others, 1 for metals.
    pub metallic: f32,
    /// 0 for mirrors, 1 for rough surfaces.
    pub roughness: f32,
    /// The strength of the light that it emits.
    pub emissive: f32,
    /// The texture of the colour.
    pub albedo_texture: Option<u8>,
    /// The texture of metallic.
    pub metallic_texture: Option<u8>,
    /// The texture of the roughness.
    pub roughness_texture: Option<u8>,
    /// The normal map.
    pub normal_texture: Option<u8>,
    /// The texture of the emitted light.
    pub emissive_texture: Option<u8>,
}

impl<'a> Model<'a> {
    pub(crate) fn parse(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let count = usize::from(reader.u16("number of meshes")?);
        let mut meshes = Vec::with_capacity(reader.list(count, LEAST_MESH, "meshes")?);
        let mut materials_of_meshes = Vec::with_capacity(count);
        for number in 0..count {
            let (mesh, place) = Mesh::parse(reader).map_err(|error| error.within("meshes", number))?;
            meshes.push(mesh);
            materials_of_meshes.push(place);
        }
        let count = usize::from(reader.u8("number of materials")?);
        let mut materials = Vec::with_capacity(reader.list(count, MATERIAL, "materials")?);
        let materials_at = reader.position();
        for number in 0..count {
            materials.push(Material::parse(reader).map_err(|error| error.within("materials", number))?);
        }
        let count = usize::from(reader.u8("number of textures")?);
        let mut textures = Vec::with_capacity(reader.list(count, LEAST_TEXTURE, "textures")?);
        for number in 0..count {
            let before = reader.warnings.len();
            textures.push(Texture::parse(reader).map_err(|error| error.within("textures", number))?);
            for warning in &mut reader.warnings[before..] {
                warning.field = format!("textures[{number}].{}", warning.field);
            }
        }
        let mut model = Self { meshes, materials, textures };
        model.drop_references(reader, &materials_of_meshes, materials_at);
        Ok(model)
    }

    /// Takes references to what does not exist for none. `nbr` writes such numbers for more than 255 materials, and for materials with
    /// several textures of a sort.
    fn drop_references(&mut self, reader: &mut Reader<'_>, materials_of_meshes: &[usize], materials_at: usize) {
        for ((number, mesh), at) in self.meshes.iter_mut().enumerate().zip(materials_of_meshes) {
            let Some(material) = mesh.material.filter(|material| usize::from(*material) >= self.materials.len()) else {
                continue;
            };
            mesh.material = None;
            // Without materials, the number of all meshes is 0.
            if material > 0 || !self.materials.is_empty() {
                let text = format!("material {material} of {}; it is taken for none", self.materials.len());
                reader.warn(WarningKind::Reference, *at, format!("meshes[{number}].material"), text);
            }
        }
        for (number, material) in self.materials.iter_mut().enumerate() {
            for (slot, texture) in material.textures_mut().into_iter().enumerate() {
                if let Some(found) = texture.filter(|texture| usize::from(*texture) >= self.textures.len()) {
                    *texture = None;
                    let field = format!("materials[{number}].{} texture", SLOTS[slot]);
                    let at = materials_at + number * MATERIAL + 24 + slot;
                    let text = format!("texture {found} of {}; it is taken for none", self.textures.len());
                    reader.warn(WarningKind::Reference, at, field, text);
                }
            }
        }
    }

    pub(crate) fn heap_size(&self) -> usize {
        let meshes = self.meshes.iter().map(|mesh| (mesh.vertices.capacity() + mesh.indices.capacity()) * 4);
        let textures = self.textures.iter().map(|texture| texture.pixels.heap_size());
        self.meshes.capacity() * size_of::<Mesh>()
            + self.materials.capacity() * size_of::<Material>()
            + self.textures.capacity() * size_of::<Texture<'_>>()
            + meshes.sum::<usize>()
            + textures.sum::<usize>()
    }
}

impl Mesh {
    /// Reads a mesh, and returns where its material is.
    fn parse(reader: &mut Reader<'_>) -> Result<(Self, usize), Error> {
        let at = reader.position();
        let components = reader.u8("components")?;
        if components & !JOINT_COMPONENTS != COMPONENTS
            || !matches!(components & JOINT_COMPONENTS, 0 | JOINT_COMPONENTS)
        {
            let expected = format!("{:#04x}, or {COMPONENTS:#04x} without joints", COMPONENTS | JOINT_COMPONENTS);
            return Err(reader.invalid(at, "components", format!("{components:#04x}"), expected));
        }
        let at = reader.position();
        let count = reader.u32("number of floats")?;
        if count == 0 || !(count as usize).is_multiple_of(FLOATS_PER_VERTEX) {
            let expected = format!("a multiple of {FLOATS_PER_VERTEX}, the number of floats of a vertex");
            return Err(reader.invalid(at, "number of floats", count, expected));
        }
        let vertices = reader.f32_list(count.into(), "vertices")?;
        let index_count = reader.u32("number of indices")?;
        let at = reader.position();
        let bytes = reader.take(u64::from(index_count) * 4, "indices")?;
        let indices: Vec<u32> = bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let vertex_count = count / FLOATS_PER_VERTEX as u32;
        if let Some(wrong) = indices.iter().position(|index| *index >= vertex_count) {
            let expected = format!("less than {vertex_count}, the number of vertices");
            return Err(reader.invalid(at + wrong * 4, &format!("indices[{wrong}]"), indices[wrong], expected));
        }
        let at = reader.position();
        let material = Some(reader.u8("material")?);
        Ok((Self { has_joints: components & JOINT_COMPONENTS != 0, vertices, indices, material }, at))
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.vertices.len() / FLOATS_PER_VERTEX
    }

    /// Position of each vertex.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = [f32; 3]> {
        self.component::<0, 3>()
    }

    /// Normal of each vertex.
    pub fn normals(&self) -> impl ExactSizeIterator<Item = [f32; 3]> {
        self.component::<3, 3>()
    }

    /// Tangent of each vertex, without the sign of the bitangent.
    pub fn tangents(&self) -> impl ExactSizeIterator<Item = [f32; 3]> {
        self.component::<6, 3>()
    }

    /// The joints that move each vertex, as whole numbers.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = [f32; 4]> {
        self.component::<9, 4>()
    }

    /// How much each of the joints moves the vertex.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = [f32; 4]> {
        self.component::<13, 4>()
    }

    /// Texture coordinates of each vertex, from the top left of the texture.
    pub fn tex_coords(&self) -> impl ExactSizeIterator<Item = [f32; 2]> {
        self.component::<17, 2>()
    }

    fn component<const AT: usize, const N: usize>(&self) -> impl ExactSizeIterator<Item = [f32; N]> {
        let (vertices, _) = self.vertices.as_chunks::<FLOATS_PER_VERTEX>();
        vertices.iter().map(|vertex| std::array::from_fn(|component| vertex[AT + component]))
    }
}

impl Material {
    fn parse(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let color = reader.f32s("color")?;
        let [metallic, roughness, emissive] =
            [reader.f32("metallic")?, reader.f32("roughness")?, reader.f32("emissive")?];
        // −1 is none. Numbers above 127 are negative in the file, and the same as without a sign.
        let mut texture = || Ok(Some(reader.u8("textures")?).filter(|number| *number != NO_TEXTURE));
        Ok(Self {
            color,
            metallic,
            roughness,
            emissive,
            albedo_texture: texture()?,
            metallic_texture: texture()?,
            roughness_texture: texture()?,
            normal_texture: texture()?,
            emissive_texture: texture()?,
        })
    }

    /// The numbers of the textures, in the order of the file.
    #[must_use]
    pub fn textures(&self) -> [Option<u8>; 5] {
        [self.albedo_texture, self.metallic_texture, self.roughness_texture, self.normal_texture, self.emissive_texture]
    }

    fn textures_mut(&mut self) -> [&mut Option<u8>; 5] {
        [
            &mut self.albedo_texture,
            &mut self.metallic_texture,
            &mut self.roughness_texture,
            &mut self.normal_texture,
            &mut self.emissive_texture,
        ]
    }
}
