//! Sequences: what actors do at which time.
//!
//! | field | |
//! |---|---|
//! | string name | |
//! | `u32` flags | 1 loop, 2 flush on exit, 4 and 8 preload and flush animations, 16 and 32 the same for sounds, 64 can be skipped |
//! | `u32` run state | 0 to 3: which objects stop |
//! | `u32` unknown | |
//! | `u32` count, actors | string name, `u32` id, `u32` type, `u32` assigned as, `u32` or ref by type, `u32` count, actions |
//!
//! An action is `u16` type, `f32` time, and data whose size follows from the type. What follows an action of unknown type cannot be
//! told from its data, so the rest of the record is kept as bytes.

use std::borrow::Cow;

use crate::body::{Body, Element, Ref};
use crate::checks::Notes;
use crate::error::Fault;
use crate::record_type::RecordType;
use crate::text::Text;

/// A sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The flags.
    pub flags: u32,
    /// Which objects stop: 0 none, 1 all, 2 those that are not actors, 3 actors.
    pub run_state: u32,
    /// A number of unknown meaning.
    pub unknown: u32,
    /// The number of actors that the record states. If [`Self::rest`] is not empty, [`Self::actors`] has fewer, or its last one has
    /// fewer actions.
    pub actor_count: u32,
    /// The actors.
    pub actors: Vec<Actor<'a>>,
    /// What follows the type and the time of an action of unknown type.
    pub rest: Cow<'a, [u8]>,
}

/// An actor.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The id.
    pub id: u32,
    /// 0 for nothing, 1 for an object of the level, 2 for one that is assigned while the game runs.
    pub kind: u32,
    /// As what it is assigned.
    pub assigned_as: u32,
    /// The object of the level, or a reference to a class, by the type.
    pub target: u32,
    /// The number of actions that the record states.
    pub action_count: u32,
    /// The actions.
    pub actions: Vec<Action>,
}

/// What an actor does at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Seconds from the start.
    pub time: f32,
    /// What it does.
    pub kind: ActionKind,
}

/// What an actor does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ActionKind {
    /// Type 0: moves.
    Move {
        /// A quaternion: x, y, z, w.
        rotation: [f32; 4],
        /// The position.
        position: [f32; 3],
        /// The id of the actor that the position is relative to, or that is looked at.
        relative_to: u32,
        /// Bits 0 and 1: relative to the world, to an actor, or looking at it. Bits 4 and 5: the interpolation. 0x100 and 0x200: without
        /// position, without rotation.
        options: u32,
    },
    /// Type 1: plays an animation.
    Animate {
        /// The channel.
        channel: u32,
        /// The animation.
        animation: Ref,
        /// Its start in the animation, in seconds.
        start: f32,
        /// How long the change from the animation before takes, in seconds.
        transition: f32,
        /// How many times as fast as usual.
        speed: f32,
        /// The flags.
        flags: u32,
    },
    /// Type 3: plays a sound.
    PlaySound {
        /// The sound.
        sound: Ref,
        /// How long, in seconds.
        duration: f32,
        /// 0 to 10000.
        volume: u16,
        /// 8 flush, 0x10 mono, 0x30 tell the actor.
        flags: u16,
    },
    /// Type 4: becomes attached to another actor.
    Attach {
        /// The id of the other actor.
        actor: u32,
        /// The channel of this actor.
        channel: u32,
    },
    /// Type 5: thinks for itself, or stops to.
    RunAi(u32),
    /// Type 6: becomes visible, or invisible.
    Show(u32),
    /// Type 7: gets a message.
    Message {
        /// The number of the message.
        number: u32,
        /// Probably always 0.
        unknown: u32,
    },
    /// Type 8: plays music.
    Music {
        /// The id of the piece.
        music: u32,
        /// The id of the instruments.
        instruments: u32,
        /// Seconds until it has its full volume.
        fade_in: f32,
        /// Seconds until the music before it is silent.
        fade_out: f32,
    },
    /// Another type. It is always the last one, and [`Sequence::rest`] has what follows.
    Unknown(u16),
}

impl ActionKind {
    /// Returns the number of the type.
    pub fn number(&self) -> u16 {
        match self {
            Self::Move { .. } => 0,
            Self::Animate { .. } => 1,
            Self::PlaySound { .. } => 3,
            Self::Attach { .. } => 4,
            Self::RunAi(_) => 5,
            Self::Show(_) => 6,
            Self::Message { .. } => 7,
            Self::Music { .. } => 8,
            Self::Unknown(number) => *number,
        }
    }
}

/// A reference in a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceRef {
    /// The number of the actor.
    pub actor: usize,
    /// The number of the action; `None` for the class of the actor.
    pub action: Option<usize>,
    /// The type of the record that it refers to.
    pub kind: RecordType,
    /// What it refers to.
    pub target: Ref,
    /// The name of the field.
    pub field: &'static str,
    /// The offset of the field, in bytes from the start of the body.
    pub offset: usize,
}

/// The type of an actor that is assigned while the game runs: its target is a class.
const ASSIGNED: u32 = 2;

/// The smallest size of an actor, and of an action.
const ACTOR_SIZE: u64 = 22;
const ACTION_SIZE: u64 = 6;

impl<'a> Sequence<'a> {
    pub(super) fn parse(body: &mut Body<'a>, notes: &mut Notes<'_>) -> Result<Self, Fault> {
        Self::parse_with(body, notes, &mut Vec::new())
    }

