//! P2: finding an asset by generated constant, by id and by path, compared with a table and hash maps of the same size.
//!
//! Lookups by id and by path return a slot, those by constant the offset and the stored size. All are in random order.

use std::hint::black_box;
use std::sync::Arc;

use rres_format::{PackView, ResourceId};
use rres_runtime::{Id, PackOptions, Raw, Slot, Store};
use rustc_hash::FxHashMap;

use crate::figure::{Goal, figure};
use crate::inputs::Random;
use crate::measure::{Clock, Seconds, Times};
use crate::open::{MOST_RESOURCES, pack_of, paths};
use crate::{Error, Options};

/// Measures P2.
pub fn run(options: &Options) -> Result<(), Error> {
    let paths = paths(options.choose(MOST_RESOURCES, 5_000));
    let bytes = pack_of(&paths)?;
    let view = PackView::parse(&bytes)?;
    let index = view.index().ok_or("the pack has no index")?;

    // A row is as large as an entry of the index. A pair contains only the result, so more of the table is cached.
    let mut wanted: Vec<(ResourceId, u32, &str)> = Vec::new();
    let mut rows: Vec<[u32; 10]> = Vec::new();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for slot in 0..index.len() as u32 {
        let entry = index.entry(slot)?;
        wanted.push((entry.id, slot, entry.path));
        rows.push([entry.offset, entry.stored_size, entry.base_size, slot, 0, 0, 0, 0, 0, 0]);
        pairs.push((entry.offset, entry.stored_size));
    }
    let by_id: FxHashMap<u32, u32> = wanted.iter().map(|w| (w.0.0, w.1)).collect();
    let by_path: FxHashMap<&str, u32> = wanted.iter().map(|w| (w.2, w.1)).collect();
    Random::new(7).shuffle(&mut wanted);
    // The requested paths are copies, because a game's paths are not in the memory of the index either.
    let asked: Vec<String> = wanted.iter().map(|w| w.2.to_owned()).collect();

    let mut direct = || {
        for (_, slot, _) in &wanted {
            let row = rows[*slot as usize];
            black_box((row[0], row[1]));
        }
    };
    let mut direct_pair = || {
        for (_, slot, _) in &wanted {
            black_box(pairs[*slot as usize]);
        }
    };
    let mut constant = || {
        for (id, slot, _) in &wanted {
            let slot = index.find_with_hint(*id, *slot).expect("the index contains it");
            black_box(index.stored_range(slot).expect("the entry is valid"));
        }
    };
    let mut map_id = || {
        for (id, ..) in &wanted {
            black_box(by_id[&id.0]);
        }
    };
    let mut id = || {
        for (id, ..) in &wanted {
            black_box(index.find(*id).expect("the index contains it"));
        }
    };
    let mut map_path = || {
        for path in &asked {
            black_box(by_path[path.as_str()]);
        }
    };
    let mut path = || {
        for path in &asked {
            black_box(index.find_path(path).expect("the index contains it"));
        }
    };

    // The whole call of a game for an asset that is loaded: one map behind a lock, one reference count.
    let store = Store::from_packs([PackOptions::default().from_bytes(bytes.clone())?]);
    let few = &wanted[..wanted.len().min(1_000)];
    let kept = few.iter().map(|w| store.load(Id::<Raw>::new(w.0, Slot(w.1)))).collect::<Result<Vec<_>, _>>()?;
    const PASSES: usize = 20;
    let mut shared = || {
        // As a frame after the other does, so that what a load touches is in the caches.
        for w in (0..PASSES).flat_map(|_| few) {
            black_box(store.load(Id::<Raw>::new(w.0, Slot(w.1))).expect("it is loaded"));
        }
    };
    let row_of: FxHashMap<u32, [u32; 10]> = wanted.iter().map(|w| (w.0.0, rows[w.1 as usize])).collect();
    let mut map_row = || {
        for (id, ..) in &wanted {
            let row = &row_of[&id.0];
            black_box((row[0], row[1]));
        }
    };
    let mut entry = || {
        for (id, ..) in &wanted {
            let slot = index.find(*id).expect("the index contains it");
            black_box(index.stored_range(slot).expect("the entry is valid"));
        }
    };

    let rounds = options.choose(41, 5);
    let mut ways: [&mut dyn FnMut(); 10] = [
        &mut direct,
        &mut direct_pair,
        &mut constant,
        &mut map_id,
        &mut id,
        &mut map_path,
        &mut path,
        &mut shared,
        &mut map_row,
        &mut entry,
    ];
    let times = Times::take(Clock::Cpu, rounds, &mut ways);
    drop(kept);
    let each = |way: usize| Seconds(times.median(way) / asked.len() as f64);
    let say = |what, way, to, goal| {
        figure("P2", what, times.ratio(way, to), "×", goal, format!("{} / {}", each(way), each(to)));
    };
    say("by constant to offset and size / table of 40-byte rows", 2, 0, Goal::AtMost(1.5));
    say("the same / table of 8-byte pairs", 2, 1, Goal::Context);
    say("by id to offset and size / FxHashMap<u32, 40-byte row>", 9, 8, Goal::AtMost(1.0));
    say("by id to slot / FxHashMap<u32, u32>", 4, 3, Goal::Context);
    say("by path to slot / FxHashMap<&str, u32>", 6, 5, Goal::AtMost(1.0));
    let load = Seconds(times.median(7) / (few.len() * PASSES) as f64);
    let nanoseconds = load.0 * 1e9;
    figure(
        "P2",
        "Store::load of a loaded asset",
        nanoseconds,
        " ns",
        Goal::AtMost(40.0),
        format!("{} assets", few.len()),
    );
    all_loaded(&store, &wanted, rounds)
}

/// One of all assets, in random order, beside the least that a table of shared values can do: a clone from an array.
fn all_loaded(store: &Store, wanted: &[(ResourceId, u32, &str)], rounds: usize) -> Result<(), Error> {
    let kept = wanted.iter().map(|w| store.load(Id::<Raw>::new(w.0, Slot(w.1)))).collect::<Result<Vec<_>, _>>()?;
    let mut load = || {
        for w in wanted {
            black_box(store.load(Id::<Raw>::new(w.0, Slot(w.1))).expect("it is loaded"));
        }
    };
    let values: Vec<Arc<[u64; 16]>> = (0..wanted.len() as u64).map(|i| Arc::new([i; 16])).collect();
    let mut clone = || {
        for w in wanted {
            black_box(Arc::clone(&values[w.1 as usize]));
        }
    };
    let times = Times::take(Clock::Cpu, rounds, &mut [&mut load, &mut clone]);
    drop(kept);
    let each = |way: usize| Seconds(times.median(way) / wanted.len() as f64);
    let detail = format!("{} assets; a clone of an Arc from an array of as many takes {}", wanted.len(), each(1));
    figure(
        "P2",
        "Store::load of one of all assets, in random order",
        each(0).0 * 1e9,
        " ns",
        Goal::AtMost(60.0),
        detail,
    );
    Ok(())
}
