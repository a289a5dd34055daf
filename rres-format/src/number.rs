//! Numbers for text formats.

/// Returns the number with the shortest decimal form that, read as an `f32`, gives `value` again: 0.1 for `0.1_f32`, whose exact value is
/// 0.100000001490116…. JSON that is written from it has no digits without meaning.
#[must_use]
pub fn shortest_f64(value: f32) -> f64 {
    // Reading the shortest form by way of `f64` would round twice, which changes a few numbers.
    let short = value.to_string().parse().ok();
    short.filter(|short: &f64| (*short as f32).to_bits() == value.to_bits()).unwrap_or(f64::from(value))
}

#[cfg(test)]
mod tests {
    use super::shortest_f64;

    #[test]
    fn the_form_is_short_and_every_number_comes_back() {
        assert_eq!(shortest_f64(0.1), 0.1);
        assert_eq!(shortest_f64(-16_777_216.0), -16_777_216.0);
        assert!(shortest_f64(f32::NAN).is_nan());
        assert_eq!(shortest_f64(f32::NEG_INFINITY), f64::NEG_INFINITY);
        // Each exponent, with mantissas that are far apart.
        for bits in (0..=u32::MAX).step_by(65_521) {
            let value = f32::from_bits(bits);
            assert!(value.is_nan() || (shortest_f64(value) as f32).to_bits() == bits, "{bits:#x}");
        }
    }
}
