//! A measured ratio → one line of output: what was compared, the figure, the goal, whether it is met, the times behind.

use std::fmt;

/// What a figure should be.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// This much or less.
    AtMost(f64),
    /// This much or more.
    AtLeast(f64),
    /// Nothing is asked; it explains another figure.
    Context,
}

/// Prints one figure. `unit` follows the figures: `×`, `%`, or a word.
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
