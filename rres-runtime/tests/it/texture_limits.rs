//! Images within a limit: which levels are loaded, what they take, and what another limit does to handles.

use std::process::Command;

use rres_format::chunk::frames::{FrameProps, frames_block};
use rres_format::chunk::image::ImageProps;
use rres_format::chunk::sprite::SpriteProps;
use rres_format::index::{ImageShape, Meta, MetaKey};
use rres_format::{Compression, FourCc, Resource, ResourceId};
use rres_runtime::asset::{CubeFace, PixelFormat};
use rres_runtime::{AnyId, ErrorKind, Event, FromAsset, Image, PackOptions, Store, Text};

use super::assets::{chunk, image as small_image, pack, plain, text};
use super::{File, assert_message, id, store};

const ALL: u32 = u32::MAX;

fn props(width: u32, height: u32, format: PixelFormat) -> ImageProps {
    ImageProps { width, height, format, mipmaps: width.max(height).ilog2() + 1 }
}

/// The block of an image, in which no two levels are alike.
fn block(props: ImageProps) -> Vec<u8> {
    let size = props.data_size().unwrap() as usize;
    props.block(&(0..size).map(|i| (i / 977 + i % 13) as u8).collect::<Vec<_>>())
}

fn image(path: &str, props: ImageProps, compression: Compression) -> Resource<'static> {
    Resource::new(path, vec![chunk(FourCc::IMGE, &block(props), compression)])
}

fn load(store: &Store, path: &str) -> std::sync::Arc<Image> {
    store.load(id::<Image>(path)).unwrap().get()
}

fn sizes(image: &Image) -> (u32, u32, u32, u32) {
    (image.width(), image.height(), image.mipmaps(), image.skipped_levels())
}

#[test]
fn only_levels_within_the_limit_are_loaded() {
    let compressions =
        [Compression::NONE, Compression::DEFLATE, Compression::LZ4, Compression::ZSTD, Compression::FILTERED];
    for compression in compressions {
        let store = store(&pack([image("a.png", props(1024, 512, PixelFormat::RGBA8), compression)]));
        let whole = load(&store, "a.png");
        assert_eq!(sizes(&whole), (1024, 512, 11, 0));
        for (edge, skipped) in [(2048, 0), (1024, 0), (1023, 1), (512, 1), (256, 2), (3, 9), (1, 10), (0, 10)] {
            let one = store.set_texture_limit(edge).unwrap();
            let limited = load(&store, "a.png");
            assert_eq!(sizes(&limited), ((1024 >> skipped), (512 >> skipped).max(1), 11 - skipped, skipped), "{edge}");
            assert_eq!(
                (limited.full_size(), limited.content_size()),
                ((1024, 512), (limited.width(), limited.height()))
            );
            assert!(limited.levels().eq(whole.levels().skip(skipped as usize)), "{compression} {edge}");
            assert_eq!(limited.levels().map(|level| level.pixels.len()).sum::<usize>(), limited.data().len());
            assert!(one <= 1);
        }
        store.set_texture_limit(None).unwrap();
        assert_eq!(load(&store, "a.png").data(), whole.data());
    }
}

#[test]
fn a_quarter_of_the_edges_takes_a_sixteenth_of_the_memory() {
    let images = (0..4).map(|n| image(&format!("{n}.png"), props(512, 512, PixelFormat::RGBA8), Compression::FILTERED));
    let store = store(&pack(images));
    let load_all = || (0..4).map(|n| store.load(id::<Image>(&format!("{n}.png"))).unwrap()).collect::<Vec<_>>();
    let whole = load_all();
    let of_whole = store.stats().bytes;
    drop(whole);
    store.set_texture_limit(128).unwrap();
    let limited = load_all();
    let of_limited = store.stats().bytes;
    assert!(of_limited * 100 <= of_whole * 8, "{of_limited} of {of_whole}");
    let uploaded: u64 = limited.iter().map(|handle| handle.get().video_memory()).sum();
    assert!((uploaded..uploaded + 200).contains(&of_limited), "{of_limited}, {uploaded}");
}

/// The name of the variable that makes this program load the pack at a path.
const LOAD: &str = "RRES_TEST_LIMIT";

