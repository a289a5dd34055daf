//! SCNE (ours): what a model has besides its meshes: scenes, materials in full, skins, animations, morph targets, cameras,
//! lights, names.
//!
//! It follows the MODL chunk of a model, which is not linked to it. Properties: layout version (1, 2, 3 or 5), default scene, then the
//! numbers of what the MODL chunk has (nodes, primitives, materials), then the number of records of each section. Data: the
//! sections in this order without gaps, little-endian; `docs/format.md` has the records byte by byte.
//!
//! | section | bytes each | record |
//! |---|---|---|
//! | nodes | 64 | [`NodeExtra`], one for each node of the MODL chunk and each further node |
//! | further nodes | 80 | [`FurtherNode`]: nodes that are not in the default scene |
//! | meshes | 24 | [`MeshRecord`] |
//! | names of morph targets | 8 | [`Span`] of the names |
//! | morph targets | 24 | [`MorphRecord`] |
//! | skins | 28 | [`SkinRecord`] |
//! | animations | 16 | [`AnimationRecord`] |
//! | channels | 32 | [`ChannelRecord`] |
//! | factors | 24 | [`FactorRecord`] |
//! | textures | 48 | [`TextureRecord`] |
//! | cameras | 28 | [`CameraRecord`] |
//! | lights | 40 | [`LightRecord`] |
//! | scenes | 16 | [`SceneRecord`] |
//! | indices | 4 | `u32` |
//! | numbers | 4 | `f32`, all finite |
//! | levels of detail | 16 | [`LodRecord`]; only from layout version 2 on, which is written if there are any |
//! | lists of meshlets | 24 | [`MeshletListRecord`]; this and the next three only from layout version 3 on, which is written if there are any |
//! | meshlets | 64 | [`MeshletRecord`] |
//! | vertices of meshlets | 4 | `u32`, vertices of the primitive |
//! | triangles of meshlets | 3 | three `u8`, vertices of the meshlet |
//! | tracks | 48 | [`TrackRecord`]; this and the next two only in layout version 5, which is written if there are any |
//! | times of tracks | 4 | `f32` |
//! | keys of tracks | 1 | bits |
//! | names | | UTF-8 |

mod check;
mod check_meshlets;
mod records;
mod tables;
#[cfg(test)]
mod tests;
mod tracks;

pub use records::{
    AnimationRecord, CameraRecord, ChannelRecord, Factor, FactorRecord, FurtherNode, Interpolation, LightRecord,
    LodRecord, MeshRecord, MeshletListRecord, MeshletRecord, MorphRecord, NONE, NodeExtra, Property, SceneRecord,
    SkinRecord, Span, TextureRecord, TextureSlot, TrackRecord,
};
pub use tracks::{MAX_STEPS, NOTHING, OF_KEY, TrackKey, UnpackedTracks};

use super::{PayloadView, block};
use crate::bytes::slice;
use crate::error::{Error, Result};
use crate::wire::Wire;

/// The layout version of a chunk without levels of detail: the first property of the chunk.
const VERSION: u32 = 1;

/// The layout version of a chunk with levels of detail. Older readers refuse it, since they would take the levels for other attributes.
const VERSION_LODS: u32 = 2;

/// The layout version of a chunk with meshlets, and with levels of detail or none.
const VERSION_MESHLETS: u32 = 3;

/// The layout version of a chunk with tracks. Older readers refuse it, since they would take their channels for ones without keys.
/// Version 4 had another coding of tracks, before any release.
const VERSION_TRACKS: u32 = 5;

/// The number of sections except the names.
const SECTIONS: usize = 23;

/// The properties before the numbers of records.
const HEAD: usize = 5;

