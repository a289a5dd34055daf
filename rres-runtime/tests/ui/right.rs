#[path = "support/assets.rs"]
mod assets;

use rres_runtime::{FromAsset, Handle, Image, Store, Text};

struct Lines(Vec<String>);

impl FromAsset for Lines {
    type Source = Text;
    type Error = String;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, String> {
        Ok(Self(text.as_str().lines().map(str::to_owned).collect()))
    }
}

fn use_all(store: &Store) -> Result<(), rres_runtime::Error> {
    let button = store.load(assets::ui::BUTTON_PNG)?;
    let _pixels: &[u8] = button.get().data();
    let _typed: Handle<Image> = button;
    let lines: Handle<Lines> = store.load(assets::CREDITS_TXT.into_type())?;
    let _first = lines.get().0.first();
    if let Ok(interface) = store.load_group(assets::groups::INTERFACE).wait() {
        let _same: Handle<Image> = interface.get(const { assets::groups::INTERFACE.member(assets::ui::BUTTON_PNG) });
    }
    let _folder: rres_runtime::Loading = store.load_group(assets::ui::ALL);
    Ok(())
}

fn main() {
    const BUTTON: rres_runtime::Id<Image> = assets::ui::BUTTON_PNG;
    assert_eq!(assets::ALL.len() + assets::ui::ALL.len(), 3);
    let only = assets::ui::ALL.get(0).unwrap();
    assert_eq!(only.typed::<Image>(), Some(BUTTON));
    assert!(only.typed::<Text>().is_none());
    // No pack is beside this program.
    assert!(assets::open().and_then(|store| use_all(&store)).is_err());
}
