//! CPU time of ways that run in turn.

use cpu_time::ThreadTime;

/// Runs every way in turn, `rounds` times. Returns for each what it made, and the median of its CPU seconds.
pub fn in_turn<T>(rounds: usize, ways: &mut [Box<dyn FnMut() -> T + '_>]) -> Vec<(T, f64)> {
    let mut results: Vec<(Option<T>, Vec<f64>)> = ways.iter().map(|_| (None, Vec::new())).collect();
    for _ in 0..rounds {
        for (way, (made, seconds)) in ways.iter_mut().zip(&mut results) {
            let start = ThreadTime::now();
            let result = way();
            seconds.push(start.elapsed().as_secs_f64());
            *made = Some(result);
        }
    }
    results.into_iter().filter_map(|(made, seconds)| Some((made?, median(seconds)))).collect()
}

/// The figure in the middle.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
