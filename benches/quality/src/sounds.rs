//! Resampling: what a sweep and tones lose and what is added to them, beside SoX at its qualities "high" and "very high".

use cpu_time::ThreadTime;
use rres_import_sound::measured;

use crate::clock::median;
use crate::{Error, sox};

/// From, to.
const RATES: [(u32, u32); 4] = [(44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (22_050, 44_100)];

/// Seconds of the signals whose quality is measured.
const LENGTH: f64 = 4.0;

/// Seconds of the signals whose time is measured.
const MINUTE: usize = 60;

/// Samples at the ends that are not compared: a filter sees silence beyond them.
const END: usize = 4_000;

const AMPLITUDE: f64 = 0.5;

/// Tones in the pass band, as parts of half of the lower rate.
const TONES: [f64; 8] = [0.02, 0.1, 0.3, 0.5, 0.7, 0.8, 0.86, 0.9];

/// A way to resample, and the CPU seconds that it took.
type Way = fn(&[f32], u32, u32) -> Result<(Vec<f32>, f64), Error>;

const WAYS: [(&str, Way); 3] = [
    ("**rres**", |samples, from, to| {
        let start = ThreadTime::now();
        let made = measured::resampled(samples, from, to).ok_or("no filter is made for these rates")?;
        Ok((made, start.elapsed().as_secs_f64()))
    }),
    ("SoX, `rate -h`", |samples, from, to| sox::resampled(samples, from, to, "-h")),
    ("SoX, `rate -v`", |samples, from, to| sox::resampled(samples, from, to, "-v")),
];

/// Prints a row for each pair of rates.
pub fn compare(rounds: usize) -> Result<(), Error> {
    if let Err(error) = std::process::Command::new("sox").arg("--version").output() {
        return Err(format!("cannot run sox: {error}; install SoX (apt-get install sox)").into());
    }
    println!(
        "SNR of a sweep up to 0.8 of the lower half rate; the worst SNR of tones up to 0.8; how much louder or quieter tones become up to 0.8, 0.86 and 0.9;"
    );
    println!("how much quieter tones become that the new rate does not hold, the loudest; CPU seconds for a minute.\n");
    println!("| rates | by | sweep | tones | ripple to 0.8 | at 0.86 | at 0.9 | rejection | s a minute |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for (from, to) in RATES {
        let mut times = vec![Vec::new(); WAYS.len()];
        let noise = noise(from as usize * MINUTE);
        for _ in 0..rounds {
            for ((_, way), times) in WAYS.iter().zip(&mut times) {
                times.push(way(&noise, from, to)?.1);
            }
        }
        for ((name, way), times) in WAYS.into_iter().zip(times) {
            let sweep = of_sweep(way, from, to)?;
            let tones: Vec<Tone> = TONES.iter().map(|part| tone(way, from, to, *part)).collect::<Result<_, _>>()?;
            let inner = tones.iter().zip(TONES).filter(|(_, part)| *part <= 0.8).map(|(tone, _)| tone);
            let worst = inner.clone().map(|tone| tone.snr).fold(f64::MAX, f64::min);
            let ripple = inner.map(|tone| tone.gain.abs()).fold(0.0, f64::max);
            let rejected = rejection(way, from, to)?.map_or("–".into(), |rejection| match rejection {
                f64::INFINITY => "all".into(),
                _ => format!("{rejection:.0} dB"),
            });
            println!(
                "| {from} → {to} | {name} | {sweep:.1} dB | {worst:.1} dB | {ripple:.5} dB | {:.2} dB | {:.2} dB | {rejected} | {:.3} |",
                tones[6].gain,
                tones[7].gain,
                median(times)
            );
        }
    }
    Ok(())
}

/// Noise from a fixed seed, to measure times.
fn noise(count: usize) -> Vec<f32> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    (0..count).map(|_| next()).collect()
}

