#[path = "support/assets.rs"]
mod assets;

use rres_runtime::{CustomAsset, CustomChunk, FourCc, Handle, Id};

struct Map;
struct Dialogue;

impl CustomAsset for Map {
    const FOURCC: FourCc = FourCc(*b"TMAP");
    type Error = String;

    fn from_chunk(_: &CustomChunk<'_>) -> Result<Self, String> {
        Ok(Map)
    }
}

// What the generated module contains for an importer that writes maps.
const TOWN_TMX: Id<Map> = Id { id: 1, kind: [] };

fn main() {
    let store = assets::open().unwrap();
    let _: Handle<Dialogue> = store.load(TOWN_TMX).unwrap();
    let _ = store.load::<Dialogue>(Id::from_path("town.tmx"));
}
