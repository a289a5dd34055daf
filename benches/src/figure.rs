//! Prints a measured ratio as one line: what was compared, the figure, the goal, whether it is met, and the times
//! behind it.

use std::fmt;

/// The goal for a figure.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// At most this value.
    AtMost(f64),
    /// At least this value.
    AtLeast(f64),
    /// No goal: the figure explains another one.
    Context,
}

/// Prints one figure. `unit` is printed after each number: `×`, `%`, or a word.
pub fn figure(id: &str, what: impl fmt::Display, value: f64, unit: &str, goal: Goal, behind: impl fmt::Display) {
    let (bound, verdict) = match goal {
        Goal::AtMost(most) => (format!("≤ {most}{unit}"), if value <= most { "met" } else { "NOT MET" }),
        Goal::AtLeast(least) => (format!("≥ {least}{unit}"), if value >= least { "met" } else { "NOT MET" }),
        Goal::Context => (String::new(), ""),
    };
    let digits = if value.abs() >= 100.0 { 0 } else { 2 };
    let value = format!("{value:.digits$}{unit}");
    println!("{id:4}  {what:62}  {value:>9}  {bound:>9}  {verdict:7}  {behind}");
}