/// The signal-to-noise ratio of an exponential sweep, which is known at every time.
fn of_sweep(way: Way, from: u32, to: u32) -> Result<f64, Error> {
    let (low, high) = (20.0, 0.8 * f64::from(from.min(to)) / 2.0);
    let growth = f64::ln(high / low) / LENGTH;
    let at = |rate: u32| {
        move |n: usize| {
            let time = n as f64 / f64::from(rate);
            let phase = std::f64::consts::TAU * low / growth * ((growth * time).exp() - 1.0);
            AMPLITUDE * phase.sin()
        }
    };
    let made = resample(way, from, to, at(from))?;
    let wanted: Vec<f64> = (0..made.len()).map(at(to)).collect();
    let compared = END..made.len() - END;
    let error = compared.clone().map(|n| (f64::from(made[n]) - wanted[n]).powi(2)).sum::<f64>();
    Ok(decibels(compared.map(|n| wanted[n].powi(2)).sum::<f64>() / error) / 2.0)
}

/// What became of a tone.
struct Tone {
    /// How much louder it is, in decibels.
    gain: f64,
    /// Its power beside that of everything else.
    snr: f64,
}

/// Resamples the tone at a part of half of the lower rate.
fn tone(way: Way, from: u32, to: u32, part: f64) -> Result<Tone, Error> {
    let frequency = part * f64::from(from.min(to)) / 2.0;
    let made = resample(way, from, to, |n| AMPLITUDE * phase(frequency, from, n).sin())?;
    let inner = END..made.len() - END;
    // The sine and cosine that are nearest, by least squares.
    let (mut ss, mut sc, mut cc, mut s, mut c) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for n in inner.clone() {
        let (sin, cos) = phase(frequency, to, n).sin_cos();
        let sample = f64::from(made[n]);
        (ss, sc, cc) = (ss + sin * sin, sc + sin * cos, cc + cos * cos);
        (s, c) = (s + sin * sample, c + cos * sample);
    }
    let det = ss * cc - sc * sc;
    let (a, b) = ((s * cc - c * sc) / det, (c * ss - s * sc) / det);
    let (mut power, mut rest) = (0.0, 0.0);
    for n in inner {
        let (sin, cos) = phase(frequency, to, n).sin_cos();
        let found = a * sin + b * cos;
        power += found * found;
        rest += (f64::from(made[n]) - found).powi(2);
    }
    Ok(Tone { gain: decibels(a.hypot(b) / AMPLITUDE), snr: decibels(power / rest) / 2.0 })
}

/// How much quieter the loudest tone becomes that the new rate does not hold; `None` if it holds all.
fn rejection(way: Way, from: u32, to: u32) -> Result<Option<f64>, Error> {
    if to >= from {
        return Ok(None);
    }
    let (low, high) = (f64::from(to) / 2.0, f64::from(from) / 2.0);
    let mut loudest = 0.0f64;
    for step in 0..8 {
        let frequency = low * 1.01 + (high * 0.99 - low * 1.01) * f64::from(step) / 7.0;
        let made = resample(way, from, to, |n| AMPLITUDE * phase(frequency, from, n).sin())?;
        let inner = &made[END..made.len() - END];
        let power = inner.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / inner.len() as f64;
        loudest = loudest.max(power);
    }
    Ok(Some(decibels(AMPLITUDE * AMPLITUDE / 2.0 / loudest) / 2.0))
}

fn phase(frequency: f64, rate: u32, n: usize) -> f64 {
    // Whole turns are left out, so that the argument stays exact.
    std::f64::consts::TAU * (frequency * n as f64 / f64::from(rate)).fract()
}

/// Resamples a signal of [`LENGTH`].
fn resample(way: Way, from: u32, to: u32, signal: impl Fn(usize) -> f64) -> Result<Vec<f32>, Error> {
    let samples: Vec<f32> = (0..(LENGTH * f64::from(from)) as usize).map(|n| signal(n) as f32).collect();
    let (made, _) = way(&samples, from, to)?;
    if made.len() < 3 * END {
        return Err(format!("{} samples from {from} to {to} Hz are too few to compare", made.len()).into());
    }
    Ok(made)
}

/// 20 log10 of a ratio of amplitudes.
fn decibels(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}
