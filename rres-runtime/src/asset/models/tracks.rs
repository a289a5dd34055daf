//! Packed tracks of animations → the times and values of their channels, which take memory of their own.

use std::collections::HashMap;

use rres_format::chunk::scene::{SceneView, Span};

use super::numbers::Numbers;
use crate::bytes::{AssetBytes, Backing};

/// The times and the values of each channel that has them in a track.
pub(super) fn unpack(view: SceneView<'_>) -> HashMap<u32, [Numbers; 2]> {
    let unpacked = view.unpack_tracks();
    let bytes: Box<[u8]> = bytemuck::cast_slice(&unpacked.numbers).into();
    let all = Numbers::new(AssetBytes::new(Backing::Owned(bytes)));
    let part = |span: Span| all.part(span.first as usize, span.count as usize);
    unpacked.channels.into_iter().map(|(channel, times, values)| (channel, [part(times), part(values)])).collect()
}
