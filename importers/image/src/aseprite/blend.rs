//! The blend modes of Aseprite, with its arithmetic: whole numbers of 8 bits, rounded where it rounds.

/// How the colours of a layer change the colours behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Normal,
    Multiply,
    Screen,
    Overlay,
    Darken,
    Lighten,
    ColorDodge,
    ColorBurn,
    HardLight,
    SoftLight,
    Difference,
    Exclusion,
    Hue,
    Saturation,
    Color,
    Luminosity,
    Addition,
    Subtract,
    Divide,
}

impl Mode {
    /// Every mode, in the order of their numbers in files.
    pub(super) const ALL: [Self; 19] = [
        Self::Normal,
        Self::Multiply,
        Self::Screen,
        Self::Overlay,
        Self::Darken,
        Self::Lighten,
        Self::ColorDodge,
        Self::ColorBurn,
        Self::HardLight,
        Self::SoftLight,
        Self::Difference,
        Self::Exclusion,
        Self::Hue,
        Self::Saturation,
        Self::Color,
        Self::Luminosity,
        Self::Addition,
        Self::Subtract,
        Self::Divide,
    ];

    pub(super) fn of_number(number: u16) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The same mode, if it means something for greys.
    pub(super) fn of_gray(self) -> Self {
        match self {
            Self::Hue | Self::Saturation | Self::Color | Self::Luminosity => Self::Normal,
            other => other,
        }
    }
}

/// What is seen of `front` over `back`: red, green, blue and alpha each.
pub(super) fn blend(mode: Mode, back: [u8; 4], front: [u8; 4], opacity: u8) -> [u8; 4] {
    let over = normal(back, front, opacity);
    if mode == Mode::Normal || back[3] == 0 {
        return over;
    }
    let [r, g, b] = mixed(mode, [back[0], back[1], back[2]], [front[0], front[1], front[2]]);
    let mixed = normal(back, [r, g, b, front[3]], opacity);
    // The less there is behind, the more of the colour is seen as it is.
    let merged = merge(over, mixed, back[3]);
    merge(merged, mixed, multiply(back[3], multiply(front[3], opacity)))
}

/// The product of two parts of 255, rounded to the nearest.
pub(super) fn multiply(a: u8, b: u8) -> u8 {
    scale(i32::from(a), i32::from(b)) as u8
}

fn scale(a: i32, b: i32) -> i32 {
    let product = a * b + 0x80;
    ((product >> 8) + product) >> 8
}

fn divide(a: u8, b: u8) -> u8 {
    ((u32::from(a) * 255 + u32::from(b) / 2) / u32::from(b).max(1)) as u8
}

fn normal(back: [u8; 4], front: [u8; 4], opacity: u8) -> [u8; 4] {
    let [r, g, b, a] = front;
    let alpha = multiply(a, opacity);
    if back[3] == 0 {
        return [r, g, b, alpha];
    }
    if a == 0 {
        return back;
    }
    let whole = i32::from(alpha) + i32::from(back[3]) - scale(back[3].into(), alpha.into());
    let channel = |back: u8, front: u8| {
        let (back, front) = (i32::from(back), i32::from(front));
        (back + (front - back) * i32::from(alpha) / whole) as u8
    };
    [channel(back[0], r), channel(back[1], g), channel(back[2], b), whole as u8]
}

/// A part of the way from one colour to another.
fn merge(from: [u8; 4], to: [u8; 4], part: u8) -> [u8; 4] {
    let step = |from: u8, to: u8| {
        let (from, to) = (i32::from(from), i32::from(to));
        (from + scale(to - from, part.into())) as u8
    };
    let alpha = step(from[3], to[3]);
    let [r, g, b] = match (from[3], to[3]) {
        _ if alpha == 0 => [0; 3],
        (0, _) => [to[0], to[1], to[2]],
        (_, 0) => [from[0], from[1], from[2]],
        _ => [step(from[0], to[0]), step(from[1], to[1]), step(from[2], to[2])],
    };
    [r, g, b, alpha]
}

