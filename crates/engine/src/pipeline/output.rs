//! Last step: resolved assets → the files that the game opens and the module that it compiles.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rres_codegen::{Constant, Dev, Group, HeaderEntry, Module, in_folder};
use rres_format::index::{GroupSpec, MetaKey};
use rres_format::{FourCc, LanguageTag, ResourceId};
use rres_protocol::packed_id::Slot;

use super::link::link;
use crate::context::{BuildContext, OutputFiles};
use crate::diagnostic::Diagnostic;
use crate::key::Key;
use crate::licenses;
use crate::lock_file::LockFile;
use crate::model::{Resolved, Resource};
use crate::note_group::NoteGroup;
use crate::pack::{self, Arrangement, Ciphers, Encryption, PackError, Packing, Siblings, WrittenPacks, dev_index};
use crate::settings::ByteSize;
use crate::settings::{AssetType, Rules};
use crate::staging::Staging;
use crate::strip;

/// The files of a build, all in place.
pub(crate) struct Outputs {
    /// The packs, in order; empty if the build has only a dev index.
    pub(crate) packs: Vec<PathBuf>,
    /// The total size of the packs in bytes.
    pub(crate) pack_size: u64,
    pub(crate) module: PathBuf,
    /// The C header, if the settings name one.
    pub(crate) header: Option<PathBuf>,
    /// The dev index, in debug builds.
    pub(crate) dev_index: Option<PathBuf>,
    /// The file to watch in debug builds, which is removed before blobs are pruned.
    pub(crate) root: Option<PathBuf>,
    /// About settings of the packs that have no effect.
    pub(crate) note: Option<NoteGroup>,
    /// Time spent on packs and the dev index.
    pub(crate) pack_time: Duration,
    /// Time spent on the module.
    pub(crate) generate_time: Duration,
}

/// The reason why outputs could not be written.
pub(crate) enum OutputError {
    /// These blobs are missing or damaged and must be imported again.
    DamagedBlobs(Vec<Key>),
    Other(Diagnostic),
}

impl From<Diagnostic> for OutputError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Other(diagnostic)
    }
}

/// Writes packs or the dev index, the module and a new lock file. The module has more constants and groups than there are assets, if some are not
/// on this machine. If anything fails, nothing has changed.
pub(crate) fn write(
    context: &BuildContext,
    rules: &Rules,
    files: &OutputFiles,
    resolved: &Resolved,
    (more_constants, more_groups): (Vec<Constant>, Vec<Group>),
    new_lock: Option<(&Path, &LockFile)>,
) -> Result<Outputs, OutputError> {
    let started = Instant::now();
    let mut staging = Staging::default();
    let mut note = None;
    let stripped = if context.writes_packs() { strip::leave_out(resolved)? } else { None };
    let packs = match context.writes_packs() {
        true => {
            let resolved = stripped.as_ref().unwrap_or(resolved);
            let encryption = Encryption::new(context, rules, resolved, &files.name)?;
            let siblings = Siblings::new(context, rules, resolved);
            let arrangement = Arrangement::read(context, rules)?;
            note = arrangement.note(resolved.resources.iter().map(|resource| resource.path.as_str()));
            let packing = Packing {
                resolved,
                cache: &context.cache,
                settings: rules.pack(),
                encryption: &encryption,
                siblings: &siblings,
                arrangement: &arrangement,
                keeps_foreign_files: context.options.keeps_foreign_files,
            };
            packing.write(files, &mut staging).map_err(|e| match e {
                PackError::DamagedBlobs(keys) => OutputError::DamagedBlobs(keys),
                PackError::Other(diagnostic) => OutputError::Other(diagnostic),
            })?
        }
        false => WrittenPacks::default(),
    };
    let mut dev = None;
    if context.is_debug {
        let file = files.dev_index();
        let bytes = dev_index(resolved).map_err(|e| Diagnostic::file(&file, e.to_string()))?;
        staging.write_if_changed(&file, &bytes)?;
        dev = Some(file);
    }
    let pack_time = started.elapsed();

    let started = Instant::now();
    // The constants contain slots of the index that the game tries first.
    let dev_slots = dev.as_ref().map(|_| {
        let slots = pack::slots(resolved.resources.iter());
        slots.into_iter().map(|(id, slot)| (id, Slot(slot))).collect()
    });
    let slots: &HashMap<ResourceId, Slot> = dev_slots.as_ref().unwrap_or(&packs.slots);
    let (mut constants, mut groups) = (constants(resolved, slots), groups(context, resolved));
    constants.extend(more_constants);
    groups.extend(more_groups);
    // The constants have them now, and the text is large.
    drop(dev_slots);
    let module = Module {
        dev: dev.as_ref().map(|index| dev_locations(context, files, index)),
        pack_path_tail: packs.files.first().and_then(|pack| path_tail(pack)),
        set_hash: resolved.set_hash,
        encrypted: Ciphers::new(rules, resolved).paths(resolved).map(str::to_owned).collect(),
        constants,
        kinds: resolved.resources.iter().map(|resource| resource.kind).collect(),
        groups,
        credits: licenses::credits_of(context, rules, resolved),
        ..module(context, rules, files)
    };
    let text = text_of(&module, files)?;
    let generate_time = started.elapsed();

    if let Some((file, lock)) = new_lock {
        staging.write_if_changed(file, lock.text().as_bytes())?;
    }
    let header = header_of(context, rules, files);
    if !context.options.packs_only {
        staging.write_if_changed(&files.module(), text.as_bytes())?;
    }
    if let Some(header) = &header {
        let language = rres_codegen::Language::of_file(&header.to_string_lossy());
        staging.write_if_changed(header, (language.write)(&files.name, &header_entries(resolved)).as_bytes())?;
    }
    // If blobs are pruned, or removed with the whole cache, the build must run again.
    let root = dev.as_ref().map(|index| context.cache.register_root(index)).transpose();
    let root = root.map_err(|e| Diagnostic::io("write to the import cache", context.cache.dir(), &e))?;
    staging.commit()?;
    packs.record()?;
    if rules.pack().embed && !context.is_debug {
        link(context, files, &packs.files)?;
    }
    let WrittenPacks { files: packs, size: pack_size, .. } = packs;
    Ok(Outputs {
        packs,
        pack_size,
        module: files.module(),
        header,
        dev_index: dev,
        root,
        note,
        pack_time,
        generate_time,
    })
}

