//! What the command lines have in common.

use core::fmt::Display;
use core::ops::RangeInclusive;
use core::str::FromStr;

use lexopt::{Error, Parser};

/// What the command line asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Command<O> {
    Run(O),
    Help,
}

/// The value of an option: a number in the range.
pub(crate) fn number<T>(
    parser: &mut Parser,
    option: &str,
    range: RangeInclusive<T>,
) -> Result<T, Error>
where
    T: FromStr + PartialOrd + Display,
{
    let value = parser.value()?;
    match value.to_str().and_then(|text| text.parse().ok()) {
        Some(number) if range.contains(&number) => Ok(number),
        _ => {
            let (least, most) = range.into_inner();
            Err(format!("{option} takes a whole number from {least} to {most}, not {value:?}")
                .into())
        }
    }
}