fn mixed(mode: Mode, back: [u8; 3], front: [u8; 3]) -> [u8; 3] {
    let channel: fn(u8, u8) -> u8 = match mode {
        Mode::Normal => |_, front| front,
        Mode::Multiply => multiply,
        Mode::Screen => screen,
        Mode::Overlay => |back, front| hard_light(front, back),
        Mode::Darken => u8::min,
        Mode::Lighten => u8::max,
        Mode::ColorDodge => |back, front| match (back, 255 - front) {
            (0, _) => 0,
            (back, rest) if back >= rest => 255,
            (back, rest) => divide(back, rest),
        },
        Mode::ColorBurn => |back, front| match (255 - back, front) {
            (0, _) => 255,
            (rest, front) if rest >= front => 0,
            (rest, front) => 255 - divide(rest, front),
        },
        Mode::HardLight => hard_light,
        Mode::SoftLight => soft_light,
        Mode::Difference => u8::abs_diff,
        Mode::Exclusion => |back, front| {
            (i32::from(back) + i32::from(front) - 2 * i32::from(multiply(back, front))).clamp(0, 255) as u8
        },
        Mode::Addition => u8::saturating_add,
        Mode::Subtract => u8::saturating_sub,
        Mode::Divide => |back, front| match (back, front) {
            (0, _) => 0,
            (back, front) if back >= front => 255,
            (back, front) => divide(back, front),
        },
        Mode::Hue | Mode::Saturation | Mode::Color | Mode::Luminosity => return by_light(mode, back, front),
    };
    std::array::from_fn(|i| channel(back[i], front[i]))
}

fn screen(back: u8, front: u8) -> u8 {
    (i32::from(back) + i32::from(front) - i32::from(multiply(back, front))) as u8
}

fn hard_light(back: u8, front: u8) -> u8 {
    if front < 128 { multiply(back, front << 1) } else { screen(back, ((u16::from(front) << 1) - 255) as u8) }
}

fn soft_light(back: u8, front: u8) -> u8 {
    let (back, front) = (f64::from(back) / 255.0, f64::from(front) / 255.0);
    let curve = if back <= 0.25 { ((16.0 * back - 12.0) * back + 4.0) * back } else { back.sqrt() };
    let light = if front <= 0.5 {
        back - (1.0 - 2.0 * front) * back * (1.0 - back)
    } else {
        back + (2.0 * front - 1.0) * (curve - back)
    };
    (light * 255.0 + 0.5) as u8
}

/// The modes that take hue, saturation or luminosity of one colour, and the rest of the other.
fn by_light(mode: Mode, back: [u8; 3], front: [u8; 3]) -> [u8; 3] {
    let [back, front] = [back, front].map(|color| color.map(|v| f64::from(v) / 255.0));
    let mixed = match mode {
        Mode::Hue => with_luminosity(with_saturation(front, saturation(back)), luminosity(back)),
        Mode::Saturation => with_luminosity(with_saturation(back, saturation(front)), luminosity(back)),
        Mode::Color => with_luminosity(front, luminosity(back)),
        _ => with_luminosity(back, luminosity(front)),
    };
    mixed.map(|v| (255.0 * v) as u8)
}

fn luminosity([r, g, b]: [f64; 3]) -> f64 {
    0.3 * r + 0.59 * g + 0.11 * b
}

fn least([r, g, b]: [f64; 3]) -> f64 {
    r.min(g.min(b))
}

fn most([r, g, b]: [f64; 3]) -> f64 {
    r.max(g.max(b))
}

fn saturation(color: [f64; 3]) -> f64 {
    most(color) - least(color)
}

fn with_saturation(color: [f64; 3], saturation: f64) -> [f64; 3] {
    let (least, range) = (least(color), most(color) - least(color));
    if range > 0.0 { color.map(|v| (v - least) * saturation / range) } else { [0.0; 3] }
}

fn with_luminosity(color: [f64; 3], light: f64) -> [f64; 3] {
    let difference = light - luminosity(color);
    let mut color = color.map(|v| v + difference);
    // Colours outside of the range move towards grey.
    let light = luminosity(color);
    let (least, most) = (least(color), most(color));
    if least < 0.0 {
        color = color.map(|v| light + (v - light) * light / (light - least));
    }
    if most > 1.0 {
        color = color.map(|v| light + (v - light) * (1.0 - light) / (most - light));
    }
    color
}
