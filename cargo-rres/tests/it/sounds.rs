//! What a rule says about playing a sound reaches the game.

use rres_runtime::{Pack, ResourceId, Sound};

use super::Sandbox;

/// Four samples of 16 bits.
fn wav() -> Vec<u8> {
    let format: Vec<u8> = [&1u16.to_le_bytes()[..], &1u16.to_le_bytes(), &8000u32.to_le_bytes()].concat();
    let rates: Vec<u8> = [&16_000u32.to_le_bytes()[..], &2u16.to_le_bytes(), &16u16.to_le_bytes()].concat();
    let samples = [0i16, 1000, -1000, 0].map(i16::to_le_bytes).concat();
    let body = [b"WAVEfmt \x10\0\0\0", &format[..], &rates, b"data\x08\0\0\0", &samples].concat();
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

#[test]
fn volume_loop_priority_and_drop_off_of_a_rule_are_facts_of_the_sound() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/alarm.wav", &wav());
    sandbox.write("assets/plain.wav", &wav());
    let rule = "[\"alarm.wav\"]\nsound = { gain = -3.5, loop = true, priority = 7, falloff = 2.5 }\n";
    sandbox.write("assets/assets.toml", rule.as_bytes());
    sandbox.run(["build", "assets", "-o", "out", "--name", "game"]).success();
    let pack = Pack::read(sandbox.path("out/game.rres")).unwrap();
    let facts = |path: &str| {
        let sound: Sound = pack.load(ResourceId::from_path(path)).unwrap();
        (sound.gain(), sound.is_looped(), sound.priority(), sound.falloff())
    };
    assert_eq!(facts("alarm.wav"), (-3.5, true, 7, 2.5));
    assert_eq!(facts("plain.wav"), (0.0, false, 0, 1.0));
}
