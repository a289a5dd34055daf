use rres_runtime::{Asset, AssetKind};

struct Level;

// Only the kinds of the runtime are assets; a program's own types implement `FromAsset`.
impl Asset for Level {
    const KIND: AssetKind = AssetKind::Text;
}

fn main() {}
