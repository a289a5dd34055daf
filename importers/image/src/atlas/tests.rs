//! Layouts and pages of atlases.

use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageProps, ImageView, PixelFormat};
use rres_format::index::Meta;
use rres_test_data::random::Random;

use super::super::Asset;
use super::*;

const OPTIONS: AtlasOptions = AtlasOptions { max_size: 256, extrude: 1, gap: 0, mipmaps: false, are_normals: false };

/// Pseudo-random sizes.
fn sizes(count: usize, max: u32) -> Vec<(u32, u32)> {
    let mut random = Random::new(7);
    let mut next = || 1 + random.below(max as usize) as u32;
    (0..count).map(|_| (next(), next())).collect()
}

/// Checks that pictures with their edges are on their page and apart.
fn check(sizes: &[(u32, u32)], options: &AtlasOptions) -> Vec<Page> {
    let (pages, places) = lay_out(sizes, options).unwrap();
    let mut taken: Vec<Vec<bool>> = pages.iter().map(|page| vec![false; (page.width * page.height) as usize]).collect();
    for ((width, height), place) in sizes.iter().zip(&places) {
        let page = pages[place.page];
        assert!(page.width <= options.max_size && page.height <= options.max_size);
        for y in place.y - options.extrude..place.y + height + options.extrude {
            for x in place.x - options.extrude..place.x + width + options.extrude {
                assert!(x < page.width && y < page.height, "{width}×{height} at {place:?} of {page:?}");
                let at = (y * page.width + x) as usize;
                assert!(!std::mem::replace(&mut taken[place.page][at], true), "two pictures at {x}, {y}");
            }
        }
    }
    pages
}

#[test]
fn pictures_do_not_overlap() {
    for options in [
        OPTIONS,
        AtlasOptions { extrude: 0, ..OPTIONS },
        AtlasOptions { gap: 3, ..OPTIONS },
        AtlasOptions { extrude: 4, mipmaps: true, ..OPTIONS },
    ] {
        for (count, max) in [(1, 1), (1, 200), (50, 10), (200, 30), (40, 120)] {
            check(&sizes(count, max), &options);
        }
    }
}

#[test]
fn an_atlas_takes_little_more_than_its_pictures_and_as_many_pages_as_it_needs() {
    let options = AtlasOptions { extrude: 0, max_size: 2048, ..OPTIONS };
    let sizes = sizes(300, 40);
    let area: u32 = sizes.iter().map(|(width, height)| width * height).sum();
    let [page] = check(&sizes, &options)[..] else { panic!() };
    assert!(page.width * page.height <= area * 5 / 4, "{page:?} for {area} pixels");
    // 9 squares of 64 pixels do not fit a page of 128 times 128, which holds 4.
    let pages = check(&[(64, 64); 9], &AtlasOptions { extrude: 0, max_size: 128, ..OPTIONS });
    assert_eq!(pages.len(), 3);
    assert_eq!(pages[2], Page { width: 64, height: 64 });
}

#[test]
fn what_fits_no_page_is_named() {
    let sizes = [(10, 10), (255, 3), (10, 10)];
    assert_eq!(lay_out(&sizes, &OPTIONS), Err(1));
    assert!(lay_out(&[(254, 3)], &OPTIONS).is_ok());
    assert_eq!(lay_out(&[], &OPTIONS), Ok((Vec::new(), Vec::new())));
}

#[test]
fn with_mip_levels_pictures_begin_at_the_squares_that_the_smallest_level_blends() {
    let options = AtlasOptions { extrude: 8, mipmaps: true, ..OPTIONS };
    assert_eq!(options.smaller_levels(), 3);
    let (pages, places) = lay_out(&sizes(20, 30), &options).unwrap();
    assert!(places.iter().all(|place| (place.x - 8) % 8 == 0 && (place.y - 8) % 8 == 0));
    assert!(pages.iter().all(|page| page.width % 8 == 0 && page.height % 8 == 0));
}

fn member(pixels: &[u8], width: u32, format: PixelFormat, place: Place) -> Member {
    let height = pixels.len() as u32 / format.bytes_per_pixel().unwrap() / width;
    Member { block: ImageProps { width, height, format, mipmaps: 1 }.block(pixels), place }
}

