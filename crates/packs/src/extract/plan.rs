//! Decides for every resource of a pack set which files it becomes, before anything is written.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use rres_export::{Container, ImageForm};
use rres_format::chunk::link::LinkView;
use rres_format::{AssetKind, Decompressor, FourCc, ResourceId};

use super::images::ImageFiles;
use super::models::{PlannedSource, PlannedTexture, SubAssets};
use super::names::{portable_path, relative_path, relative_uri, stored_extension, with_id};
use super::{Options, fonts, images};
use crate::opened_pack::OpenedPack;
use crate::pack_set::PackSet;
use crate::pack_set::packs;
use crate::resource_list::{Resource, ResourceList};
use crate::selection::Selection;
use crate::text::escape_terminal;

/// What `extract` will do.
pub(super) struct Plan<'a> {
    pub(super) files: Vec<Extraction<'a>>,
    /// The images that are written into the files of models.
    pub(super) embedded: Vec<Embedded>,
    pub(super) skipped: Vec<Skipped>,
    /// What is wrong with the packs.
    pub(super) faults: Vec<String>,
    /// What to know about files of other engines.
    pub(super) notes: Vec<String>,
}

/// A resource and the files that it becomes.
#[derive(Debug)]
pub struct Extraction<'a> {
    /// The pack that contains the resource.
    pub pack: &'a OpenedPack,
    /// The resource.
    pub resource: Resource<'a>,
    pub(super) form: Form<'a>,
    /// The paths of the files, relative to the output directory, separated by `/`. There is at least one.
    pub files: Vec<String>,
    /// The name of the first file before it was changed, and the reason for the change.
    pub renamed: Option<Renamed>,
}

/// Why a file does not have the name that follows from the resource.
#[derive(Clone, Debug)]
pub struct Renamed {
    /// The name that follows from the resource.
    pub from: String,
    /// Why no file has that name, as the words before it.
    pub why: &'static str,
}

/// A resource that is part of another one's file.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// Its name for messages.
    pub name: String,
    /// Its path.
    pub path: String,
    /// Its id.
    pub id: ResourceId,
    /// The name of the model.
    pub owner: String,
}

/// A resource that no file can represent.
#[derive(Clone, Debug)]
pub struct Skipped {
    /// Its name for messages.
    pub name: String,
    /// Its path, if the pack contains it.
    pub path: Option<String>,
    /// Its id.
    pub id: ResourceId,
    /// Why no file can represent it.
    pub why: String,
}

impl Skipped {
    pub(super) fn new(resource: &Resource<'_>, why: String) -> Self {
        let path = resource.shown_path().map(|path| path.into_owned());
        Self { name: resource.name(), path, id: resource.id, why }
    }
}