/// The peak of a process of its own, which the system records.
#[test]
#[ignore = "measures memory"]
#[expect(clippy::print_stdout, reason = "the test that started this process reads it")]
fn a_4k_image_at_a_limit_of_1k_takes_little_memory() {
    let peak = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    };
    if let Some(file) = std::env::var_os(LOAD) {
        // The stored bytes are in memory, and the decoder has its tables, before anything is measured.
        let store = Store::from_packs([PackOptions::default().read(file).unwrap()]);
        drop(store.load(id::<Image>("small.png")).unwrap());
        for limit in [Some(1024), None] {
            store.set_texture_limit(limit).unwrap();
            let before = peak();
            let held = store.load(id::<Image>("a.png")).unwrap();
            println!("\n{} pixels wide: grown by {}", held.get().width(), peak() - before);
        }
        return;
    }
    let images = [("a.png", 4096), ("small.png", 64)];
    let of = |(path, edge)| image(path, props(edge, edge, PixelFormat::RGBA8), Compression::ZSTD);
    let file = File::new(&pack(images.map(of)));
    let mut loader = Command::new(std::env::current_exe().unwrap());
    loader.args([
        "--exact",
        "texture_limits::a_4k_image_at_a_limit_of_1k_takes_little_memory",
        "--ignored",
        "--nocapture",
    ]);
    let output = loader.env(LOAD, file.path()).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    println!("{out}{}", String::from_utf8_lossy(&output.stderr));
    let grown: Vec<u64> = out.lines().filter_map(|line| line.split_once("grown by ")?.1.parse().ok()).collect();
    let whole = props(4096, 4096, PixelFormat::RGBA8).data_size().unwrap();
    assert!(grown.len() == 2 && grown[0] * 100 <= whole * 8 && grown[1] > whole / 2, "{out}{whole}");
}

/// What a program makes of an image.
struct Width(u32);

impl FromAsset for Width {
    type Source = Image;
    type Error = String;

    fn from_asset(image: &Image, store: &Store) -> Result<Self, String> {
        let refused = store.set_texture_limit(1).unwrap_err();
        assert!(matches!(refused.kind(), ErrorKind::MountWhileLoading));
        Ok(Self(image.width()))
    }
}

#[test]
fn another_limit_gives_new_values_to_what_it_changes() {
    let store = store(&pack([
        image("a.png", props(256, 256, PixelFormat::RGBA8), Compression::ZSTD),
        image("b.png", props(64, 64, PixelFormat::RGBA8), Compression::ZSTD),
        small_image("c.png", Compression::ZSTD),
        text("d.txt", "text"),
    ]));
    store.set_texture_limit(64).unwrap();
    let [a, b, c] = ["a.png", "b.png", "c.png"].map(|path| store.load(id::<Image>(path)).unwrap());
    let width = store.load(id::<Image>("a.png").into_type::<Width>()).unwrap();
    let events = store.events();
    assert_eq!((a.get().width(), width.get().0, store.set_texture_limit(64).unwrap()), (64, 64, 0));
    // More levels come later: the image, and what was made from it.
    assert_eq!(store.set_texture_limit(128).unwrap(), 2);
    assert_eq!((a.get().width(), width.get().0), (128, 128));
    assert_eq!([&a, &b, &c].map(|handle| handle.version()), [2, 1, 1]);
    let changed = events.try_iter().filter(|event| matches!(event, Event::Changed(_))).count();
    assert_eq!(changed, 2);
    assert_eq!(store.set_texture_limit(None).unwrap(), 2);
    assert_eq!((a.get().width(), a.get().skipped_levels(), width.get().0), (256, 0, 256));
    // The image itself may be gone.
    drop((a, events));
    assert_eq!((store.set_texture_limit(32).unwrap(), width.get().0, b.get().width()), (2, 32, 32));
}

/// An engine keeps what it made of images, and no handle.
#[test]
fn watchers_are_told_of_images_that_are_not_loaded() {
    let store = store(&pack([
        image("a.png", props(256, 256, PixelFormat::RGBA8), Compression::ZSTD),
        image("b.png", props(64, 64, PixelFormat::RGBA8), Compression::FILTERED),
        small_image("c.png", Compression::ZSTD),
        text("d.txt", "text"),
    ]));
    let watcher = store.watch();
    let changed =
        || watcher.changed().into_iter().map(|id| store.path(id).unwrap()).collect::<std::collections::BTreeSet<_>>();
    store.set_texture_limit(64).unwrap();
    assert_eq!(changed(), ["a.png".to_owned()].into());
    store.set_texture_limit(32).unwrap();
    assert_eq!(changed(), ["a.png".to_owned(), "b.png".to_owned()].into());
    store.set_texture_limit(33).unwrap();
    assert!(changed().is_empty());
    store.fit_textures([AnyId::from(id::<Image>("b.png"))], 100).unwrap();
    assert_eq!(changed(), ["b.png".to_owned()].into());
}

