//! Bars.

/// Returns a bar that fills `share` (0 to 1) of `width` characters, to an eighth of a character.
pub(crate) fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (width * 8) as f64).round() as usize;
    // The smallest share is still visible.
    let eighths = if share > 0.0 { eighths.max(1) } else { eighths };
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_share_has_a_visible_bar() {
        assert_eq!((bar(1.0, 4), bar(0.0, 4), bar(0.0001, 4)), ("████".to_owned(), String::new(), "▏".to_owned()));
        assert_eq!(bar(0.5, 3), "█▌");
    }
}