/// What a resource becomes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form<'a> {
    /// The bytes of the source file.
    Source,
    /// Its pixels.
    Image(ImageFiles),
    /// Its picture, cut out of the atlas.
    Sprite,
    /// Its samples, as `.wav`.
    Wav,
    /// A picture and a description for each size.
    Font,
    /// Its vertices, nodes and base colours, with its images.
    Model { container: Container, textures: Vec<PlannedTexture<'a>> },
    /// A copy of the file that the link leads to.
    LinkTarget(PathBuf),
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        sets: &'a [PackSet],
        lists: Vec<ResourceList<'a>>,
        selection: &Selection,
        options: &Options,
    ) -> Self {
        let faults = sets.iter().filter_map(|set| set.missing.clone()).collect();
        let mut plan = Self { files: Vec::new(), embedded: Vec::new(), skipped: Vec::new(), faults, notes: Vec::new() };
        let all: Vec<&OpenedPack> = packs(sets).collect();
        let foreign = all.iter().filter_map(|pack| pack.foreign());
        plan.notes.extend(foreign.flat_map(|foreign| foreign.notes.clone()));
        let mut sub_assets = SubAssets::find(all.iter().copied().zip(&lists), selection);
        for (pack, list) in all.into_iter().zip(lists) {
            let name = escape_terminal(&pack.name());
            plan.faults.extend(list.findings.iter().map(|finding| format!("{name}: {finding}")));
            for resource in list.resources.into_iter().filter(|resource| selection.contains(resource)) {
                // The finding about the pack counts those that were cut off.
                if list.is_cut_off && resource.chunks.is_empty() {
                    continue;
                }
                match sub_assets.owner(&resource) {
                    Some(owner) => plan.embedded.push(Embedded {
                        name: resource.name(),
                        path: resource.shown_path().unwrap_or_default().into_owned(),
                        id: resource.id,
                        owner: escape_terminal(owner),
                    }),
                    None => plan.add(pack, resource, options, &mut sub_assets),
                }
            }
        }
        plan.settle_names();
        plan.refer_to_files();
        plan
    }

    /// Adds a resource, with the names that its files should have.
    fn add(&mut self, pack: &'a OpenedPack, resource: Resource<'a>, options: &Options, sub_assets: &mut SubAssets<'a>) {
        let planned = Form::of(pack, &resource, options, sub_assets).and_then(|form| {
            let (path, names) = file_names(&resource, &form).map_err(Reason::Damaged)?;
            Ok((form, path, names))
        });
        match planned {
            Ok((form, from, files)) => {
                let why = "no file on Windows can be called";
                let is_renamed = portable_path(&from) != from;
                let renamed = is_renamed.then_some(Renamed { from, why });
                self.files.push(Extraction { pack, resource, form, files, renamed });
            }
            Err(Reason::Unsupported(why)) => self.skipped.push(Skipped::new(&resource, why)),
            Err(Reason::Damaged(why)) => self.faults.push(format!("{}: {why}", resource.name())),
        }
    }

    /// Gives files of the same name different ones: the first resource that has the name in the pack keeps it.
    fn settle_names(&mut self) {
        // Some systems do not distinguish names that differ only in case.
        let mut taken: HashSet<String> = HashSet::new();
        let is_own = |extraction: &Extraction<'_>| {
            extraction.resource.path.as_deref().is_some_and(|path| path == extraction.files[0])
        };
        let (own, others): (Vec<usize>, Vec<usize>) = (0..self.files.len()).partition(|i| is_own(&self.files[*i]));
        for number in own.into_iter().chain(others) {
            let Extraction { files, resource, renamed, .. } = &mut self.files[number];
            for (position, file) in files.iter_mut().enumerate() {
                if taken.contains(&file.to_lowercase()) {
                    let mut others = (1..).map(|number| with_id(file, resource, number));
                    let other = others.find(|other| !taken.contains(&other.to_lowercase())).unwrap_or_default();
                    let from = std::mem::replace(file, other);
                    if position == 0 {
                        *renamed = Some(Renamed { from, why: "another resource is called" });
                    }
                }
                taken.insert(file.to_lowercase());
            }
        }
    }

    /// Makes models refer to images that become files a viewer can read. Other images stay in the model's file.
    fn refer_to_files(&mut self) {
        let is_picture = |file: &str| {
            let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
            ["jpg", "jpeg", "png"].iter().any(|known| known.eq_ignore_ascii_case(extension))
        };
        let is_readable = |extraction: &&Extraction<'_>| match &extraction.form {
            Form::Image(ImageFiles { form: ImageForm::Png | ImageForm::Dds, .. }) => true,
            // The file that the pack keeps.
            Form::Source => extraction.resource.kind == Some(AssetKind::Image) && is_picture(&extraction.files[0]),
            _ => false,
        };
        let images = self.files.iter().filter(is_readable);
        let by_id: HashMap<ResourceId, String> =
            images.map(|extraction| (extraction.resource.id, extraction.files[0].clone())).collect();
        for Extraction { form, files, .. } in &mut self.files {
            let Form::Model { textures, .. } = form else { continue };
            for texture in textures {
                if let Some(file) = by_id.get(&texture.id) {
                    texture.source = PlannedSource::File(relative_uri(&files[0], file));
                }
            }
        }
    }
}

/// The reason why a resource becomes no file.
enum Reason {
    Unsupported(String),
    Damaged(String),
}

