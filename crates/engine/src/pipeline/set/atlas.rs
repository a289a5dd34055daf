//! Imported images with `image.atlas` → sprites, and the atlases that contain them.
//!
//! Every image is imported by itself, as without an atlas, so that one that changes is imported alone. Then this step lays out
//! the atlas by the sizes in the cache, and draws the pages if that has not been done with the same images.
//! An image becomes a sprite: a resource with its id and its path that depends on a page.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rres_codegen::{Facts, ImageFacts};
use rres_format::chunk::sprite::SpriteProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, Decompressor, FourCc, PackView};
use rres_import::atlas::{AtlasOptions, Member, Page, Place};
use rres_import::{Asset, Block, ImportError};

use super::{Pass, Set};
use crate::cache::{EncodedResource, begin_key, write_blob};
use crate::diagnostic::Diagnostic;
use crate::key::Key;
use crate::memory_budget::MemoryBudget;
use crate::model::{
    Dependency, FileStamp, ImportedAsset, Naming, ResourceInfo, SourceRecord, dependency_path, find_asset, relative_to,
    resource_path,
};
use crate::pipeline::encode::encode;
use crate::read_file::read_file;
use crate::scope::Scope;
use crate::settings::{ImageSettings, Rules};

/// Must be increased whenever the same images give other pages or sprites.
const VERSION: u32 = 1;

/// The keys that all members of an atlas must agree on, since an image has one value for them.
const SHARED: [MetaKey; 3] = [MetaKey::FILTER, MetaKey::COLOR_SPACE, MetaKey::PREMULTIPLIED];

/// One atlas and its members.
struct Atlas {
    /// The path of its first page.
    path: String,
    options: AtlasOptions,
    /// Positions in the list of assets, ascending.
    members: Vec<usize>,
}

/// Puts images into their atlases: they become sprites, and the pages are added. An atlas that cannot be made is reported, and its members
/// stay images.
pub(super) struct Atlases;

