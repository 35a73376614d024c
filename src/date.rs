//! Dates as the records of Hive write them.
use time::{Date, Month};

/// The date, as PGN writes it, at the end of a name such as `HV-a-b-2018-10-10-0140`.
pub(crate) fn date_of_name(name: &str) -> Option<String> {
    let mut groups = name.rsplit('-');
    let groups = [groups.next()?, groups.next()?, groups.next()?, groups.next()?];
    let is_number = |(text, digits): (&str, usize)| {
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let [time, day, month, year] = groups;
    [(time, 4), (day, 2), (month, 2), (year, 4)]
        .into_iter()
        .all(is_number)
        .then(|| format!("{year}.{month}.{day}"))
}

/// Whether a text is a date as PGN writes it.
fn is_date(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('.').map(str::len).collect();
    lengths == [4, 2, 2] && text.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit())
}

/// The date in a text such as `Wed May 22 12:57:07 EDT 2013` or `28 October 2018`, if it is English, or in one that PGN would write.
pub(crate) fn date_of_text(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    if is_date(text) {
        return Some(text.to_owned());
    }
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let month = words.iter().find_map(|word| {
        let start = word.get(..3)?.to_ascii_lowercase();
        MONTHS.iter().position(|month| *month == start)
    })?;
    let number = |digits: std::ops::RangeInclusive<usize>| {
        words
            .iter()
            .find(|word| digits.contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit()))
    };
    let (year, day) = (number(4..=4)?, number(1..=2)?);
    Some(format!("{year}.{:02}.{day:0>2}", month + 1))
}

/// The day that a date as PGN writes it tells, if it tells all of it.
///
/// # Errors
///
/// Fails where there is no such day.
pub(crate) fn day_of(date: &str) -> Option<Result<Date, NoSuchDay>> {
    let mut parts = date.trim().split(['.', '-', '/']).map(str::parse);
    let (Some(Ok(year)), Some(Ok(month)), Some(Ok(day)), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    let (year, month, day): (u16, u8, u8) =
        (year, u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    let month = Month::try_from(month).map_err(|_| NoSuchDay);
    Some(
        month.and_then(|month| {
            Date::from_calendar_date(year.into(), month, day).map_err(|_| NoSuchDay)
        }),
    )
}

/// A day that is in no calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoSuchDay;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_in_the_calendar_or_not() {
        for (date, is_day) in [
            ("2024.02.29", Some(true)),
            ("2023-02-29", Some(false)),
            ("2024.13.01", Some(false)),
            ("2024.00.10", Some(false)),
            ("2024.05.??", None),
            ("2024.05", None),
            ("yesterday", None),
        ] {
            assert_eq!(day_of(date).map(|day| day.is_ok()), is_day, "{date}");
        }
    }

    #[test]
    fn dates_are_found_in_names_and_in_english() {
        assert_eq!(date_of_name("HV-a-b-2018-10-10-0140").as_deref(), Some("2018.10.10"));
        assert_eq!(date_of_name("a-b"), None);
        for (text, date) in [
            ("Wed May 22 12:57:07 EDT 2013", Some("2013.05.22")),
            ("28 October 2018", Some("2018.10.28")),
            ("October 2, 2019", Some("2019.10.02")),
            ("2026.11.28", Some("2026.11.28")),
            ("1. Oktember", None),
        ] {
            assert_eq!(date_of_text(text).as_deref(), date, "{text}");
        }
    }
}
