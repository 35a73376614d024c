//! Words about numbers.

/// A number and a noun, which is in the plural where the number asks for it.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
