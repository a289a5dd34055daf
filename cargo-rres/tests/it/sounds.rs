//! What a rule says about playing a sound reaches the game.

use rres_runtime::{PackOptions, ResourceId, Sound};
use rres_test_data::sound::mono;

use super::Sandbox;

#[test]
fn volume_loop_priority_and_drop_off_of_a_rule_are_facts_of_the_sound() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/alarm.wav", &mono(8000, &[0, 1000, -1000, 0]));
    sandbox.write("assets/plain.wav", &mono(8000, &[0, 1000, -1000, 0]));
    let rule = "[\"alarm.wav\"]\nsound = { gain = -3.5, loop = true, priority = 7, falloff = 2.5 }\n";
    sandbox.write("assets/assets.toml", rule.as_bytes());
    sandbox.run(["build", "assets", "-o", "out", "--name", "game"]).success();
    let pack = PackOptions::default().read(sandbox.path("out/game.rres")).unwrap();
    let facts = |path: &str| {
        let sound: Sound = pack.load(ResourceId::from_path(path)).unwrap();
        (sound.gain(), sound.is_looped(), sound.priority(), sound.falloff())
    };
    assert_eq!(facts("alarm.wav"), (-3.5, true, 7, 2.5));
    assert_eq!(facts("plain.wav"), (0.0, false, 0, 1.0));
}
