//! Loads assets of a database of the Riot engine, whose archives in `srsc/` the build script reads as they are.
//!
//! ```sh
//! cargo run -p rres-examples --example srsc
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, reason = "an example prints")]

// Written by `cargo rres srsc schema examples/srsc/Synth.odb`.
#[allow(unreachable_pub, reason = "it is written for programs that export it")]
mod classes;

use std::time::Duration;

use rres_runtime::asset::model::Animation;
use rres_runtime::{Image, Json, Model, Sound};

use classes::{Class, ClassAsset, SyntheticThing};
use srsc::groups::SYNTH_SDB_FOOTSTEPS; // a group of records of Synth.sdb

rres_runtime::include_assets!(mod srsc);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store = srsc::open()?;

    // A texture: `Synth.txd#2` is the record with the id 2.
    draw(&store.load(srsc::synth_txd::_2)?.get());

    // An animated texture.
    let fire = store.load(srsc::synth_txd::_10)?.get();
    let sequence = fire.sequence().ok_or("is not animated")?;
    let now = sequence.at(Duration::from_millis(100));
    println!("after 100 ms: {}", store.load(now)?.path());

    // A group, with a sound in it.
    let footsteps = store.load_group(SYNTH_SDB_FOOTSTEPS).wait()?;
    let step = footsteps.get(const { SYNTH_SDB_FOOTSTEPS.member(srsc::synth_sdb::footsteps::stone::STEP) });
    play(step.path(), &step.get());
    play("loop", &store.load(srsc::synth_sdb::LOOP)?.get());

    // A class, with the sounds that it refers to.
    let thing = store.load(srsc::synth_odb::things::SYNTHETIC_THING.into_type::<Json<Class<SyntheticThing>>>())?;
    let thing = thing.get();
    println!("{}: {} hit points, tint {}", thing.name, thing.values.hit_points, thing.values.tint);
    if let Some(ClassAsset::List(sounds)) = thing.assets.values.get("Sounds") {
        for path in sounds.iter().flatten() {
            let sound = store.load(store.find_typed::<Sound>(path)?)?.get();
            println!("{path}: {} ms", sound.duration().as_millis());
        }
    }

    // A model, and a character that an animation moves.
    let quad = store.load(srsc::synth_mod::props::QUAD)?.get();
    println!("quad: {} primitives, {} materials", quad.primitives().len(), quad.materials().len());
    let hero = store.load(srsc::hero_mod::people::HERO)?.get();
    let bend = hero.part(srsc::hero_mod::people::hero::animation::BEND).ok_or("does not bend")?;
    for position in pose(&hero, bend, 1.0) {
        println!("{position:.2?}");
    }
    Ok(())
}

/// Draws the pixels of an image, a character for each.
fn draw(image: &Image) {
    println!("{} × {} pixels", image.width(), image.height());
    let Some(pixels) = image.to_rgba8() else { return };
    for row in pixels.chunks(4 * image.width() as usize) {
        let shade = |pixel: &[u8]| match *pixel {
            [.., 0] => ' ',
            [255, 255, 255, _] => 'W',
            [0, 0, 0, _] => 'K',
            [255, 0, 0, _] => 'R',
            [0, 255, 0, _] => 'G',
            [0, 0, 255, _] => 'B',
            [255, 0, 255, _] => 'M',
            [0, 255, 255, _] => 'C',
            _ => '?',
        };
        println!("{}", row.chunks_exact(4).map(shade).collect::<String>());
    }
}

/// Plays a sound: an audio library takes the samples, here their loudest is printed.
fn play(name: &str, sound: &Sound) {
    let samples = sound.samples().to_f32().unwrap_or_default();
    let loudest = samples.iter().fold(0.0_f32, |loudest, sample| loudest.max(sample.abs() * sound.linear_gain()));
    let (count, rate, looped) = (samples.len(), sound.sample_rate(), sound.is_looped());
    println!("{name}: {count} samples at {rate} Hz, the loudest is {loudest:.4}, loop: {looped}");
}

/// Returns the positions of the vertices of a character while an animation moves it, as a vertex shader computes them.
fn pose(model: &Model, animation: &Animation, seconds: f32) -> Vec<[f32; 3]> {
    let matrices = model.skins()[0].matrices(&model.to_world(&model.pose(animation, seconds)));
    let primitive = &model.primitives()[0];
    let (joints, weights) = (primitive.joints(0).unwrap_or_default(), primitive.weights(0).unwrap_or_default());
    let moved = |((position, joints), weights): ((&[f32; 3], &[u16; 4]), &[f32; 4])| {
        let mut sum = [0.0; 3];
        for (joint, weight) in joints.iter().zip(weights) {
            let matrix = &matrices[usize::from(*joint)];
            for (axis, value) in sum.iter_mut().enumerate() {
                let [x, y, z] = *position;
                *value += weight * (matrix[axis] * x + matrix[axis + 4] * y + matrix[axis + 8] * z + matrix[axis + 12]);
            }
        }
        sum
    };
    primitive.positions().iter().zip(joints).zip(weights).map(moved).collect()
}