    /// Reads a sequence, and adds its references to `found`.
    fn parse_with(body: &mut Body<'a>, notes: &mut Notes<'_>, found: &mut Vec<SequenceRef>) -> Result<Self, Fault> {
        let name = body.text("name", notes)?;
        let (flags, run_state, unknown) = (body.u32("flags")?, body.u32("run state")?, body.u32("unknown")?);
        let actor_count = body.u32("number of actors")?;
        let mut actors = Vec::with_capacity(body.expect(actor_count.into(), ACTOR_SIZE, "actors")?);
        let mut rest: &[u8] = &[];
        for _ in 0..actor_count {
            let (actor, is_whole) = actor(actors.len(), body, notes, found)?;
            actors.push(actor);
            if !is_whole {
                rest = body.rest();
                break;
            }
        }
        Ok(Self { name, flags, run_state, unknown, actor_count, actors, rest: rest.into() })
    }

    /// Whether every action has a known type, so that nothing is left as bytes.
    pub fn is_whole(&self) -> bool {
        let kinds = self.actors.iter().flat_map(|actor| &actor.actions).map(|action| &action.kind);
        !kinds.into_iter().any(|kind| matches!(kind, ActionKind::Unknown(_)))
    }
}

impl Actor<'_> {
    /// Returns the class of an actor that is assigned while the game runs; `None` for other actors.
    pub fn class(&self) -> Option<Ref> {
        (self.kind == ASSIGNED).then(|| Ref::read(&self.target.to_le_bytes()))
    }
}

/// Returns the references of the body of a sequence that is not damaged, with the offsets of their fields.
pub(crate) fn references(bytes: &[u8], notes: &mut Notes<'_>) -> Result<Vec<SequenceRef>, Fault> {
    let mut found = Vec::new();
    Sequence::parse_with(&mut Body::new(bytes), notes, &mut found)?;
    Ok(found)
}

/// Reads the actor with a number, and says whether all of its actions have known types.
fn actor<'a>(
    number: usize,
    body: &mut Body<'a>,
    notes: &mut Notes<'_>,
    found: &mut Vec<SequenceRef>,
) -> Result<(Actor<'a>, bool), Fault> {
    let name = body.text("actor name", notes)?;
    let (id, at) = (body.u32("actor id")?, body.at());
    let kind = body.u32("actor type")?;
    if kind > 2 {
        return Err(Fault::invalid("actor type", at, kind, "0, 1 or 2"));
    }
    let (assigned_as, offset) = (body.u32("assigned as")?, body.at());
    let target = body.u32("actor target")?;
    if kind == ASSIGNED {
        let target = Ref::read(&target.to_le_bytes());
        let (kind, field) = (RecordType::CLASS, "actor target");
        found.push(SequenceRef { actor: number, action: None, kind, target, field, offset });
    }
    let action_count = body.u32("number of actions")?;
    let mut actions = Vec::with_capacity(body.expect(action_count.into(), ACTION_SIZE, "actions")?);
    let mut is_whole = true;
    for _ in 0..action_count {
        let at = body.at();
        let (type_number, time) = (body.u16("action type")?, body.f32("action time")?);
        let data = body.at();
        let kind = action(type_number, body)?;
        let reference = match kind {
            // After the channel.
            ActionKind::Animate { animation, .. } => Some((RecordType::ANIMATION, animation, "animation", data + 4)),
            ActionKind::PlaySound { sound, .. } => Some((RecordType::SOUND, sound, "sound", data)),
            _ => None,
        };
        if let Some((kind, target, field, offset)) = reference {
            found.push(SequenceRef { actor: number, action: Some(actions.len()), kind, target, field, offset });
        }
        is_whole = !matches!(kind, ActionKind::Unknown(_));
        actions.push(Action { time, kind });
        if !is_whole {
            let what = format!("is {type_number}, which is unknown, so the rest of the sequence is kept as bytes");
            notes.warn(Fault::unknown("action type", at, what))?;
            break;
        }
    }
    Ok((Actor { name, id, kind, assigned_as, target, action_count, actions }, is_whole))
}

/// Reads the data of an action.
fn action(number: u16, body: &mut Body<'_>) -> Result<ActionKind, Fault> {
    Ok(match number {
        0 => ActionKind::Move {
            rotation: body.f32s("rotation")?,
            position: body.f32s("position")?,
            relative_to: body.u32("relative to")?,
            options: body.u32("options")?,
        },
        1 => ActionKind::Animate {
            channel: body.u32("channel")?,
            animation: body.reference("animation")?,
            start: body.f32("start")?,
            transition: body.f32("transition")?,
            speed: body.f32("speed")?,
            flags: body.u32("action flags")?,
        },
        3 => ActionKind::PlaySound {
            sound: body.reference("sound")?,
            duration: body.f32("duration")?,
            volume: body.u16("volume")?,
            flags: body.u16("action flags")?,
        },
        4 => ActionKind::Attach { actor: body.u32("actor")?, channel: body.u32("channel")? },
        5 => ActionKind::RunAi(body.u32("run ai")?),
        6 => ActionKind::Show(body.u32("show")?),
        7 => ActionKind::Message { number: body.u32("message")?, unknown: body.u32("unknown")? },
        8 => ActionKind::Music {
            music: body.u32("music")?,
            instruments: body.u32("instruments")?,
            fade_in: body.f32("fade in")?,
            fade_out: body.f32("fade out")?,
        },
        other => ActionKind::Unknown(other),
    })
}
