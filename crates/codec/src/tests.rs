//! Every filter there and back, without a coder.

use rres_test_data::random::Random;

use super::*;

fn filters() -> impl Iterator<Item = Filter> {
    let pixels = (1..=17).chain([255]);
    pixels.flat_map(|pixel: u8| {
        let elements = [1, 2, 4].into_iter().filter(move |element| pixel.is_multiple_of(*element));
        let filters = elements.flat_map(move |element| {
            Predictor::ALL.into_iter().flat_map(move |predictor| {
                [false, true].map(|planes| Filter { map: Map::Same(pixel), predictor, element, planes })
            })
        });
        let green = (3..=4).contains(&pixel).then_some(Map::MinusGreen(pixel));
        let predictors = Predictor::ALL.into_iter();
        filters.chain(green.into_iter().flat_map(move |map| {
            predictors.clone().map(move |predictor| Filter { map, predictor, element: 1, planes: pixel == 4 })
        }))
    })
}

#[test]
fn every_filter_is_undone() {
    let mut random = Random::new(1);
    // A frame is what it contains, so that the filters are tested alone.
    let mut decode = |_, frame: &[u8], out: &mut [u8]| {
        out.copy_from_slice(frame);
        Ok(frame.len())
    };
    for filter in filters() {
        for (width, rows) in [(1, 1), (1, 40), (40, 1), (3, 5), (4, 4), (17, 16), (33, 35)] {
            let data = random.smooth(width * rows * filter.map.pixel());
            let coded = filter.apply(&data, width).unwrap();
            let mut out = vec![9; data.len()];
            filter.decode(Coder::Zstd, &coded, width, &mut out, &mut Scratch::default(), &mut decode).unwrap();
            assert!(out == data, "{filter:?}, {width} × {rows}");
        }
    }
}

#[test]
fn few_colors_become_indices() {
    let mut random = Random::new(3);
    for pixel in 1..=4_u8 {
        for colors in [1, 2, 3, 4, 5, 16, 17, 255, 256] {
            let all: Vec<Vec<u8>> =
                (0..colors).map(|i| (0..pixel).map(|n| ((i * 7919) >> n) as u8 ^ i as u8).collect()).collect();
            for width in [1, 7, 64] {
                let data: Vec<u8> = (0..width * 9).flat_map(|_| all[random.below(all.len())].clone()).collect();
                let (found, _) = palette(&data, pixel.into()).unwrap();
                let colors = (found.len() / usize::from(pixel)) as u16;
                let filter = Filter { map: Map::Palette { pixel, colors }, ..PLAIN };
                let coded = filter.apply(&data, width).unwrap();
                assert_eq!(coded.len(), filter.map.coded_size(width, 9));
                let mut out = vec![0; data.len()];
                filter.map.undo(&coded, width, &mut out).unwrap();
                assert!(out == data);
            }
        }
    }
    let many: Vec<u8> = (0..257_u32).flat_map(u32::to_le_bytes).collect();
    assert_eq!(palette(&many, 4), None);
}

const PLAIN: Filter = Filter { map: Map::Same(1), predictor: Predictor::None, element: 1, planes: false };
