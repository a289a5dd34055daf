//! The places of the channels of a sound.

use symphonia::core::audio::{Channels, Position};

/// The place of a channel, as far as mixing and loudness distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    Left,
    Right,
    /// In front, between left and right; also the only channel of a sound.
    Center,
    /// At the side or behind.
    LeftSurround,
    RightSurround,
    /// Behind, between both sides.
    BackCenter,
    /// Deep tones only.
    LowFrequency,
    /// Above, or between others.
    Elsewhere,
}

/// The speakers of the channels in their order; `None` if the file does not say where they are.
pub(super) fn speakers(channels: &Channels) -> Option<Vec<Speaker>> {
    use Speaker::*;
    match (channels.count(), channels) {
        (1, _) => Some(vec![Center]),
        (2, _) => Some(vec![Left, Right]),
        (_, Channels::Positioned(positions)) => Some(positions.iter().map(speaker).collect()),
        _ => None,
    }
}

fn speaker(position: Position) -> Speaker {
    match position {
        Position::FRONT_LEFT => Speaker::Left,
        Position::FRONT_RIGHT => Speaker::Right,
        Position::FRONT_CENTER => Speaker::Center,
        Position::SIDE_LEFT | Position::REAR_LEFT => Speaker::LeftSurround,
        Position::SIDE_RIGHT | Position::REAR_RIGHT => Speaker::RightSurround,
        Position::REAR_CENTER => Speaker::BackCenter,
        Position::LFE1 | Position::LFE2 => Speaker::LowFrequency,
        _ => Speaker::Elsewhere,
    }
}
