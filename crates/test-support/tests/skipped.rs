//! Says at the end of `cargo test --workspace` what did not run, and why.
//!
//! It runs after all other test programs, because Cargo orders them by package and this package has the last name.

#![allow(clippy::print_stdout, reason = "that is what it is for")]

fn main() {
    println!("\nTests that take long are ignored here; `.ci/nightly` runs them.");
    let notes = rres_test_support::take_notes();
    if !notes.is_empty() {
        println!("Skipped on this machine:");
    }
    notes.iter().for_each(|note| println!("  {note}"));
    println!();
}
