//! The picture of the browser in `docs/command.md`, drawn from what a terminal shows.

use std::fmt::Write;
use std::path::Path;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::{Compression, FourCc, PackBuilder, Resource};
use vt100::{Color, Screen};

use super::session::Session;
use super::with_pack;
use crate::is_update;
use crate::packs::{chunk, raw, text};

/// The size of a cell in the picture.
const CELL: (u32, u32) = (9, 18);

const BACKGROUND: &str = "#1b1d23";
const FOREGROUND: &str = "#d7dae0";

/// The 16 colours of a dark theme.
const COLORS: [&str; 16] = [
    "#2c2f36", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0", "#5c6370", "#e06c75",
    "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#ffffff",
];

/// A landscape: a sun over hills.
fn landscape(width: u32, height: u32) -> Vec<u8> {
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let (u, v) = (f64::from(x) / f64::from(width), f64::from(y) / f64::from(height));
            // Arcs in place of sines, which differ between systems in their last bits.
            let arc = |t: f64| {
                let (turn, t) = (t.floor() as i64, t.fract());
                4.0 * t * (1.0 - t) * if turn % 2 == 0 { 1.0 } else { -1.0 }
            };
            let hill = |base: f64, size: f64, shift: f64| v > base + size * arc((u + shift) * 2.2);
            let (across, down) = ((u - 0.7) * 1.6, v - 0.32);
            let sun = (across * across + down * down).sqrt();
            let sky = [60.0 + 150.0 * v, 110.0 + 90.0 * v, 200.0 - 40.0 * v];
            let color = if hill(0.82, 0.06, 0.35) {
                [30.0, 66.0 + 30.0 * u, 48.0]
            } else if hill(0.66, 0.08, 0.0) {
                [52.0, 104.0 + 30.0 * u, 70.0]
            } else if sun < 0.13 {
                [255.0, 232.0, 160.0]
            } else {
                let glow = (0.35 - sun).max(0.0) * 300.0;
                [sky[0] + glow, sky[1] + glow * 0.7, sky[2]]
            };
            pixels.extend(color.map(|value: f64| value.clamp(0.0, 255.0) as u8));
            pixels.push(255);
        }
    }
    pixels
}

#[test]
fn the_picture_in_the_docs_is_what_the_browser_shows() {
    let props = ImageProps { width: 320, height: 180, format: PixelFormat::RGBA8, mipmaps: 1 };
    let pixels = landscape(props.width, props.height);
    let mut pack = PackBuilder::new();
    let image = Resource::new("levels/hills.png", vec![chunk(FourCc::IMGE, &props.block(&pixels), Compression::ZSTD)]);
    for (path, size) in [
        ("levels/1.map", 5_200),
        ("levels/2.map", 7_431),
        ("music/forest.ogg", 812_000),
        ("sound/jump.wav", 9_800),
        ("sound/step.wav", 4_120),
        ("ui/button.png", 1_920),
        ("ui/cursor.png", 310),
    ] {
        pack.push(raw(path, &vec![0; size]));
    }
    pack.push(image);
    pack.push(text("text/credits.txt", "Written by a forest.\n"));
    let sandbox = with_pack(&pack);
    let mut session = Session::start(&sandbox, &["game.rres"], 100, 34);
    session.wait_for(&["? help"]);
    session.keys("\x1b[B\x1b[B\x1b[B");
    session.wait_for(&["image, IMGE", "▀"]);
    session.settled();
    let svg = session.screen(svg);
    session.keys("q");
    session.ended();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/view.svg");
    if is_update() {
        std::fs::write(&file, &svg).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        known == svg,
        "docs/view.svg differs; to update it: UPDATE_EXPECT=1 cargo test -p cargo-rres --test it view"
    );
}

fn color(color: Color, default: &str) -> String {
    match color {
        Color::Default => default.to_owned(),
        Color::Idx(number) => COLORS[usize::from(number % 16)].to_owned(),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
    }
}

/// Draws a screen: rectangles for backgrounds, and for upper half blocks; text for the rest.
fn svg(screen: &Screen) -> String {
    let (rows, columns) = screen.size();
    let (width, height) = (u32::from(columns) * CELL.0, u32::from(rows) * CELL.1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans Mono, Menlo, \
         Consolas, monospace\" font-size=\"15\" shape-rendering=\"crispEdges\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{BACKGROUND}\"/>\n"
    );
    let rect = |out: &mut String, x: u32, y: u32, width: u32, height: u32, fill: &str| {
        if fill != BACKGROUND {
            writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>").unwrap();
        }
    };
    for row in 0..rows {
        let y = u32::from(row) * CELL.1;
        // Neighbours of one look are drawn at once.
        let mut runs: Vec<(u32, u32, [String; 2], bool, bool, String)> = Vec::new();
        for column in 0..columns {
            let Some(cell) = screen.cell(row, column) else { continue };
            let mut pair = [color(cell.fgcolor(), FOREGROUND), color(cell.bgcolor(), BACKGROUND)];
            if cell.inverse() {
                pair.reverse();
            }
            let text = if cell.contents().is_empty() { " " } else { cell.contents() };
            let is_block = text == "▀";
            match runs.last_mut() {
                Some((_, count, known, bold, dim, content))
                    if (&*known, *bold, *dim) == (&pair, cell.bold(), cell.dim())
                        && (content.starts_with('▀') == is_block) =>
                {
                    *count += 1;
                    content.push_str(text);
                }
                _ => runs.push((column.into(), 1, pair, cell.bold(), cell.dim(), text.to_owned())),
            }
        }
        for (column, count, [text, background], is_bold, is_dim, content) in runs {
            let (x, width) = (column * CELL.0, count * CELL.0);
            rect(&mut out, x, y, width, CELL.1, &background);
            if content.starts_with('▀') {
                rect(&mut out, x, y, width, CELL.1 / 2, &text);
            } else if !content.trim().is_empty() {
                let weight = if is_bold { " font-weight=\"bold\"" } else { "" };
                let opacity = if is_dim { " opacity=\"0.6\"" } else { "" };
                let content = content.replace('&', "&amp;").replace('<', "&lt;");
                writeln!(
                    out,
                    "<text x=\"{x}\" y=\"{}\" textLength=\"{width}\" fill=\"{text}\"{weight}{opacity} xml:space=\"preserve\">{content}</text>",
                    y + 14
                )
                .unwrap();
            }
        }
    }
    out + "</svg>\n"
}