/// Everything that a SCNE chunk has, to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneBlock {
    /// Index of the scene that is shown first.
    pub default_scene: Option<u32>,
    /// The numbers of nodes, primitives and materials of the MODL chunk.
    pub model: [u32; 3],
    /// One for each node.
    pub nodes: Vec<NodeExtra>,
    /// The nodes that are not in the default scene.
    pub further_nodes: Vec<FurtherNode>,
    /// The meshes.
    pub meshes: Vec<MeshRecord>,
    /// The names of all morph targets.
    pub targets: Vec<Span>,
    /// The differences of all morph targets.
    pub morphs: Vec<MorphRecord>,
    /// The skins.
    pub skins: Vec<SkinRecord>,
    /// The animations.
    pub animations: Vec<AnimationRecord>,
    /// The channels of all animations.
    pub channels: Vec<ChannelRecord>,
    /// The factors of all materials.
    pub factors: Vec<FactorRecord>,
    /// The textures of all materials.
    pub textures: Vec<TextureRecord>,
    /// The cameras.
    pub cameras: Vec<CameraRecord>,
    /// The lights.
    pub lights: Vec<LightRecord>,
    /// The scenes.
    pub scenes: Vec<SceneRecord>,
    /// Indices of nodes that records refer to.
    pub indices: Vec<u32>,
    /// Numbers that records refer to.
    pub numbers: Vec<f32>,
    /// The levels of detail of all primitives.
    pub lods: Vec<LodRecord>,
    /// The lists of meshlets of all primitives.
    pub meshlet_lists: Vec<MeshletListRecord>,
    /// The meshlets of all lists.
    pub meshlets: Vec<MeshletRecord>,
    /// The vertices of all meshlets.
    pub meshlet_vertices: Vec<u32>,
    /// The triangles of all meshlets.
    pub meshlet_triangles: Vec<[u8; 3]>,
    /// The tracks of the channels without keys; [`Self::push_track`] adds one.
    pub tracks: Vec<TrackRecord>,
    /// The times of tracks in seconds.
    pub track_times: Vec<f32>,
    /// The keys of all tracks.
    pub track_bytes: Vec<u8>,
    /// Names that records refer to.
    pub names: String,
}

impl SceneBlock {
    /// Adds a name.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if the names take more than 4 GiB.
    pub fn push_name(&mut self, name: &str) -> Result<Span> {
        let first = count(self.names.len())?;
        self.names.push_str(name);
        count(self.names.len())?;
        Ok(Span { first, count: name.len() as u32 })
    }

    /// Adds numbers.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if there are more than 2³² − 1.
    pub fn push_numbers(&mut self, numbers: impl IntoIterator<Item = f32>) -> Result<Span> {
        let first = count(self.numbers.len())?;
        self.numbers.extend(numbers);
        Ok(Span { first, count: count(self.numbers.len())? - first })
    }

    /// Adds indices.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if there are more than 2³² − 1.
    pub fn push_indices(&mut self, indices: impl IntoIterator<Item = u32>) -> Result<Span> {
        let first = count(self.indices.len())?;
        self.indices.extend(indices);
        Ok(Span { first, count: count(self.indices.len())? - first })
    }

    /// Returns the block.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if a reader would refuse it; [`Error::LimitExceeded`] if it is too large.
    pub fn block(&self) -> Result<Vec<u8>> {
        let version = match (self.tracks.is_empty(), self.meshlet_lists.is_empty(), self.lods.is_empty()) {
            (false, ..) => VERSION_TRACKS,
            (true, false, _) => VERSION_MESHLETS,
            (true, true, false) => VERSION_LODS,
            (true, true, true) => VERSION,
        };
        let mut props = vec![version, self.default_scene.unwrap_or(NONE)];
        props.extend(self.model);
        let mut data = Vec::new();
        put(&self.nodes, &mut props, &mut data)?;
        put(&self.further_nodes, &mut props, &mut data)?;
        put(&self.meshes, &mut props, &mut data)?;
        put(&self.targets, &mut props, &mut data)?;
        put(&self.morphs, &mut props, &mut data)?;
        put(&self.skins, &mut props, &mut data)?;
        put(&self.animations, &mut props, &mut data)?;
        put(&self.channels, &mut props, &mut data)?;
        put(&self.factors, &mut props, &mut data)?;
        put(&self.textures, &mut props, &mut data)?;
        put(&self.cameras, &mut props, &mut data)?;
        put(&self.lights, &mut props, &mut data)?;
        put(&self.scenes, &mut props, &mut data)?;
        put(&self.indices, &mut props, &mut data)?;
        put(&self.numbers, &mut props, &mut data)?;
        if version >= VERSION_LODS {
            put(&self.lods, &mut props, &mut data)?;
        }
        if version >= VERSION_MESHLETS {
            put(&self.meshlet_lists, &mut props, &mut data)?;
            put(&self.meshlets, &mut props, &mut data)?;
            put(&self.meshlet_vertices, &mut props, &mut data)?;
            put(&self.meshlet_triangles, &mut props, &mut data)?;
        }
        if version >= VERSION_TRACKS {
            put(&self.tracks, &mut props, &mut data)?;
            put(&self.track_times, &mut props, &mut data)?;
            put(&self.track_bytes, &mut props, &mut data)?;
        }
        data.extend_from_slice(self.names.as_bytes());
        let block = block(&props, &data);
        SceneView::parse(PayloadView::parse(&block)?)?;
        Ok(block)
    }
}

