//! Sounds that a rule encodes with loss: smaller, as long as before, and loaded as before.

use rres_runtime::asset::Samples;
use rres_runtime::{Pack, PackOptions, ResourceId, Sound};
use rres_test_data::sound::mono;
use serde_json::Value;

use super::Sandbox;
use crate::show::json;

/// A tone with noise, which costs much without loss.
fn tone(frames: usize) -> Vec<i16> {
    let noise = rres_test_data::random::noise(frames);
    (0..frames).map(|at| ((at as i16 % 100 - 50).abs() * 300 - 7500) + i16::from(noise[at])).collect()
}

fn sandbox(rules: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("assets/tone.wav", &mono(24_000, &tone(30_000)));
    sandbox.write("assets/silence.wav", &mono(24_000, &[0; 30_000]));
    sandbox.write("assets/voice.ogg", include_bytes!("../../../crates/test-data/fixtures/sound/stereo.ogg"));
    sandbox.write("assets/assets.toml", rules.as_bytes());
    sandbox
}

fn pack(sandbox: &Sandbox) -> (Pack, String) {
    let output = sandbox.run(["build", "assets", "-o", "out", "--name", "game"]).success();
    sandbox.run(["verify", "out/game.rres"]).success();
    (PackOptions::default().from_bytes(sandbox.read("out/game.rres")).unwrap(), output.out + &output.err)
}

fn sound(pack: &Pack, path: &str) -> Sound {
    pack.load(ResourceId::from_path(path)).unwrap()
}

fn stored(sandbox: &Sandbox, path: &str) -> u64 {
    let list: Value = json(sandbox.run(["ls", "out/game.rres", "--json"]));
    let resources = list["resources"].as_array().unwrap();
    resources.iter().find(|resource| resource["path"] == path).unwrap()["stored_size"].as_u64().unwrap()
}

#[test]
fn an_encoded_sound_loads_as_samples_and_is_smaller() {
    let plain = sandbox("");
    let (before, _) = pack(&plain);
    for (format, rate) in [("qoa", 24_000), ("opus", 48_000)] {
        let sandbox = sandbox(&format!("[\"**\"]\nsound = {{ format = \"{format}\" }}\n"));
        let (pack, said) = pack(&sandbox);
        let tone = sound(&pack, "tone.wav");
        assert!(matches!(tone.samples(), Samples::I16(_)), "{format}");
        let frames = 30_000 * u64::from(rate) / 24_000;
        assert_eq!((tone.frames(), tone.sample_rate(), tone.channels()), (frames, rate, 1));
        assert!(stored(&sandbox, "tone.wav") * 2 < stored(&plain, "tone.wav"), "{format}");
        // Without loss where that is smaller, and what was encoded before stays as it was. The build says both.
        assert!(sound(&pack, "silence.wav").samples() == sound(&before, "silence.wav").samples(), "{format}");
        assert_eq!(stored(&sandbox, "silence.wav"), stored(&plain, "silence.wav"));
        assert!(sound(&pack, "voice.ogg").samples() == sound(&before, "voice.ogg").samples(), "{format}");
        assert!(said.contains("stored without loss, which is not larger than what sound.format asks for"), "{said}");
        assert!(said.contains("encoded with loss already, so sound.format does not encode it again"), "{said}");
        // Extracted, it has the name of what it is.
        sandbox.run(["extract", "out/game.rres", "-o", "files"]).success();
        sandbox.read(&format!("files/tone.wav.{format}"));
        sandbox.read("files/silence.wav");
    }
}

#[test]
fn an_encoded_sound_that_loads_as_its_file_is_decoded_while_it_is_read() {
    for format in ["qoa", "opus"] {
        let rule = format!("[\"tone.wav\"]\nsound = {{ format = \"{format}\", store = \"source\", seek = true }}\n");
        let (pack, _) = pack(&sandbox(&rule));
        let tone = sound(&pack, "tone.wav");
        assert!(matches!(tone.samples(), Samples::Encoded { extension, .. } if extension[1..] == *format));
        let decoded = tone.decoded().unwrap();
        assert_eq!(decoded.frames(), tone.frames());
        assert!(tone.reader().unwrap().eq(decoded.samples().to_f32().unwrap().iter().copied()), "{format}");
    }
}
