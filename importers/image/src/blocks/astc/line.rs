//! The line along which the pixels of a block differ most, and the two groups that they fall into.

/// A pixel, from 0 to 255.
pub(super) type Vector = [f32; 4];

pub(super) fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

fn mean(vectors: &[Vector]) -> Vector {
    let count = vectors.len().max(1) as f32;
    std::array::from_fn(|c| vectors.iter().map(|vector| vector[c]).sum::<f32>() / count)
}

fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|c| a[c] - b[c])
}

/// The sums of the products of each two channels.
type Products = [[f32; 4]; 4];

fn products(vectors: &[Vector], mean: Vector) -> Products {
    let mut products = Products::default();
    for vector in vectors.iter().map(|vector| minus(*vector, mean)) {
        for (row, a) in products.iter_mut().zip(vector) {
            row.iter_mut().zip(vector).for_each(|(sum, b)| *sum += a * b);
        }
    }
    products
}

/// The channel that is farthest from the line through the pixels.
pub(super) fn odd_channel(vectors: &[Vector]) -> usize {
    let products = products(vectors, mean(vectors));
    let axis = along(&products, 8);
    let on_line = dot(products.map(|row| dot(row, axis)), axis);
    let off_line = |c: usize| products[c][c] - axis[c] * axis[c] * on_line;
    (0..4).fold(0, |most, c| if off_line(c) > off_line(most) { c } else { most })
}

/// The direction of the largest differences between pixels, of length 1 or 0.
fn axis(vectors: &[Vector], mean: Vector) -> Vector {
    along(&products(vectors, mean), 8)
}

fn along(products: &Products, rounds: usize) -> Vector {
    // The row of the channel that differs most is not at right angles to the axis. Multiplications turn it to the axis.
    let most = (0..4).fold(0, |most, c| if products[c][c] > products[most][most] { c } else { most });
    let mut axis = products[most];
    for _ in 0..rounds {
        let turned = products.map(|row| dot(row, axis));
        let len = dot(turned, turned).sqrt();
        if len <= 0.0 {
            break;
        }
        axis = turned.map(|v| v / len);
    }
    let len = dot(axis, axis).sqrt().max(f32::MIN_POSITIVE);
    axis.map(|v| v / len)
}

/// The ends of the line along which pixels differ most.
pub(super) fn line(vectors: &[Vector]) -> [Vector; 2] {
    let mean = mean(vectors);
    let axis = axis(vectors, mean);
    let places = vectors.iter().map(|vector| dot(minus(*vector, mean), axis));
    let (low, high) = places.fold((0.0f32, 0.0f32), |(low, high), place| (low.min(place), high.max(place)));
    [low, high].map(|place| std::array::from_fn(|c| (mean[c] + place * axis[c]).clamp(0.0, 255.0)))
}

/// Sums over pixels, to know how far groups of them are from lines without a look at each pixel again.
pub(super) struct Sums {
    of_pixels: Vec<Sum>,
    all: Sum,
}

/// The products of each two channels, the channels, the number of pixels.
type Sum = [f32; 16];

impl Sums {
    pub(super) fn of(vectors: &[Vector]) -> Self {
        let middle = mean(vectors);
        let of_pixel = |vector: &Vector| {
            let [r, g, b, a] = minus(*vector, middle);
            [r * r, r * g, r * b, r * a, g * g, g * b, g * a, b * b, b * a, a * a, r, g, b, a, 1.0, 0.0]
        };
        let of_pixels: Vec<Sum> = vectors.iter().map(of_pixel).collect();
        let mut all = [0.0; 16];
        of_pixels.iter().for_each(|sum| add(&mut all, sum));
        Self { of_pixels, all }
    }

    /// The squared distance of two groups, of which one has these pixels, to the lines through them.
    pub(super) fn off_lines(&self, mut group: u64) -> f32 {
        let mut sum = [0.0; 16];
        while group != 0 {
            add(&mut sum, &self.of_pixels[group.trailing_zeros() as usize]);
            group &= group - 1;
        }
        let rest: Sum = std::array::from_fn(|i| self.all[i] - sum[i]);
        off_line(&sum) + off_line(&rest)
    }
}

fn add(sum: &mut Sum, other: &Sum) {
    sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
}

/// The squared distance of pixels to the line through them.
fn off_line(sum: &Sum) -> f32 {
    let [rr, rg, rb, ra, gg, gb, ga, bb, ba, aa, r, g, b, a, count, _] = *sum;
    let sums = [r, g, b, a];
    let mut products = [[rr, rg, rb, ra], [rg, gg, gb, ga], [rb, gb, bb, ba], [ra, ga, ba, aa]];
    for (row, x) in products.iter_mut().zip(sums) {
        row.iter_mut().zip(sums).for_each(|(product, y)| *product -= x * y / count.max(1.0));
    }
    let axis = along(&products, 2);
    let trace: f32 = (0..4).map(|c| products[c][c]).sum();
    (trace - dot(products.map(|row| dot(row, axis)), axis)).max(0.0)
}

/// The pixels of the second of two groups of similar pixels.
pub(super) fn second_group(vectors: &[Vector]) -> u64 {
    let middle = mean(vectors);
    let axis = axis(vectors, middle);
    let bits_of = |is_second: &dyn Fn(Vector) -> bool| {
        vectors.iter().enumerate().fold(0u64, |bits, (at, vector)| bits | u64::from(is_second(*vector)) << at)
    };
    let mut second = bits_of(&|vector| dot(minus(vector, middle), axis) > 0.0);
    for _ in 0..2 {
        let members = |group: u64| {
            let of_group = vectors.iter().enumerate().filter(|(at, _)| second >> at & 1 == group);
            of_group.map(|(_, vector)| *vector).collect::<Vec<_>>()
        };
        let [first, other] = [0, 1].map(|group| mean(&members(group)));
        let distance = |vector: Vector, to: Vector| {
            let away = minus(vector, to);
            dot(away, away)
        };
        second = bits_of(&|vector| distance(vector, other) < distance(vector, first));
    }
    second
}