/// Checks, before anything is imported, that the outputs replace no file of somebody else.
pub(crate) fn check_outputs(context: &BuildContext, rules: &Rules, files: &OutputFiles) -> Result<(), Diagnostic> {
    pack::check_outputs(context, files, header_of(context, rules, files).as_deref())
}

/// The file with the ids for another language, if the settings name one.
fn header_of(context: &BuildContext, rules: &Rules, files: &OutputFiles) -> Option<PathBuf> {
    rules.pack().header.as_ref().filter(|_| !context.options.packs_only).map(|name| files.dir.join(name))
}

/// The constants of assets, and the groups.
pub(crate) fn named(context: &BuildContext, resolved: &Resolved) -> (Vec<Constant>, Vec<Group>) {
    let mut constants = constants(resolved, &HashMap::new());
    let mut groups = groups(context, resolved);
    // Sizes change with every edit of a file.
    let summaries: HashMap<_, _> =
        resolved.resources.iter().map(|resource| (resource.id, &resolved.info(resource).summary)).collect();
    constants.iter_mut().for_each(|constant| constant.doc = summaries[&constant.id].clone());
    groups.iter_mut().for_each(|group| group.doc = count_of(group.members.len()));
    (constants, groups)
}

/// Writes the module of a build without assets, and returns its path.
pub(crate) fn write_listed(
    context: &BuildContext,
    rules: &Rules,
    files: &OutputFiles,
    (constants, groups): (Vec<Constant>, Vec<Group>),
) -> Result<PathBuf, Diagnostic> {
    let kinds = constants.iter().map(|constant| constant.kind).collect();
    // The settings may be missing, too, and a program that shows credits is to compile.
    let module = Module { constants, kinds, groups, credits: Some(Vec::new()), ..module(context, rules, files) };
    let mut staging = Staging::default();
    staging.write_if_changed(&files.module(), text_of(&module, files)?.as_bytes())?;
    staging.commit()?;
    Ok(files.module())
}

/// The module without what depends on the assets.
fn module(context: &BuildContext, rules: &Rules, files: &OutputFiles) -> Module {
    Module {
        crate_path: context.options.crate_path.clone(),
        folder: context.own_dir.folder.clone(),
        unused: rules.pack().unused,
        is_locked: rules.pack().lock,
        custom_types: types_of_importers(context, |_| true),
        data_types: types_of_importers(context, |of| of.is_data),
        ..Module::new(&files.name)
    }
}

fn text_of(module: &Module, files: &OutputFiles) -> Result<String, Diagnostic> {
    rres_codegen::generate(module).map_err(|clashes| {
        // Names were checked when the assets were resolved.
        let clashes: Vec<String> = clashes.iter().map(ToString::to_string).collect();
        Diagnostic::file(files.module(), clashes.join("; "))
    })
}

fn dev_locations(context: &BuildContext, files: &OutputFiles, index: &Path) -> Dev {
    let manifest = context.can_serve().then(|| files.script_manifest().display().to_string());
    Dev {
        index: index.display().to_string(),
        blobs: context.cache.blobs().display().to_string(),
        assets: context.assets.display().to_string(),
        libraries: context
            .libraries
            .iter()
            .map(|library| (library.name().to_owned(), library.dir.dir.display().to_string()))
            .collect(),
        serve: manifest.unwrap_or_default(),
    }
}

