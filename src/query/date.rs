//! Dates, of which the month and the day may not be known.
use crate::date::date_of_text;
use std::cmp::Ordering;

/// A day, a month or a year, as `2024.05.31`, `2024.05` or `2024`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Date(String);

impl Date {
    /// Reads a date of which only the beginning may be known: `2024.05.??`. The parts are joined by full stops, hyphens or
    /// strokes.
    fn beginning(text: &str) -> Option<(Date, bool)> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let year = parts.next().filter(|year| year.len() == 4 && is_number(year))?;
        let mut date = vec![year.to_owned()];
        let mut is_whole = true;
        for most in [12, 31] {
            match parts.next() {
                None => break,
                Some(part) if is_whole && is_number(part) && part.len() <= 2 => {
                    let number =
                        part.parse().ok().filter(|number: &u32| (1..=most).contains(number));
                    let number = number?;
                    date.push(format!("{number:02}"));
                }
                Some(_) => is_whole = false,
            }
        }
        Some((Date(date.join(".")), is_whole && parts.next().is_none()))
    }

    /// Reads what a record says, as far as it is a date.
    pub fn told(text: &str) -> Option<Date> {
        let (date, _) = Date::beginning(text).or_else(|| {
            // As other programs write it: `20-Jan-2024_14:53:24`.
            let words = text.replace(['-', '_'], " ");
            Date::beginning(&date_of_text(&words)?)
        })?;
        Some(date)
    }

    /// The date as far as it is known: `2024.05.31`, `2024.05` or `2024`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How another date is to this one, as far as this one goes; `None` if that is not known.
    pub(super) fn order_of(&self, told: &Date) -> Option<Ordering> {
        let shorter = told.0.len().min(self.0.len());
        match told.0[..shorter].cmp(&self.0[..shorter]) {
            Ordering::Equal if told.0.len() < self.0.len() => None,
            order => Some(order),
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl std::str::FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Date, String> {
        let whole = Date::beginning(text).filter(|(_, is_whole)| *is_whole);
        let wrong = || "a date, such as 2024, 2024.05 or 2024-05-31".to_owned();
        whole.map(|(date, _)| date).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_compared_as_far_as_they_are_known() {
        for (told, asked, order) in [
            ("2024.05.31", "2024", Some(Ordering::Equal)),
            ("2024.05.31", "2024-5", Some(Ordering::Equal)),
            ("2024.4.1", "2024.04.01", Some(Ordering::Equal)),
            ("2024.04.09", "2024.4.10", Some(Ordering::Less)),
            ("2025.01.01", "2024.12.31", Some(Ordering::Greater)),
            ("2024.??.??", "2024", Some(Ordering::Equal)),
            ("2024.??.??", "2024.05", None),
            ("2023.??.??", "2024.05", Some(Ordering::Less)),
        ] {
            let asked: Date = asked.parse().unwrap();
            assert_eq!(asked.order_of(&Date::told(told).unwrap()), order, "{told} {asked:?}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in
            ["", "yesterday", "20240401", "2024-13-45", "4/1/2024", "2024.??", "2024.05.31.1"]
        {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        assert_eq!(Date::told("????.??.??"), None);
        assert_eq!(Date::told("Jan 2024"), None);
    }

    #[test]
    fn dates_in_english_are_understood() {
        for text in ["30-Jan-2024", "30-Jan-2024_14:53:24", "30 January 2024"] {
            assert_eq!(Date::told(text).unwrap().as_str(), "2024.01.30", "{text}");
        }
    }
}