impl Pass for Atlases {
    fn apply(&self, set: &mut Set<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let scope = set.scope;
        if !scope.rules.have_atlases() {
            return;
        }
        let mut pages = Vec::new();
        let mut sprites: HashMap<usize, String> = HashMap::new();
        let atlases = atlases(scope.rules, &set.assets);
        for (atlas, outcome) in atlases.iter().zip(make_all(scope, &atlases, &set.assets)) {
            match outcome {
                Ok((page, records)) => {
                    for (member, record) in atlas.members.iter().zip(records) {
                        set.assets[*member].record = Arc::new(record);
                        sprites.insert(*member, atlas.path.clone());
                    }
                    pages.push(page);
                }
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        diagnostics.extend(misused(set, &sprites));
        for page in pages {
            match find_asset(&set.assets, &page.path) {
                Err(at) => set.assets.insert(at, page),
                Ok(_) => {
                    let path = &page.path;
                    let message = format!("has the path of an atlas: `image.atlas` of other files makes \"{path}\"");
                    diagnostics.push(scope.fault(path, message, "rename the file or the atlas"));
                }
            }
        }
    }
}

/// The atlases that rules ask for.
fn atlases(rules: &Rules, assets: &[ImportedAsset]) -> Vec<Atlas> {
    let mut by_name: BTreeMap<String, (Vec<usize>, Vec<ImageSettings>)> = BTreeMap::new();
    let images = assets.iter().enumerate().filter(|(_, asset)| image_of(asset).is_some());
    for (position, asset) in images {
        let image = rules.resolve(&asset.path).image;
        if let Some(name) = &image.atlas {
            let (members, settings) = by_name.entry(name.clone()).or_default();
            members.push(position);
            settings.push(image);
        }
    }
    let atlas = |(name, (members, settings)): (String, (Vec<usize>, Vec<ImageSettings>))| {
        let mipmaps = settings.iter().any(|image| image.mipmaps);
        let extrude = |image: &ImageSettings| image.atlas_extrude.unwrap_or(if mipmaps { 8 } else { 1 });
        let options = AtlasOptions {
            max_size: settings.iter().map(|image| image.atlas_size).min().unwrap_or_default(),
            extrude: settings.iter().map(extrude).max().unwrap_or_default(),
            gap: settings.iter().map(|image| image.atlas_gap).max().unwrap_or_default(),
            mipmaps,
            are_normals: settings.iter().all(|image| image.normal_map == Some(true)),
        };
        Atlas { path: format!("{name}.atlas"), options, members }
    };
    by_name.into_iter().map(atlas).collect()
}

/// The image that a file became.
fn image_of(asset: &ImportedAsset) -> Option<&ResourceInfo> {
    asset.record.resources.first().filter(|info| info.kind == AssetKind::Image)
}

/// Width, height, and what `SpriteProps` says about the whole picture.
fn sprite(info: &ResourceInfo) -> SpriteProps {
    let Facts::Image(ImageFacts { width, height, .. }) = info.facts else { return SpriteProps::default() };
    let number = |key, default| info.meta.get(key).unwrap_or(default);
    SpriteProps {
        width,
        height,
        left: number(MetaKey::TRIM_LEFT, 0),
        top: number(MetaKey::TRIM_TOP, 0),
        full_width: number(MetaKey::FULL_WIDTH, width),
        full_height: number(MetaKey::FULL_HEIGHT, height),
        ..SpriteProps::default()
    }
}

/// The asset of the pages, and the record of each member as a sprite.
type Made = Result<(ImportedAsset, Vec<SourceRecord>), Diagnostic>;

/// Makes the atlases, on as many threads as imports have and within their memory. The outcomes are in the order of the atlases.
fn make_all(scope: Scope<'_>, atlases: &[Atlas], assets: &[ImportedAsset]) -> Vec<Made> {
    let outcomes: Vec<Mutex<Option<Made>>> = atlases.iter().map(|_| Mutex::default()).collect();
    let (next, memory) = (AtomicUsize::new(0), MemoryBudget::new(scope.context.options.memory));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(atlas) = atlases.get(at) else { break };
            let bytes = memory_of(atlas, assets);
            memory.acquire(bytes);
            let made = make(scope, atlas, assets);
            memory.release(bytes);
            *outcomes[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
        }
    };
    std::thread::scope(|threads| {
        for _ in 1..scope.context.threads.min(atlases.len()) {
            threads.spawn(work);
        }
        work();
    });
    let outcome = |made: Mutex<Option<Made>>| made.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.into_iter().map(|made| outcome(made).expect("every atlas was made")).collect()
}

/// The bytes that making an atlas takes at most: its images, its pages, and what the pages are encoded from.
fn memory_of(atlas: &Atlas, assets: &[ImportedAsset]) -> u64 {
    let images = atlas.members.iter().filter_map(|member| image_of(&assets[*member]));
    images.map(|image| u64::from(image.base_size)).sum::<u64>().saturating_mul(3)
}

fn make(scope: Scope<'_>, atlas: &Atlas, assets: &[ImportedAsset]) -> Made {
    let Atlas { path, options, members } = atlas;
    let members: Vec<&ImportedAsset> = members.iter().map(|member| &assets[*member]).collect();
    let failed = |member: &ImportedAsset, error: ImportError| {
        error.into_diagnostic(&scope.source_file(&member.path), &member.path)
    };
    let infos: Vec<&ResourceInfo> = members.iter().filter_map(|member| image_of(member)).collect();
    let encoder = scope.images().map_err(|error| failed(members[0], error))?;
    let meta = shared_meta(&members, &infos).map_err(|(member, error)| failed(member, error))?;
    let props: Vec<SpriteProps> = infos.iter().map(|info| sprite(info)).collect();
    let sizes: Vec<(u32, u32)> = props.iter().map(|props| (props.width, props.height)).collect();
    let (pages, places) =
        encoder.lay_out(&sizes, options).map_err(|large| failed(members[large], too_large(&props[large], options)))?;

    let settings = scope.rules.resolve(path);
    let mut key = begin_key("rres atlas");
    key.number(VERSION);
    let asset = &settings.asset;
    key.field(format!("{options:?} {:?} {:?} {:?}", asset.compression, asset.level, asset.filters).as_bytes());
    for (member, place) in members.iter().zip(&places) {
        key.field(&member.record.blob_key.0);
        [place.page as u32, place.x, place.y].into_iter().for_each(|number| key.number(number));
    }
    let key = key.finish();
    let store = |key: &Key, resources: Vec<EncodedResource>| {
        let stored =
            write_blob(key, resources).map_err(|e| ImportError::new(format!("cannot be stored in an atlas: {e}")));
        let (blob, infos) = stored.map_err(|error| failed(members[0], error))?;
        let cache = &scope.context.cache;
        cache.store(key, &blob).map_err(|e| cache.cannot_write(&e))?;
        Ok(infos)
    };
    let cached = scope.context.cache.look_up(&key);
    let is_cached = cached.is_some();
    let resources = match cached {
        Some(resources) => resources,
        None => {
            let drawn = draw(scope, &members, &infos, &pages, &places, options, &meta)?;
            let encoded =
                encode(drawn, &settings, scope.rules.pack().compat).map_err(|error| failed(members[0], error))?;
            store(&key, encoded)?
        }
    };
    let mut records = Vec::with_capacity(members.len());
    for ((member, props), place) in members.iter().zip(props).zip(places) {
        let page = if place.page == 0 { String::new() } else { format!("page/{}", place.page) };
        let page = resource_path(path, &page);
        let props = SpriteProps { x: place.x, y: place.y, ..props };
        let resource = sprite_resource(props, &page);
        let mut key = begin_key("rres sprite");
        key.number(VERSION);
        key.field(resource.summary.as_bytes()).field(&props.block());
        let key = key.finish();
        let mut resources = match scope.context.cache.look_up(&key) {
            Some(resources) => resources,
            None => store(&key, encode(vec![resource], &settings, None).map_err(|error| failed(member, error))?)?,
        };
        for info in &mut resources {
            // A blob does not know its path, so it cannot contain this one.
            info.dependencies = vec![Dependency::Asset(relative_to(&member.path, &page))];
            info.facts = sprite_facts(&props, image_of(member));
            info.notes = image_of(member).map(|image| image.notes.clone()).unwrap_or_default();
        }
        records.push(SourceRecord { blob_key: key, source_key: key, resources, ..(*member.record).clone() });
    }
    let record =
        SourceRecord { stamp: FileStamp::default(), content_hash: key.0, source_key: key, blob_key: key, resources };
    let page = ImportedAsset {
        path: path.clone(),
        naming: Naming { path: path.clone(), id: None, rename: None },
        is_of_library: members.iter().all(|member| member.is_of_library),
        prints_notes: true,
        folders_are_groups: false,
        record: Arc::new(record),
        source: None,
        is_cached,
        source_size: members.iter().map(|member| member.source_size).sum(),
        elapsed: Duration::ZERO,
    };
    Ok((page, records))
}

/// The facts of a sprite: the facts of the picture, in its whole size.
fn sprite_facts(props: &SpriteProps, image: Option<&ResourceInfo>) -> Facts {
    match image.map(|image| image.facts) {
        Some(Facts::Image(of)) => {
            Facts::Image(ImageFacts { width: props.full_width, height: props.full_height, levels: 1, ..of })
        }
        _ => Facts::Unknown,
    }
}

fn sprite_resource(props: SpriteProps, page: &str) -> Asset {
    let SpriteProps { x, y, width, height, full_width, full_height, .. } = props;
    let mut summary = format!("{width}×{height} at {x}, {y} of {page}");
    if (width, height) != (full_width, full_height) {
        summary += &format!(", trimmed from {full_width}×{full_height}");
    }
    let block = Block { compressible: false, ..Block::new(FourCc::SPRT, props.block()) };
    Asset::new(AssetKind::Sprite, vec![block], summary)
}

/// The metadata of pages.
fn shared_meta<'a>(
    members: &[&'a ImportedAsset],
    infos: &[&ResourceInfo],
) -> Result<Meta, (&'a ImportedAsset, ImportError)> {
    let of = |info: &ResourceInfo| SHARED.map(|key| info.meta.get(key).unwrap_or_default());
    let Some(first) = infos.first() else { return Ok(Meta::default()) };
    for (member, info) in members.iter().zip(infos) {
        let differs = of(first).iter().zip(of(info)).position(|(a, b)| *a != b);
        if let Some(key) = differs.map(|at| SHARED[at]) {
            let message = format!("has another {key} than \"{}\", which is in the same atlas", members[0].path);
            return Err((
                member,
                ImportError::new(message).with_help(
                    "give all images of an atlas the same `image.filter`, `image.color_space` and `image.premultiply`",
                ),
            ));
        }
    }
    let mut meta = Meta::default();
    SHARED.iter().zip(of(first)).filter(|(_, value)| *value != 0).for_each(|(key, value)| meta.set(*key, value));
    Ok(meta)
}

fn too_large(props: &SpriteProps, options: &AtlasOptions) -> ImportError {
    let SpriteProps { width, height, .. } = props;
    let AtlasOptions { max_size, extrude, gap, .. } = options;
    let message = format!(
        "does not fit its atlas: {width}×{height} pixels, {extrude} repeated on each side and a gap of {gap} do not fit \
         {max_size}×{max_size}"
    );
    ImportError::new(message).with_help("raise `image.atlas_size`, or leave it out of the atlas")
}

/// Reads the images and draws the pages.
fn draw(
    scope: Scope<'_>,
    members: &[&ImportedAsset],
    infos: &[&ResourceInfo],
    pages: &[Page],
    places: &[Place],
    options: &AtlasOptions,
    meta: &Meta,
) -> Result<Vec<Asset>, Diagnostic> {
    let mut images = Vec::with_capacity(members.len());
    for ((member, info), place) in members.iter().zip(infos).zip(places) {
        let block = block(scope, &member.record.blob_key, info).ok_or_else(|| {
            // The next build makes it again.
            let _ = scope.context.cache.discard(&[member.record.blob_key]);
            Diagnostic::file(scope.source_file(&member.path), "was damaged in the import cache")
                .with_help("build again: it is imported anew".to_owned())
        })?;
        images.push(Member { block, place: *place });
    }
    let failed = |error: ImportError| error.into_diagnostic(&scope.source_file(&members[0].path), &members[0].path);
    let pages = scope.images().and_then(|encoder| encoder.compose(&images, pages, options, meta));
    pages.map_err(failed)
}

/// The decoded first chunk of an image in the cache.
fn block(scope: Scope<'_>, key: &Key, info: &ResourceInfo) -> Option<Vec<u8>> {
    let blob = read_file(&scope.context.cache.blob_file(key)).ok()?;
    let chunks = info.chunks.sound(&PackView::parse(&blob).ok()?).ok()?;
    Some(chunks.first()?.decode(&mut Decompressor::default()).ok()?.into_bytes().into_owned())
}

/// Errors about assets that need an image which is now a sprite, such as models.
fn misused(set: &Set<'_>, sprites: &HashMap<usize, String>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (_, asset) in set.assets.iter().enumerate().filter(|(position, _)| !sprites.contains_key(position)) {
        let dependencies = asset.record.resources.iter().flat_map(|resource| &resource.dependencies);
        for path in dependencies.map(|dependency| dependency_path(asset, dependency)) {
            let Some(atlas) = set.find(&path).and_then(|at| sprites.get(&at)) else { continue };
            let message = format!("needs \"{path}\" as an image, and a rule puts that into \"{atlas}\"");
            found.push(set.scope.fault(&asset.path, message, format!("remove `image.atlas` for \"{path}\"")));
        }
    }
    found
}
