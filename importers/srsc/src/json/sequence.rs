//! Sequences as JSON, with everything that the record has: numbers of unknown meaning, the counts that it states, and the bytes after an action
//! of unknown type.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{float, floats, reference};
use crate::{Action, ActionKind, Actor, Sequence};

/// Returns a sequence with the actions of its actors.
pub fn sequence(sequence: &Sequence<'_>) -> Value {
    json!({
        "name": sequence.name.decode(),
        "flags": sequence.flags,
        "loop": sequence.flags & 1 != 0,
        "run_state": sequence.run_state,
        "unknown": sequence.unknown,
        "actor_count": sequence.actor_count,
        "actors": sequence.actors.iter().map(actor).collect::<Vec<_>>(),
        "unread_size": sequence.rest.len(),
        "unread": (!sequence.rest.is_empty()).then(|| hexadecimal(&sequence.rest)),
    })
}

fn actor(actor: &Actor<'_>) -> Value {
    json!({
        "name": actor.name.decode(),
        "id": actor.id,
        "kind": match actor.kind { 0 => "none", 1 => "object", _ => "assigned" },
        "assigned_as": actor.assigned_as,
        "target": actor.target,
        "class": actor.class().map(reference),
        "action_count": actor.action_count,
        "actions": actor.actions.iter().map(action).collect::<Vec<_>>(),
    })
}

fn action(action: &Action) -> Value {
    let mut value = match &action.kind {
        ActionKind::Move { rotation, position, relative_to, options } => {
            json!({ "action": "move", "rotation": floats(*rotation), "position": floats(*position), "relative_to": relative_to, "options": options })
        }
        ActionKind::Animate { channel, animation, start, transition, speed, flags } => {
            json!({ "action": "animate", "channel": channel, "animation": reference(*animation), "start": float(*start), "transition": float(*transition), "speed": float(*speed), "flags": flags })
        }
        ActionKind::PlaySound { sound, duration, volume, flags } => {
            json!({ "action": "play-sound", "sound": reference(*sound), "duration": float(*duration), "volume": volume, "flags": flags })
        }
        ActionKind::Attach { actor, channel } => json!({ "action": "attach", "actor": actor, "channel": channel }),
        ActionKind::RunAi(value) => json!({ "action": "run-ai", "enabled": *value != 0, "value": value }),
        ActionKind::Show(value) => json!({ "action": "show", "visible": *value != 0, "value": value }),
        ActionKind::Message { number, unknown } => {
            json!({ "action": "message", "number": number, "unknown": unknown })
        }
        ActionKind::Music { music, instruments, fade_in, fade_out } => {
            json!({ "action": "music", "music": music, "instruments": instruments, "fade_in": float(*fade_in), "fade_out": float(*fade_out) })
        }
        ActionKind::Unknown(number) => json!({ "action": format!("unknown-{number}") }),
    };
    value["time"] = float(action.time);
    value
}

/// Returns two digits for each byte.
fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string never fails.
        write!(text, "{byte:02x}").unwrap_or_default();
    }
    text
}