/// A small image, and its variant for displays of twice the density.
fn dense() -> [Resource<'static>; 2] {
    let mut dense = image("a@2x.png", props(256, 256, PixelFormat::RGBA8), Compression::ZSTD);
    dense.meta.set(MetaKey::VARIANT_OF, ResourceId::from_path("a.png").0);
    dense.meta.set_f32(MetaKey::DENSITY, 2.0);
    [image("a.png", props(128, 128, PixelFormat::RGBA8), Compression::ZSTD), dense]
}

#[test]
fn limits_are_those_of_assets_and_count_the_variant_that_is_loaded() {
    let store = store(&pack(dense()));
    store.set_density(2.0).unwrap();
    let handle = store.load(id::<Image>("a.png")).unwrap();
    let whole = handle.get().video_memory();
    // The list has both.
    let all: Vec<AnyId> = store.mounts().entries().map(|entry| entry.id).collect();
    let fit = store.fit_textures(all.clone(), whole).unwrap();
    assert_eq!((all.len(), fit.before, fit.lowered.len()), (2, whole, 0));
    let watcher = store.watch();
    let fit = store.fit_textures(all, whole - 1).unwrap();
    assert_eq!((fit.lowered.len(), &*fit.lowered[0].path, fit.renewed), (1, "a.png", 1));
    assert_eq!(handle.get().width(), 128);
    // An engine knows the asset, and not which variant it is.
    let changed = |watcher: &rres_runtime::StoreWatcher| {
        watcher.changed().into_iter().map(|id| store.path(id).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(changed(&watcher), ["a.png"]);
    store.set_texture_limit_for([AnyId::from(id::<Image>("a@2x.png"))], 64).unwrap();
    assert_eq!((handle.get().width(), changed(&watcher)), (64, vec!["a.png".to_owned()]));
}

#[test]
fn what_was_made_of_images_that_stay_as_they_are_stays() {
    let single = ImageProps { mipmaps: 1, ..props(64, 64, PixelFormat::RGBA8) };
    let store = store(&pack([image("mask.png", single, Compression::ZSTD)]));
    let mask = store.load(id::<Image>("mask.png").into_type::<Width>()).unwrap();
    assert_eq!((store.set_texture_limit(16).unwrap(), mask.version()), (0, 1));
}

#[test]
fn groups_have_limits_of_their_own() {
    let mut model = text("model.txt", "needs the image");
    model.dependencies = vec![ResourceId::from_path("skin.png")];
    let textures =
        ["skin.png", "wall.png"].map(|path| image(path, props(256, 256, PixelFormat::RGBA8), Compression::ZSTD));
    let store = store(&pack(textures.into_iter().chain([model])));
    let group = [AnyId::from(id::<Text>("model.txt"))];
    let handles = ["skin.png", "wall.png"].map(|path| store.load(id::<Image>(path)).unwrap());
    let widths = || [0, 1].map(|at: usize| handles[at].get().width());
    assert_eq!(store.set_texture_limit(64).unwrap(), 2);
    assert_eq!(store.set_texture_limit_for(group, 128).unwrap(), 1, "what its members need");
    assert_eq!((widths(), store.texture_limit(id::<Image>("skin.png"))), ([128, 64], Some(128)));
    store.set_texture_limit(16).unwrap();
    assert_eq!(widths(), [128, 16]);
    store.set_texture_limit_for(group, ALL).unwrap();
    assert_eq!(widths(), [256, 16]);
    store.set_texture_limit_for(group, None).unwrap();
    assert_eq!(widths(), [16, 16]);
}

/// Positions in these are in pixels, or there is nothing to leave out.
#[test]
fn images_that_cannot_be_smaller_stay_whole() {
    let sheet = props(64, 32, PixelFormat::RGBA8);
    let frame = FrameProps { x: 0, y: 0, width: 64, height: 32, ..Default::default() };
    let frames = frames_block((64, 32), &[frame], &[]);
    let mut sheet = image("sheet.png", sheet, Compression::ZSTD);
    sheet.chunks.push(plain(FourCc::FRMS, &frames));
    let page = image("page.png", props(64, 64, PixelFormat::RGBA8), Compression::ZSTD);
    let rectangle =
        SpriteProps { x: 60, y: 60, width: 4, height: 4, full_width: 4, full_height: 4, ..Default::default() };
    let mut sprite = Resource::new("sprite.png", vec![plain(FourCc::SPRT, &rectangle.block())]);
    sprite.dependencies = vec![page.id];
    let single = ImageProps { mipmaps: 1, ..props(64, 64, PixelFormat::RGBA8) };
    let few = ImageProps { mipmaps: 2, ..single };
    let others = [("single.png", single), ("few.png", few)].map(|(path, of)| image(path, of, Compression::ZSTD));
    let store = store(&pack(others.into_iter().chain([sheet, page, sprite])));
    store.set_texture_limit(8).unwrap();
    for path in ["sheet.png", "page.png", "single.png"] {
        assert_eq!((load(&store, path).width(), load(&store, path).skipped_levels()), (64, 0), "{path}");
    }
    assert_eq!(sizes(&load(&store, "few.png")), (32, 32, 1, 1), "the last level");
    assert_eq!(store.set_texture_limit(4).unwrap(), 0);
}

#[test]
fn cubemaps_blocks_and_padding_keep_what_they_need() {
    let mut meta = Meta::default();
    meta.set(MetaKey::CUBEMAP, 1);
    let cube = ImageProps { width: 32, height: 192, format: PixelFormat::RGBA8, mipmaps: 6 };
    let cube = image("sky.png", cube, Compression::FILTERED).with_meta(meta);
    let mut meta = Meta::default();
    meta.set(MetaKey::CONTENT_WIDTH, 50);
    meta.set(MetaKey::CONTENT_HEIGHT, 64);
    let padded = image("padded.png", props(64, 64, PixelFormat::RGBA8), Compression::LZ4).with_meta(meta);
    let blocks = image("blocks.png", props(64, 64, PixelFormat::BC7), Compression::FILTERED);
    let store = store(&pack([cube, padded, blocks]));
    let whole = load(&store, "sky.png");
    store.set_texture_limit(16).unwrap();
    let sky = load(&store, "sky.png");
    assert_eq!(sizes(&sky), (16, 96, 5, 1));
    for face in CubeFace::ALL {
        assert_eq!(sky.cube_face(face, 0), whole.cube_face(face, 1), "{face:?}");
    }
    assert_eq!(load(&store, "padded.png").content_size(), (13, 16));
    store.set_texture_limit(1).unwrap();
    assert_eq!(sizes(&load(&store, "blocks.png")), (4, 4, 3, 4), "whole blocks");
}

#[test]
fn limits_and_video_memory_are_those_of_layers() {
    let mut meta = Meta::default();
    ImageShape::Array(5).set(&mut meta);
    // Five layers of 64×32 pixels, down to rows of one pixel.
    let layers = ImageProps { width: 64, height: 160, format: PixelFormat::RGBA8, mipmaps: 6 };
    let store = store(&pack([image("tiles.png", layers, Compression::FILTERED).with_meta(meta)]));
    let whole = load(&store, "tiles.png");
    assert_eq!(whole.shape(), ImageShape::Array(5));
    assert_eq!(whole.video_memory(), 5 * 4 * (64 * 32 + 32 * 16 + 16 * 8 + 8 * 4 + 4 * 2 + 2));
    store.set_texture_limit(16).unwrap();
    let small = load(&store, "tiles.png");
    assert_eq!(sizes(&small), (16, 40, 4, 2));
    for number in 0..5 {
        assert_eq!(small.layer(number, 0), whole.layer(number, 2), "{number}");
    }
    store.set_texture_limit(None).unwrap();
    let fit = store.fit_textures(vec![AnyId::from(id::<Image>("tiles.png"))], 5 * 4 * 64 * 32).unwrap();
    assert!(fit.is_within() && fit.lowered[0].size == (32, 80), "{fit}");
}

#[test]
fn textures_are_fitted_into_a_budget() {
    let textures = [("a.png", 256), ("b.png", 256), ("c.png", 128), ("d.png", 32)];
    let of = |(path, edge)| image(path, props(edge, edge, PixelFormat::RGBA8), Compression::FILTERED);
    let single = ImageProps { mipmaps: 1, ..props(128, 128, PixelFormat::RGBA8) };
    let pack = pack(textures.map(of).into_iter().chain([image("single.png", single, Compression::LZ4)]));
    let paths = ["a.png", "b.png", "c.png", "d.png", "single.png"];
    let ids: Vec<AnyId> = paths.iter().map(|path| id::<Image>(path).into()).collect();
    let fit = |is_loaded_before: bool, bytes: u64| {
        let store = store(&pack);
        let load_all = || paths.map(|path| store.load(id::<Image>(path)).unwrap());
        let before = is_loaded_before.then(load_all);
        let mut found = store.fit_textures(ids.clone(), bytes).unwrap();
        assert_eq!(found.renewed, if is_loaded_before { found.lowered.len() } else { 0 });
        let loaded = load_all();
        assert_eq!(loaded.iter().map(|handle| handle.get().video_memory()).sum::<u64>(), found.after, "{bytes}");
        drop(before);
        found.renewed = 0;
        let again = store.fit_textures(ids.clone(), u64::MAX).unwrap();
        assert_eq!((again.before, again.after, again.lowered.len()), (found.before, found.before, 0));
        assert_eq!(loaded[0].get().skipped_levels(), 0, "levels come back");
        (found, loaded.map(|handle| handle.get().width()))
    };
    let full: u64 =
        [256u64, 256, 128, 32].iter().map(|edge| (edge * edge * 4 * 4 - 4) / 3).sum::<u64>() + 128 * 128 * 4;
    for bytes in [full, full - 1, full / 2, 100_000, 70_000, 0] {
        let (found, widths) = fit(false, bytes);
        assert_eq!((found.before, found.budget, &found), (full, bytes, &fit(true, bytes).0));
        assert_eq!(found.is_within(), found.after <= bytes);
        assert!(bytes < 70_000 || found.is_within(), "{found}");
        assert_eq!(widths[4], 128, "it has no other level");
        let lost: u64 = found.lowered.iter().map(|texture| texture.before - texture.after).sum();
        assert_eq!(lost, found.before - found.after);
    }
    // One of the two largest, and always the same.
    let (found, _) = fit(true, full - 1);
    assert_eq!((found.lowered.len(), found.lowered[0].size, found.lowered[0].full_size), (1, (128, 128), (256, 256)));
    let lines = found.to_string();
    assert!(lines.contains("kB before\n") && lines.contains("128 × 128 instead of 256 × 256"), "{lines}");
    // A budget does not raise a limit that was set.
    let store = store(&pack);
    store.set_texture_limit(16).unwrap();
    let found = store.fit_textures(ids, 1 << 30).unwrap();
    assert!(found.before < 80_000 && found.lowered.is_empty(), "{found}");
}

#[test]
fn what_lies_about_its_levels_is_an_error() {
    let lie = ImageProps { width: 64, height: 64, format: PixelFormat::RGBA8, mipmaps: 7 };
    let short = lie.block(&[1; 4 * 64 * 64 + 100]);
    let wrong = ImageProps { mipmaps: 9, ..lie }.block(&[1; 30_000]);
    for (block, is_wrong) in [(short, false), (wrong, true)] {
        for compression in [Compression::NONE, Compression::LZ4, Compression::FILTERED] {
            let store = store(&pack([Resource::new("a.png", vec![chunk(FourCc::IMGE, &block, compression)])]));
            store.set_texture_limit(16).unwrap();
            assert_message(store.load(id::<Image>("a.png")), &["a.png"]);
            let fit = store.fit_textures([AnyId::from(id::<Image>("a.png"))], 1);
            assert_eq!(fit.is_err(), is_wrong, "{fit:?}");
        }
        #[cfg(feature = "seal")]
        an_encrypted_lie_is_an_error(&block);
    }
}

/// What is encrypted is decoded as a whole, so it takes another way than other packs.
#[cfg(feature = "seal")]
fn an_encrypted_lie_is_an_error(block: &[u8]) {
    use super::sealed::{raw_keys, sealed};

    let resource = Resource::new("a.png", vec![chunk(FourCc::IMGE, block, Compression::NONE)]);
    let pack = pack([sealed(resource, &raw_keys(7))]).to_vec().unwrap();
    let store = Store::from_packs([PackOptions::default().keys(raw_keys(7)).from_bytes(pack).unwrap()]);
    store.set_texture_limit(16).unwrap();
    assert_message(store.load(id::<Image>("a.png")), &["a.png"]);
}

#[test]
fn a_number_of_levels_that_no_image_has_takes_no_time() {
    let lie = ImageProps { width: 4096, height: 4, format: PixelFormat::BC7, mipmaps: u32::MAX };
    let store =
        store(&pack([Resource::new("a.dds", vec![chunk(FourCc::IMGE, &lie.block(&[0; 64]), Compression::NONE)])]));
    let _watcher = store.watch();
    store.set_texture_limit(16).unwrap();
    assert_message(store.load(id::<Image>("a.dds")), &["a.dds"]);
}