impl<'a> Form<'a> {
    /// Returns the form of a resource, or the reason why it is skipped.
    fn of(
        pack: &'a OpenedPack,
        resource: &Resource<'a>,
        options: &Options,
        sub_assets: &mut SubAssets<'a>,
    ) -> Result<Self, Reason> {
        let unsupported = |why: String| Err(Reason::Unsupported(why));
        let Some(first) = resource.chunks.first() else {
            let why =
                if pack.is_dev_index() { "the dev index contains no bytes of assets" } else { "it has no chunks" };
            return unsupported(why.to_owned());
        };
        if let Some(cipher) = resource.sealed_with() {
            return unsupported(format!("it is encrypted with {cipher}"));
        }
        let needs_pack = match (resource.kind, first.info.kind) {
            (_, FourCc::RAWD | FourCc::TEXT) => return Ok(Self::Source),
            (Some(AssetKind::Link), _) => return link(resource, options),
            (Some(kind), _) => kind,
            (None, kind) => return unsupported(format!("chunks of kind {kind} are unknown")),
        };
        let Some(loaded) = pack.runtime_pack() else {
            let why = "the pack is damaged, so only files stored byte for byte are recovered";
            return unsupported(why.to_owned());
        };
        let damaged = |error: rres_runtime::Error| Reason::Damaged(error.to_string());
        match needs_pack {
            AssetKind::Image => {
                let image = loaded.load(resource.id).map_err(damaged)?;
                Ok(Self::Image(images::files(&image, resource.path.as_deref().unwrap_or_default(), options)))
            }
            AssetKind::Sound => Ok(Self::Wav),
            AssetKind::Font => Ok(Self::Font),
            AssetKind::Model => {
                let path = resource.path.as_deref().unwrap_or_default();
                let is_gltf = path.to_ascii_lowercase().ends_with(".gltf");
                let container = if is_gltf { Container::Gltf } else { Container::Glb };
                Ok(Self::Model { container, textures: sub_assets.textures(pack, resource) })
            }
            AssetKind::Sprite => Ok(Self::Sprite),
            AssetKind::Custom => {
                unsupported(format!("only the game knows what is in a chunk of kind {}", first.info.kind))
            }
            kind => unsupported(format!("chunks of kind {} do not make a {kind}", first.info.kind)),
        }
    }

    /// Returns the extension that the form adds to the name of the source file.
    fn extension(&self) -> &'static str {
        match self {
            Self::Source | Self::LinkTarget(_) | Self::Font => "",
            Self::Image(files) => files.form.extension(),
            Self::Sprite => ".png",
            Self::Wav => ".wav",
            Self::Model { container: Container::Glb, .. } => ".glb",
            Self::Model { container: Container::Gltf, .. } => ".gltf",
        }
    }
}

/// Returns the path that follows from the resource, and the paths of its files.
fn file_names(resource: &Resource<'_>, form: &Form<'_>) -> Result<(String, Vec<String>), String> {
    // A rule may have had a WAV encoded.
    let stored = match form {
        Form::Source if resource.kind == Some(AssetKind::Sound) => stored_extension(resource),
        _ => None,
    };
    let path = match stored {
        Some(extension) => relative_path(resource, &extension.to_ascii_lowercase())?,
        None => relative_path(resource, form.extension())?,
    };
    let first = portable_path(&path);
    let files = match form {
        Form::Font => fonts::file_names(&first, resource)?,
        Form::Image(files) => images::file_names(first, files.smaller_levels),
        _ => vec![first],
    };
    Ok((path, files))
}

/// Returns the form of a link: a copy of its file, if that is asked for and the file is in the base directory.
fn link<'a>(resource: &Resource<'_>, options: &Options) -> Result<Form<'a>, Reason> {
    let damaged = |error: rres_format::Error| Reason::Damaged(error.to_string());
    let chunk = resource.chunks.iter().find(|chunk| resource.keyring.can_read(chunk.info.cipher));
    let chunk = chunk.ok_or_else(|| Reason::Unsupported("it is encrypted".to_owned()))?;
    chunk.verify().map_err(damaged)?;
    let block = resource.keyring.decode(chunk, &mut Decompressor::default()).map_err(damaged)?;
    let target = LinkView::parse(block.view().map_err(damaged)?).map_err(damaged)?.path();
    super::links::follow(target, options).map(Form::LinkTarget).map_err(Reason::Unsupported)
}
