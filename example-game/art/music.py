"""Composes the two pieces: "drift" for the flight (loops after 24 bars) and "title" for the first screen."""

import numpy as np

from sounds import RATE, bell, encoded, level, room, seconds

BEAT = 0.8
# Chords as semitones above D: Dmaj9, Bm7, Gmaj7, A6sus and relatives. One chord lasts two bars.
CHORDS = [[0, 7, 14, 18, 21], [-3, 4, 9, 12, 19], [-7, 0, 5, 9, 16], [-5, 2, 7, 14, 17],
          [0, 7, 11, 16, 21], [-3, 4, 12, 16, 19], [2, 9, 12, 17, 21], [-5, 2, 9, 14, 16],
          [-7, 5, 9, 12, 16], [-5, 7, 9, 14, 17], [-3, 4, 9, 16, 19], [-5, 2, 7, 14, 16]]


def pitch(semitones, base=146.83):
    return base * 2 ** (semitones / 12)


def pad(length, notes, seed):
    """Slow warm chord: detuned saw-like voices with soft edges."""
    t = seconds(length)
    rng = np.random.default_rng(seed)
    sides = []
    for _ in (0, 1):
        voice = np.zeros(len(t))
        for note in notes:
            for detune in (-0.05, 0.04):
                f = pitch(note + detune)
                start = rng.uniform(0, 2 * np.pi)
                voice += sum(np.sin(2 * np.pi * f * k * t + start * k) / k ** 2.1 for k in range(1, 6))
        sides.append(voice)
    envelope = np.minimum(t / 1.6, 1) * np.minimum((length - t) / 1.6, 1)
    return np.stack(sides, axis=-1) * envelope[:, None]


def pluck(f):
    t = seconds(1.8)
    return bell(t, f, 2.2) * (1 - np.exp(-t * 400))


def lay(track, at, sound, gain, balance=0.0):
    """Mixes a mono or stereo sound in at a time; what hangs over the end comes back at the start, so the piece loops."""
    if sound.ndim == 1:
        sound = np.stack([sound * (1 - max(balance, 0)), sound * (1 + min(balance, 0))], axis=-1)
    place = (int(at * RATE) + np.arange(len(sound))) % len(track)
    track[place] += sound * gain


def compose(chords, seed, busy):
    length = len(chords) * 8 * BEAT
    track = np.zeros((int(length * RATE), 2))
    rng = np.random.default_rng(seed)
    for index, chord in enumerate(chords):
        start = index * 8 * BEAT
        lay(track, start, pad(8 * BEAT + 1.6, chord[1:4], seed + index), 0.055)
        t = seconds(3.6 * BEAT)
        bass = np.sin(2 * np.pi * pitch(chord[0], 73.42) * t) * np.exp(-t * 0.9) * (1 - np.exp(-t * 60))
        for half in (0, 4):
            lay(track, start + half * BEAT, bass, 0.34)
        for step in range(16):
            if rng.random() < busy or step % 8 == 0:
                note = chord[rng.integers(1, 5)] + 12 * rng.integers(1, 3)
                lay(track, start + step * BEAT / 2, pluck(pitch(note)), rng.uniform(0.06, 0.15), rng.uniform(-0.6, 0.6))
    wet = room(track, seed + 90, 2.4, 0.34)
    # The reverb's tail, too, returns at the start.
    wet[:len(wet) - len(track)] += wet[len(track):]
    return level(wet[:len(track)], 0.8)


def make(out):
    encoded(out / 'drift.ogg', compose(CHORDS, 400, 0.62), '-c:a', 'libvorbis', '-q:a', '6', '-serial_offset', '3')
    encoded(out / 'title.ogg', compose(CHORDS[:5], 500, 0.34), '-c:a', 'libvorbis', '-q:a', '7', '-serial_offset', '4')
