"""Synthesises the sounds, each in another container so that every decoder is used: WAV of four kinds, OGG, FLAC, MP3."""

import struct
import subprocess

import numpy as np

RATE = 44100


def seconds(length, rate=RATE):
    return np.arange(int(length * rate)) / rate


def bell(t, pitch, decay=3.0):
    """A struck glass: inharmonic partials, the high ones fading first."""
    return sum(a * np.sin(2 * np.pi * pitch * r * t) * np.exp(-t * decay * (0.7 + r * 0.5))
               for r, a in ((1, 1.0), (2.01, 0.45), (2.99, 0.25), (4.21, 0.16), (5.43, 0.09)))


def hiss(count, seed, low, high, rate=RATE):
    """Noise between two frequencies."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
    f = np.fft.rfftfreq(count, 1 / rate)
    spectrum *= np.exp(-(f / high) ** 2) * (1 - np.exp(-(f / low) ** 2))
    out = np.fft.irfft(spectrum, count)
    return out / abs(out).max()


def fade(signal, attack=0.004, release=0.05, rate=RATE):
    n = len(signal)
    shape = np.minimum(np.minimum(np.arange(n) / (attack * rate), 1), np.minimum((n - np.arange(n)) / (release * rate), 1))
    return signal * shape


def room(signal, seed, length=1.2, wet=0.3, rate=RATE):
    """Stereo reverb: two tails of decaying noise. Input (n,) or (n, 2), output (n + tail, 2)."""
    if signal.ndim == 1:
        signal = np.stack([signal, signal], axis=-1)
    t = seconds(length, rate)
    size = len(signal) + len(t)
    sides = []
    for side in (0, 1):
        tail = hiss(len(t), seed + side, 200, 5200, rate) * np.exp(-t * 4.5 / length) * 0.035
        spread = np.fft.irfft(np.fft.rfft(signal[:, side], size) * np.fft.rfft(tail, size), size)
        sides.append(np.concatenate([signal[:, side], np.zeros(len(t))]) * (1 - wet) + spread * wet * 2.2)
    return np.stack(sides, axis=-1)


def level(signal, peak=0.85):
    return signal / abs(signal).max() * peak


def wav(path, signal, kind, rate=RATE):
    """RIFF with 'u8', 's16', 's24' or 'f32' samples."""
    channels = 1 if signal.ndim == 1 else signal.shape[1]
    flat = np.clip(signal.reshape(-1), -1, 1)
    if kind == 'u8':
        data, bits = np.round(flat * 127 + 128).astype(np.uint8).tobytes(), 8
    elif kind == 's16':
        data, bits = np.round(flat * 32767).astype('<i2').tobytes(), 16
    elif kind == 's24':
        whole = np.round(flat * 8388607).astype('<i4')
        data, bits = whole.view(np.uint8).reshape(-1, 4)[:, :3].tobytes(), 24
    else:
        data, bits = flat.astype('<f4').tobytes(), 32
    block = channels * bits // 8
    form = struct.pack('<HHIIHH', 3 if kind == 'f32' else 1, channels, rate, rate * block, block, bits)
    data += b'\0' * (len(data) % 2)
    body = b'WAVE' + b'fmt ' + struct.pack('<I', len(form)) + form + b'data' + struct.pack('<I', len(data)) + data
    path.write_bytes(b'RIFF' + struct.pack('<I', len(body)) + body)


def encoded(path, signal, *options, rate=RATE):
    """OGG, FLAC or MP3 through ffmpeg, without tags that name the day or the machine."""
    channels = 1 if signal.ndim == 1 else signal.shape[1]
    data = np.round(np.clip(signal, -1, 1) * 32767).astype('<i2').tobytes()
    command = ['ffmpeg', '-v', 'error', '-y', '-f', 's16le', '-ar', str(rate), '-ac', str(channels), '-i', '-', '-bitexact',
               '-fflags', '+bitexact', '-flags', '+bitexact', '-map_metadata', '-1', '-threads', '1', *options, str(path)]
    subprocess.run(command, input=data, check=True)


def make(out):
    t = seconds(0.9)
    chime = fade(bell(t, 1174.7) + 0.8 * np.roll(bell(t, 1760.0), 2200) * (t > 0.05), release=0.2)
    wav(out / 'collect.wav', level(chime, 0.7), 's16')
    t = seconds(0.55)
    thud = np.sin(2 * np.pi * (70 * t + 60 * (1 - np.exp(-t * 18)) / 18)) * np.exp(-t * 9) + 0.5 * hiss(len(t), 1, 200, 2600) * np.exp(-t * 22)
    wav(out / 'hit.wav', level(room(fade(thud), 3, 0.5, 0.2)), 's24')
    t = seconds(0.07, 22050)
    wav(out / 'click.wav', level(fade(np.sin(2 * np.pi * 1400 * t) * np.exp(-t * 80), 0.001, 0.01, 22050), 0.6), 'u8', 22050)
    t = seconds(1.6, 22050)
    hum = (hiss(len(t), 5, 60, 420, 22050) * (0.7 + 0.3 * np.sin(2 * np.pi * 5 * t))) * np.sin(np.pi * t / 1.6) ** 0.7
    wav(out / 'burner.wav', level(hum, 0.6), 'f32', 22050)
    notes = [523.25, 659.26, 783.99, 1046.5, 1318.5]
    fanfare = np.zeros(int(2.4 * RATE))
    for i, pitch in enumerate(notes):
        at = int(i * 0.15 * RATE)
        note = bell(seconds(2.4 - i * 0.15), pitch, 1.6)
        fanfare[at:at + len(note)] += note[:len(fanfare) - at]
    encoded(out / 'win.flac', level(room(fade(fanfare, release=0.4), 7, 1.4)), '-c:a', 'flac', '-compression_level', '8')
    t = seconds(2.0)
    sigh = sum(np.sin(2 * np.pi * p * (t - 0.035 * t ** 2)) * np.exp(-t * 1.4) for p in (293.7, 349.2, 440.0)) * (1 - np.exp(-t * 30))
    encoded(out / 'lose.mp3', level(room(fade(sigh, release=0.5), 9, 1.2), 0.7), '-c:a', 'libmp3lame', '-b:a', '128k')
    t = seconds(2.6)
    crack = hiss(len(t), 11, 40, 500) * np.exp(-t * 1.5) * (0.6 + 0.4 * np.sin(2 * np.pi * 3.1 * t + 1)) + hiss(len(t), 13, 800, 7000) * np.exp(-t * 26)
    encoded(out / 'thunder.ogg', level(room(fade(crack, 0.002, 0.6), 15, 1.6)), '-c:a', 'libvorbis', '-q:a', '3', '-serial_offset', '1')
    t = seconds(9.0)
    wind = hiss(len(t), 17, 120, 900) * (0.6 + 0.4 * np.sin(2 * np.pi * t / 9.0) * np.sin(2 * np.pi * 2 * t / 9.0))
    encoded(out / 'wind.ogg', level(wind, 0.4), '-c:a', 'libvorbis', '-q:a', '2', '-serial_offset', '2')