fn constants(resolved: &Resolved, slots: &HashMap<ResourceId, Slot>) -> Vec<Constant> {
    let needed: HashSet<_> =
        resolved.resources.iter().flat_map(|resource| resource.dependencies.iter().copied()).collect();
    let variants = variants(resolved);
    let constant = |resource: &Resource| {
        let info = resolved.info(resource);
        let is_sub_asset = !info.name.is_empty();
        let size = ByteSize(info.stored_size.into());
        Constant {
            path: resource.path.clone(),
            id: resource.id,
            slot: slots.get(&resource.id).copied().unwrap_or_default(),
            kind: resource.kind,
            custom: info.custom_kind(),
            doc: match variants.get(&resource.id) {
                Some(variants) => {
                    let variants = variants.join(", ");
                    format!("{}, {size} stored ({}); variants: {variants}", info.summary, info.compression)
                }
                None => format!("{}, {size} stored ({})", info.summary, info.compression),
            },
            facts: info.facts,
            stored_size: size.0,
            needs: info.needed_feature(),
            parts: info.parts.clone(),
            rename: resolved.asset(resource).naming.rename.clone().filter(|_| !is_sub_asset),
            is_needed: needed.contains(&resource.id),
        }
    };
    // Programs name the asset, and the store chooses the variant. The module of a library has the constants of its assets.
    let has_constant =
        |resource: &&Resource| resolved.variant_of(resource).is_none() && !resolved.asset(resource).is_of_library;
    resolved.resources.iter().filter(has_constant).map(constant).collect()
}

/// The languages and densities of the variants of each asset that has some.
fn variants(resolved: &Resolved) -> HashMap<ResourceId, Vec<String>> {
    let mut variants: HashMap<ResourceId, Vec<String>> = HashMap::new();
    for resource in &resolved.resources {
        let meta = &resolved.info(resource).meta;
        let Some(base) = meta.get(MetaKey::VARIANT_OF).map(ResourceId) else { continue };
        let locale = LanguageTag::in_meta(meta).map(|locale| locale.to_string());
        let density = meta.get(MetaKey::DENSITY).map(|density| format!("@{}x", f32::from_bits(density)));
        variants.entry(base).or_default().push(locale.unwrap_or_default() + &density.unwrap_or_default());
    }
    variants.values_mut().for_each(|names| names.sort());
    variants
}

/// The types that the importers of the build script make, whether there are such assets or not: the module then does not change with
/// the first one.
fn types_of_importers(context: &BuildContext, wanted: impl Fn(&AssetType) -> bool) -> BTreeMap<FourCc, String> {
    let types = context.own_dir.importers.script.iter().flat_map(|own| &own.description.types).filter(|of| wanted(of));
    types.filter_map(|of| of.custom.clone()).collect()
}

fn header_entries(resolved: &Resolved) -> Vec<HeaderEntry> {
    let entry = |resource: &Resource| HeaderEntry {
        path: resource.path.clone(),
        id: resource.id,
        kind: Some(resource.kind),
        constant: rres_codegen::constant_path(&resource.path, resolved.asset(resource).naming.rename.as_deref()),
    };
    resolved.resources.iter().map(entry).collect()
}

fn count_of(assets: usize) -> String {
    if assets == 1 { "1 asset".to_owned() } else { format!("{assets} assets") }
}

fn groups(context: &BuildContext, resolved: &Resolved) -> Vec<Group> {
    let stored_size = |resource: &Resource| u64::from(resolved.info(resource).stored_size);
    let sizes: HashMap<_, _> = resolved.resources.iter().map(|resource| (resource.id, stored_size(resource))).collect();
    let group = |group: &GroupSpec| {
        let bytes = group.members.iter().filter_map(|id| sizes.get(id)).sum();
        Group {
            name: group.name.clone(),
            members: group.members.clone(),
            doc: format!("{}, {} stored", count_of(group.members.len()), ByteSize(bytes)),
        }
    };
    let is_own =
        |group: &&GroupSpec| context.libraries.iter().all(|library| in_folder(&group.name, library.name()).is_none());
    resolved.groups.iter().filter(is_own).map(group).collect()
}

/// The path of the pack relative to the directory that contains both Cargo's build output and the executables. It
/// allows a program from `cargo build --release` to be started by hand, without containing an absolute path.
fn path_tail(pack: &Path) -> Option<String> {
    let parts: Vec<&str> = pack.iter().filter_map(|part| part.to_str()).collect();
    let build = parts.iter().rposition(|part| *part == "build")?;
    Some(parts[build..].join("/"))
}
