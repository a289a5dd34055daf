//! P3: loading uncompressed images as views of the map, compared with a CRC-32 of warm memory and with touching bare
//! pages.

use std::hint::black_box;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, ResourceId, StoredChunk};
use rres_runtime::{CrcPolicy, Image, Pack, PackOptions};

use crate::figure::{Goal, figure};
use crate::inputs::sprite;
use crate::measure::{Clock, Seconds, Times};
use crate::{Error, Options, map};

/// Returns a pack of images, and their ids.
pub fn pack_of_images(
    images: &[(u32, Vec<u8>)],
    compression: Compression,
) -> Result<(Vec<u8>, Vec<ResourceId>), Error> {
    let mut compressor = Compressor::default();
    let mut pack = PackBuilder::new();
    let mut ids = Vec::new();
    for (i, (edge, pixels)) in images.iter().enumerate() {
        let props = ImageProps { width: *edge, height: *edge, format: PixelFormat::RGBA8, mipmaps: 1 };
        let chunk = StoredChunk::encode(FourCc::IMGE, &props.block(pixels), compression, &mut compressor)?;
        let resource = Resource::new(format!("images/{i}.png"), vec![chunk]);
        ids.push(resource.id);
        pack.push(resource);
    }
    Ok((pack.to_vec()?, ids))
}

/// Measures P3.
pub fn run(options: &Options) -> Result<(), Error> {
    // The images are as large as real ones on average, with sizes from icon to background.
    let edges = [64, 128, 128, 256, 256, 512, 512, 1024];
    let images: Vec<_> = (0..options.choose(160, 16)).map(|i| (edges[i % 8], sprite(edges[i % 8], i as u64))).collect();
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("plain.rres");
    let (bytes, ids) = pack_of_images(&images, Compression::NONE)?;
    std::fs::write(&file, &bytes)?;
    let pixels: u64 = images.iter().map(|(_, pixels)| pixels.len() as u64).sum();

    // Both sides of a pair start with a new map, or both with a warm one.
    let warm = Pack::open(&file)?;
    let always = PackOptions::default().crc_policy(CrcPolicy::Always).open(&file)?;
    let warm_map = map::map(&file)?;
    let load_all = |pack: &Pack| {
        for id in &ids {
            black_box(pack.load::<Image>(*id).expect("the pack contains it"));
        }
    };
    let mut crc = || {
        black_box(crc32fast::hash(&warm_map));
    };
    let mut checked = || load_all(&always);
    let mut crc_new = || {
        black_box(crc32fast::hash(&map::map(&file).expect("the file exists")));
    };
    let mut once = || load_all(&Pack::open(&file).expect("it is a pack"));
    let mut touch_new = || {
        black_box(map::touch(&map::map(&file).expect("the file exists")));
    };
    let mut off = || {
        let pack = PackOptions::default().crc_policy(CrcPolicy::Off).open(&file).expect("it is a pack");
        for id in &ids {
            black_box(map::touch(pack.load::<Image>(*id).expect("the pack contains it").data()));
        }
    };
    let rounds = options.choose(31, 5);
    let times = Times::take(
        Clock::Cpu,
        rounds,
        &mut [&mut crc, &mut checked, &mut crc_new, &mut once, &mut touch_new, &mut off],
    );
    let say = |what, way, to, goal| {
        let speed = |way| pixels as f64 / 1e9 / times.median(way);
        let behind = format!("{:.1} / {:.1} GB/s", speed(way), speed(to));
        figure("P3", what, 100.0 / times.ratio(way, to), "%", goal, behind);
    };
    say("speed, CRC checked at every load / crc32fast over a warm map", 1, 0, Goal::AtLeast(90.0));
    say("speed, open and CRC once / crc32fast over a new map", 3, 2, Goal::AtLeast(90.0));
    say("speed, open, CRC off, every page touched / new map touched", 5, 4, Goal::AtLeast(90.0));

    #[cfg(feature = "count-allocations")]
    allocations(&warm, ids[0])?;
    let mut again = || load_all(&warm);
    let times = Times::take(Clock::Cpu, rounds, &mut [&mut again]);
    let each = times.median(0) / ids.len() as f64;
    figure("P3", "a load of a checked plain image, in nanoseconds", each * 1e9, " ns", Goal::Context, Seconds(each));
    Ok(())
}

#[cfg(feature = "count-allocations")]
fn allocations(pack: &Pack, id: ResourceId) -> Result<(), Error> {
    drop(pack.load::<Image>(id)?);
    let region = stats_alloc::Region::new(crate::ALLOCATOR);
    let image: Image = pack.load(id)?;
    let change = region.change();
    let behind = format!("{} bytes; pixels in place: {}", change.bytes_allocated, image.data().is_borrowed());
    figure("P3", "allocations per load of a plain image", change.allocations as f64, "", Goal::AtMost(0.0), behind);
    Ok(())
}