fn levels(resource: &Asset) -> (ImageProps, Vec<Vec<u8>>) {
    let view = ImageView::parse(PayloadView::parse(&resource.blocks[0].bytes).unwrap()).unwrap();
    let props = view.props();
    let mut rest = view.data();
    let level = |level: u32| {
        let size = props.format.level_size((props.width >> level).max(1), (props.height >> level).max(1)).unwrap();
        let (pixels, tail) = rest.split_at(size as usize);
        rest = tail;
        pixels.to_vec()
    };
    (props, (0..props.mipmaps).map(level).collect())
}

#[test]
fn pictures_are_drawn_with_their_edges_repeated() {
    let place = Place { page: 0, x: 1, y: 1 };
    let page = Page { width: 5, height: 3 };
    let picture = member(&[1, 2], 2, PixelFormat::GRAY8, place);
    let [image] = &compose(&[picture], &[page], &OPTIONS, &Meta::default()).unwrap()[..] else { panic!() };
    let (props, levels) = levels(image);
    assert_eq!((props.format, props.width, props.height, levels.len()), (PixelFormat::GRAY8, 5, 3, 1));
    assert_eq!(levels[0], [1, 1, 2, 2, 0, 1, 1, 2, 2, 0, 1, 1, 2, 2, 0]);
}

#[test]
fn formats_that_differ_become_one_that_preserves_each() {
    let at = |page| Place { page, x: 0, y: 0 };
    let options = AtlasOptions { extrude: 0, ..OPTIONS };
    let page = Page { width: 1, height: 1 };
    let members = [member(&[7], 1, PixelFormat::GRAY8, at(0)), member(&[1, 2, 3, 4], 1, PixelFormat::RGBA8, at(1))];
    let images = compose(&members, &[page, page], &options, &Meta::default()).unwrap();
    let pixels: Vec<_> = images.iter().map(|image| (image.name.as_str(), levels(image).1.concat())).collect();
    assert_eq!(pixels, [("", vec![7, 7, 7, 255]), ("page/1", vec![1, 2, 3, 4])]);
    let block = member(&[0; 8], 4, PixelFormat::RGBA8, at(0));
    let dxt = Member {
        block: ImageProps { width: 4, height: 4, format: PixelFormat::DXT1_RGB, mipmaps: 1 }.block(&[0; 8]),
        ..block
    };
    let error = compose(&[dxt], &[page], &options, &Meta::default()).unwrap_err();
    assert!(error.to_string().starts_with("is block-compressed (DXT1_RGB)"), "{error}");
}

/// Each picture has one colour: if no level shows another in its cell, nothing has bled.
#[test]
fn no_mip_level_blends_two_pictures() {
    let options = AtlasOptions { extrude: 8, mipmaps: true, ..OPTIONS };
    let sizes = sizes(30, 25);
    let (pages, places) = lay_out(&sizes, &options).unwrap();
    let color = |i: usize| [40 + 7 * i as u8, 255 - 7 * i as u8, 100, 255];
    let members: Vec<Member> = sizes
        .iter()
        .zip(&places)
        .enumerate()
        .map(|(i, ((width, height), place))| {
            member(&color(i).repeat((width * height) as usize), *width, PixelFormat::RGBA8, *place)
        })
        .collect();
    let images = compose(&members, &pages, &options, &Meta::default()).unwrap();
    let images: Vec<_> = images.iter().map(levels).collect();
    for (i, ((width, height), place)) in sizes.iter().zip(&places).enumerate() {
        let (props, levels) = &images[place.page];
        assert_eq!(props.mipmaps, 4);
        for (level, pixels) in levels.iter().enumerate() {
            let row = props.width >> level;
            // What a sampler blends at the edge: one pixel of this level beyond the picture.
            let reach = 1 << level;
            for y in (place.y - reach) >> level..=(place.y + height - 1 + reach) >> level {
                for x in (place.x - reach) >> level..=(place.x + width - 1 + reach) >> level {
                    let at = 4 * (y * row + x) as usize;
                    if y < props.height >> level && x < row {
                        assert_eq!(pixels[at..at + 4], color(i), "level {level} at {x}, {y}");
                    }
                }
            }
        }
    }
}