fn put<T: Wire>(records: &[T], props: &mut Vec<u32>, data: &mut Vec<u8>) -> Result<()> {
    props.push(count(records.len())?);
    records.iter().for_each(|record| record.put(data));
    Ok(())
}

fn count(len: usize) -> Result<u32> {
    u32::try_from(len).map_err(|_| Error::LimitExceeded {
        what: "a number of items of a model",
        value: len as u64,
        limit: u32::MAX.into(),
        help: "split the model",
    })
}

/// A borrowed SCNE payload, all of whose indices, spans and numbers are right.
#[derive(Clone, Copy, Debug)]
pub struct SceneView<'a> {
    default_scene: u32,
    model: [u32; 3],
    sections: [&'a [u8]; SECTIONS],
    names: &'a str,
}

macro_rules! sections {
    ($( $(#[$meta:meta])* $number:literal $name:ident: $record:ty; )*) => {
        impl<'a> SceneView<'a> {
            $(
                $(#[$meta])*
                pub fn $name(&self) -> impl ExactSizeIterator<Item = $record> + use<'a> {
                    self.sections[$number].chunks_exact(<$record>::SIZE).map(<$record>::get)
                }
            )*
        }

        const SIZES: [usize; SECTIONS] = [$(<$record>::SIZE),*];
    };
}

sections! {
    /// Returns what each node has, the nodes of the MODL chunk first.
    0 nodes: NodeExtra;
    /// Returns the nodes that are not in the default scene.
    1 further_nodes: FurtherNode;
    /// Returns the meshes.
    2 meshes: MeshRecord;
    /// Returns the names of morph targets.
    3 targets: Span;
    /// Returns the differences of morph targets.
    4 morphs: MorphRecord;
    /// Returns the skins.
    5 skins: SkinRecord;
    /// Returns the animations.
    6 animations: AnimationRecord;
    /// Returns the channels of all animations.
    7 channels: ChannelRecord;
    /// Returns the factors of all materials.
    8 factors: FactorRecord;
    /// Returns the textures of all materials.
    9 textures: TextureRecord;
    /// Returns the cameras.
    10 cameras: CameraRecord;
    /// Returns the lights.
    11 lights: LightRecord;
    /// Returns the scenes.
    12 scenes: SceneRecord;
    /// Returns all indices.
    13 indices: u32;
    /// Returns all numbers.
    14 numbers: f32;
    /// Returns the levels of detail of all primitives.
    15 lods: LodRecord;
    /// Returns the lists of meshlets of all primitives.
    16 meshlet_lists: MeshletListRecord;
    /// Returns the meshlets of all lists.
    17 meshlets: MeshletRecord;
    /// Returns the vertices of all meshlets.
    18 meshlet_vertices: u32;
    /// Returns the triangles of all meshlets.
    19 meshlet_triangles: [u8; 3];
    /// Returns the tracks of the channels without keys.
    20 tracks: TrackRecord;
    /// Returns the times of all tracks.
    21 track_times: f32;
    /// Returns the bytes of the keys of all tracks.
    22 track_bytes: u8;
}

impl<'a> SceneView<'a> {
    /// Checks that the sections fit the data, and every index, span, number and name in them.
    ///
    /// # Errors
    /// [`Error::Truncated`] if a section exceeds the data; [`Error::Inconsistent`], which names the record and the number.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [version] = payload.first_props()?;
        let sections = match version {
            VERSION => SECTIONS - 8,
            VERSION_LODS => SECTIONS - 7,
            VERSION_MESHLETS => SECTIONS - 3,
            VERSION_TRACKS => SECTIONS,
            other => {
                let detail = format!(
                    "layout version {other}, expected 1, 2, 3 or 5: make the pack again, or update the program that reads it"
                );
                return Err(Error::inconsistent("scenes of a model", detail));
            }
        };
        let mut props = [0; HEAD + SECTIONS];
        for (i, prop) in props[..HEAD + sections].iter_mut().enumerate() {
            *prop = payload.prop(i)?;
        }
        let data = payload.data();
        let mut sections: [&[u8]; SECTIONS] = [&[]; SECTIONS];
        let mut at = 0u64;
        for ((section, size), count) in sections.iter_mut().zip(SIZES).zip(&props[HEAD..]) {
            let len = u64::from(*count) * size as u64;
            *section = slice(data, "section of a model", at, len)?;
            at += len;
        }
        let model = [props[2], props[3], props[4]];
        // Also what no name uses, so that the chunk can be written again.
        let names = core::str::from_utf8(&data[at as usize..])
            .map_err(|_| Error::inconsistent("scenes of a model", "the names are not UTF-8"))?;
        let view = Self { default_scene: props[1], model, sections, names };
        check::check(&view)?;
        Ok(view)
    }

    /// Returns the scene that is shown first.
    pub fn default_scene(&self) -> Option<u32> {
        (self.default_scene != NONE).then_some(self.default_scene)
    }

    /// Returns the numbers of nodes, primitives and materials that the MODL chunk must have.
    pub fn model(&self) -> [u32; 3] {
        self.model
    }

    /// Returns a name; empty if the span is of another chunk.
    pub fn name(&self, span: Span) -> &'a str {
        self.try_name(span).unwrap_or_default()
    }

    fn try_name(&self, span: Span) -> Result<&'a str> {
        let bytes = slice(self.names.as_bytes(), "name in a model", span.first.into(), span.count.into())?;
        core::str::from_utf8(bytes).map_err(|_| Error::inconsistent("scenes of a model", "a name is not UTF-8"))
    }

    /// Returns the bytes of numbers, little-endian `f32`; empty if the span is of another chunk.
    pub fn number_bytes(&self, span: Span) -> &'a [u8] {
        part(self.sections[14], span).unwrap_or_default()
    }

    /// Returns some numbers.
    pub fn numbers_of(&self, span: Span) -> impl ExactSizeIterator<Item = f32> + use<'a> {
        self.number_bytes(span).chunks_exact(4).map(f32::get)
    }

    /// Returns some indices.
    pub fn indices_of(&self, span: Span) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        part(self.sections[13], span).unwrap_or_default().chunks_exact(4).map(u32::get)
    }

    /// Returns the bytes of each list of meshlets: its meshlets, their vertices (`u32`, little-endian) and their triangles.
    pub fn meshlet_parts(&self) -> impl Iterator<Item = (MeshletListRecord, [&'a [u8]; 3])> + use<'a> {
        let mut rest = [self.sections[17], self.sections[18], self.sections[19]];
        self.meshlet_lists().map(move |list| {
            let sizes = [(list.meshlets, 64), (list.vertices, 4), (list.triangles, 3)];
            let mut sizes = sizes.map(|(count, size)| count as usize * size).into_iter();
            // That the lists have exactly what there is was checked.
            let parts = rest.each_mut().map(|rest| {
                let (own, next) = rest.split_at_checked(sizes.next().unwrap_or_default()).unwrap_or_default();
                *rest = next;
                own
            });
            (list, parts)
        })
    }

    /// Returns everything, to be written again.
    pub fn to_block(&self) -> SceneBlock {
        SceneBlock {
            default_scene: self.default_scene(),
            model: self.model,
            nodes: self.nodes().collect(),
            further_nodes: self.further_nodes().collect(),
            meshes: self.meshes().collect(),
            targets: self.targets().collect(),
            morphs: self.morphs().collect(),
            skins: self.skins().collect(),
            animations: self.animations().collect(),
            channels: self.channels().collect(),
            factors: self.factors().collect(),
            textures: self.textures().collect(),
            cameras: self.cameras().collect(),
            lights: self.lights().collect(),
            scenes: self.scenes().collect(),
            indices: self.indices().collect(),
            numbers: self.numbers().collect(),
            lods: self.lods().collect(),
            meshlet_lists: self.meshlet_lists().collect(),
            meshlets: self.meshlets().collect(),
            meshlet_vertices: self.meshlet_vertices().collect(),
            meshlet_triangles: self.meshlet_triangles().collect(),
            tracks: self.tracks().collect(),
            track_times: self.track_times().collect(),
            track_bytes: self.sections[22].to_vec(),
            names: self.names.to_owned(),
        }
    }
}

/// Four bytes for each element of a span.
fn part(section: &[u8], span: Span) -> Option<&[u8]> {
    let (first, count) = (usize::try_from(span.first).ok()?, usize::try_from(span.count).ok()?);
    section.get(first.checked_mul(4)?..first.checked_add(count)?.checked_mul(4)?)
}
