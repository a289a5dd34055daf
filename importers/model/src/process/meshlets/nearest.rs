//! The triangles that are left, in the order of a curve through the box of the primitive: what is near on the curve is near in space.

/// How many triangles are compared on each side.
const COMPARED: usize = 8;

/// The triangles that are left.
pub(super) struct Nearest {
    /// All triangles in the order of the curve.
    order: Vec<u32>,
    /// The place of each triangle on the curve.
    places: Vec<u32>,
    /// For each place one that is not before it, and at which no triangle was removed if it is the place itself. One more for the end.
    after: Vec<u32>,
    /// The same in the other direction, for the place before each.
    before: Vec<u32>,
    /// The place of the last triangle that was removed.
    last: u32,
    /// The square of the largest distance that counts as near.
    reach: f64,
}

impl Nearest {
    /// `size` is the number of triangles of a group. Those are near that are not farther apart than groups are which fill the box evenly.
    pub(super) fn new(middles: &[[f32; 3]], size: usize) -> Self {
        let fold = |pick: fn(f32, f32) -> f32, axis: usize| {
            f64::from(middles.iter().map(|middle| middle[axis]).reduce(pick).unwrap_or_default())
        };
        let low: [f64; 3] = std::array::from_fn(|axis| fold(f32::min, axis));
        let extent: [f64; 3] = std::array::from_fn(|axis| fold(f32::max, axis) - low[axis]);
        let longest = extent.into_iter().fold(0.0, f64::max);
        let key = |triangle: &u32| {
            let cell = |axis: usize| match longest > 0.0 {
                true => ((f64::from(middles[*triangle as usize][axis]) - low[axis]) / longest * 65_535.0) as u64,
                false => 0,
            };
            spread(cell(0)) | spread(cell(1)) << 1 | spread(cell(2)) << 2
        };
        let mut order: Vec<u32> = (0..middles.len() as u32).collect();
        order.sort_by_cached_key(|triangle| (key(triangle), *triangle));
        let mut places = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, triangle)| places[*triangle as usize] = place);
        let groups = (middles.len() as f64 / size as f64).max(1.0);
        let reach = extent.iter().map(|axis| axis * axis).sum::<f64>() / groups;
        let ends = 0..=order.len() as u32;
        Self { order, places, after: ends.clone().collect(), before: ends.collect(), last: 0, reach }
    }

    /// The first triangle of the curve.
    pub(super) fn first(&self) -> u32 {
        self.order[0]
    }

    pub(super) fn remove(&mut self, triangle: u32) {
        let place = self.places[triangle as usize];
        self.after[place as usize] = place + 1;
        self.before[place as usize + 1] = place;
        self.last = place;
    }

    /// The triangle left whose middle is nearest to `point`, of those beside the last one on the curve; `None` if they are far.
    pub(super) fn find(&mut self, point: [f64; 3], middles: &[[f32; 3]]) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        let mut compare = |triangle: u32| {
            let middle = middles[triangle as usize];
            let distance = (0..3)
                .map(|axis| (f64::from(middle[axis]) - point[axis]) * (f64::from(middle[axis]) - point[axis]))
                .sum();
            if best.is_none_or(|(least, other)| (distance, triangle) < (least, other)) {
                best = Some((distance, triangle));
            }
        };
        let (mut up, mut down) = (self.last, self.last);
        for _ in 0..COMPARED {
            up = end(&mut self.after, up);
            let Some(triangle) = self.order.get(up as usize) else { break };
            compare(*triangle);
            up += 1;
        }
        for _ in 0..COMPARED {
            down = end(&mut self.before, down);
            let Some(place) = down.checked_sub(1) else { break };
            compare(self.order[place as usize]);
            down = place;
        }
        best.filter(|(distance, _)| *distance <= self.reach).map(|(_, triangle)| triangle)
    }

    /// A triangle that is left, from the place of `triangle` on.
    pub(super) fn any(&mut self, triangle: u32) -> Option<u32> {
        let place = self.places[triangle as usize];
        let next = end(&mut self.after, place) as usize;
        let next = self.order.get(next).copied();
        next.or_else(|| self.order.get(end(&mut self.after, 0) as usize).copied())
    }
}

/// Follows the places to the one that refers to itself, and makes the way shorter.
fn end(places: &mut [u32], mut place: u32) -> u32 {
    while places[place as usize] != place {
        let next = places[place as usize];
        places[place as usize] = places[next as usize];
        place = next;
    }
    place
}

/// Moves the lower 16 bits apart: bit `n` becomes bit `3n`.
fn spread(bits: u64) -> u64 {
    (0..16).map(|n| (bits >> n & 1) << (3 * n)).sum()
}
