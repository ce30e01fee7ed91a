//! Parses the text of one directive.

use std::ops::RangeInclusive;
use std::sync::Arc;

use beancount_parser as parser;
use jiff::civil::Date;
use passbook_input::Fault;
use rust_decimal::Decimal;

use super::ledger::{Amount, Content, CostSpec, Directive, LedgerTransaction, Place, Posting, Price};
use super::number::Number;
use super::report::Notes;
use super::text;
use super::text::Chunk;

const TOO_LARGE: &str = "a number must be at most 10^15, and no expression may divide by zero";

/// Maximum depth of nested brackets in a directive.
const BRACKETS_MAX: usize = 32;
const TOO_DEEP: &str = "brackets must be nested at most 32 deep";

/// First and last day of dates that can be stored. Accounts may be opened and commodities declared on earlier days.
pub(super) const DAYS: RangeInclusive<Date> = Date::constant(1900, 1, 1)..=Date::constant(2200, 12, 31);

/// The parsed content of one chunk of a file.
#[derive(Debug)]
pub(super) enum Parsed {
    Directive(Box<Directive>),
    Option(String, String),
    Include(String),
    /// A tag that the following transactions of the file have, or no longer have.
    Tag {
        tag: Arc<str>,
        is_pushed: bool,
    },
    /// The plug-in `auto_accounts`: accounts need not be opened.
    OpensAccounts,
    /// A directive that has no effect on amounts.
    Nothing,
}

/// Parses one chunk of a file. Adds a note for a directive that is left out.
pub(super) fn entry(chunk: &Chunk, notes: &mut Notes) -> Result<Parsed, Fault> {
    let head = chunk.lines.first().map_or("", String::as_str);
    if head.starts_with(|first: char| first.is_ascii_digit()) {
        return dated(chunk, head, notes);
    }
    match head.split_whitespace().next().unwrap_or_default() {
        "option" | "include" => undated(chunk),
        "plugin" if head.contains("auto_accounts") => Ok(Parsed::OpensAccounts),
        "plugin" => {
            notes.skip(head.trim(), "plug-ins are not run");
            Ok(Parsed::Nothing)
        }
        word @ ("pushtag" | "poptag") => {
            let tag = head.split_whitespace().nth(1).and_then(|tag| tag.strip_prefix('#'));
            let tag =
                tag.ok_or_else(|| chunk.place.fault("must name a tag, such as #trip").received(head.trim()))?;
            Ok(Parsed::Tag { tag: tag.into(), is_pushed: word == "pushtag" })
        }
        "pushmeta" | "popmeta" => Ok(Parsed::Nothing),
        _ => {
            Err(chunk.place.fault("a line that is not indented must begin a directive").received(head.trim()))
        }
    }
}

fn undated(chunk: &Chunk) -> Result<Parsed, Fault> {
    let text = text::protect(&chunk.text());
    match parser::parse_iter::<Number>(&text).next() {
        Some(Ok(parser::Entry::Option(option))) => {
            Ok(Parsed::Option(text::restore(&option.name), text::restore(&option.value)))
        }
        Some(Ok(parser::Entry::Include(path))) => Ok(Parsed::Include(text::restore(&path.to_string_lossy()))),
        _ => Err(syntax(chunk, 1)),
    }
}

fn dated(chunk: &Chunk, head: &str, notes: &mut Notes) -> Result<Parsed, Fault> {
    let word = head.split_whitespace().nth(1).unwrap_or_default();
    if matches!(word, "note" | "document" | "event" | "query" | "custom") {
        notes.skip(format!("{word} directives"), "they do not affect amounts");
        return Ok(Parsed::Nothing);
    }
    check_depth(chunk)?;
    let text =
        text::readable(chunk, word == "commodity").map_err(|(line, rule)| fault_at(chunk, line, rule))?;
    let read: parser::Directive<Number> =
        text.parse().map_err(|error: parser::Error| syntax(chunk, error.line_number()))?;
    let date = date(read.date)
        .ok_or_else(|| chunk.place.fault("a date must be a day of the calendar").received(head_word(head)))?;
    if !matches!(word, "open" | "commodity") && !DAYS.contains(&date) {
        let rule = "an entry must be dated from 1900-01-01 to 2200-12-31";
        return Err(chunk.place.fault(rule).received(head_word(head)));
    }
    let place = chunk.place.clone();
    let metadata = |key: &str| read.metadata.get(key).and_then(|value| value.as_string()).map(text::restore);
    let (name, kind) = (metadata("name"), metadata("type"));
    let content = content(read.content, &place, name, kind)?;
    Ok(Parsed::Directive(Box::new(Directive { place, date, content })))
}

/// Rejects nested brackets beyond [`BRACKETS_MAX`], because the parser calls itself for each level.
fn check_depth(chunk: &Chunk) -> Result<(), Fault> {
    let (mut depth, mut inside_string) = (0_usize, false);
    for (line, number) in chunk.lines.iter().zip(1_u32..) {
        let (outside, inside) = text::outside_strings(line, inside_string);
        inside_string = inside;
        for character in outside.chars() {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > BRACKETS_MAX {
                return Err(fault_at(chunk, number, TOO_DEEP));
            }
        }
    }
    Ok(())
}

fn head_word(head: &str) -> String {
    head.split_whitespace().next().unwrap_or_default().to_owned()
}

fn syntax(chunk: &Chunk, line: u32) -> Fault {
    if let Some((line, rule)) = text::unsupported(chunk) {
        return fault_at(chunk, line, rule);
    }
    fault_at(chunk, line, "must be Beancount syntax")
}

fn fault_at(chunk: &Chunk, line: u32, rule: &str) -> Fault {
    // For an incomplete directive, the parser reports the line after its last line.
    let index = usize::try_from(line).unwrap_or(1).clamp(1, chunk.lines.len()) - 1;
    let line = chunk.place.line.saturating_add(u32::try_from(index).unwrap_or(0));
    let place = Place { line, ..chunk.place.clone() };
    place.fault(rule).received(chunk.lines[index].trim())
}

fn content(
    read: parser::DirectiveContent<Number>,
    place: &Place,
    name: Option<String>,
    kind: Option<String>,
) -> Result<Content, Fault> {
    use parser::DirectiveContent as Read;
    Ok(match read {
        Read::Transaction(transaction) => Content::Transaction(movement(transaction, place)?),
        Read::Price(price) => Content::Price {
            commodity: price.currency.as_str().into(),
            amount: amount(&price.amount, place)?,
        },
        Read::Balance(balance) => Content::Balance {
            account: balance.account.as_str().into(),
            amount: amount(&balance.amount, place)?,
            tolerance: balance.tolerance.map(|number| value(&number, place)).transpose()?,
        },
        Read::Open(open) => {
            let mut currencies: Vec<Arc<str>> =
                open.currencies.iter().map(|currency| currency.as_str().into()).collect();
            currencies.sort();
            let booking = open.booking_method.map(|method| method.as_ref().to_uppercase());
            Content::Open { account: open.account.as_str().into(), currencies, booking }
        }
        Read::Close(close) => Content::Close { account: close.account.as_str().into() },
        Read::Pad(pad) => {
            Content::Pad { account: pad.account.as_str().into(), source: pad.source_account.as_str().into() }
        }
        Read::Commodity(code) => Content::Commodity { code: code.as_str().into(), name, kind },
        _ => return Err(place.fault("must be a directive that the import supports")),
    })
}

fn movement(read: parser::Transaction<Number>, place: &Place) -> Result<LedgerTransaction, Fault> {
    let words = |text: Option<String>| {
        let text = text::restore(&text.unwrap_or_default());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(text).filter(|text| !text.is_empty())
    };
    let postings = read.postings.iter().map(|posting| line(posting, place)).collect::<Result<_, _>>()?;
    let mut links: Vec<Arc<str>> = read.links.iter().map(|link| link.as_str().into()).collect();
    links.sort();
    let tags = read.tags.iter().map(|tag| tag.as_str().into()).collect();
    let (payee, narration) = (words(read.payee), words(read.narration));
    Ok(LedgerTransaction { payee, narration, links, tags, postings })
}

fn line(read: &parser::Posting<Number>, place: &Place) -> Result<Posting, Fault> {
    let cost = |cost: &parser::Cost<Number>| {
        let amount =
            cost.amount.as_ref().map(|cost| unit_cost(cost, read.amount.as_ref(), place)).transpose()?;
        let date = match cost.date {
            None => None,
            Some(read) => Some(
                date(read).ok_or_else(|| place.fault("the date of a lot must be a day of the calendar"))?,
            ),
        };
        Ok(CostSpec { amount, date })
    };
    let price = |price: &parser::PostingPrice<Number>| {
        Ok(match price {
            parser::PostingPrice::Unit(read) => Price::Unit(amount(read, place)?),
            parser::PostingPrice::Total(read) => Price::Total(amount(read, place)?),
        })
    };
    Ok(Posting {
        account: read.account.as_str().into(),
        units: read.amount.as_ref().map(|read| amount(read, place)).transpose()?,
        cost: read.cost.as_ref().map(cost).transpose()?,
        price: read.price.as_ref().map(price).transpose()?,
    })
}

/// Returns the cost of one unit. A total cost is divided by the number of units, whatever their sign.
fn unit_cost(
    cost: &parser::Amount<Number>,
    units: Option<&parser::Amount<Number>>,
    place: &Place,
) -> Result<Amount, Fault> {
    let Some(commodity) = cost.currency.as_str().strip_suffix(text::TOTAL) else {
        return amount(cost, place);
    };
    let units = units.map(|units| units.value.abs()).unwrap_or_default();
    Ok(Amount { number: value(&(cost.value.clone() / units), place)?, commodity: commodity.into() })
}

fn amount(read: &parser::Amount<Number>, place: &Place) -> Result<Amount, Fault> {
    Ok(Amount { number: value(&read.value, place)?, commodity: read.currency.as_str().into() })
}

fn value(read: &Number, place: &Place) -> Result<Decimal, Fault> {
    read.value().ok_or_else(|| place.fault(TOO_LARGE))
}

fn date(read: parser::Date) -> Option<Date> {
    let year = i16::try_from(read.year).ok()?;
    Date::new(year, i8::try_from(read.month).ok()?, i8::try_from(read.day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeply_nested_brackets_are_rejected_before_the_parser_recurses() {
        let price = |depth: usize| {
            let (open, close) = ("(".repeat(depth), ")".repeat(depth));
            let place = Place { file: "a.beancount".into(), line: 7 };
            let lines = vec![format!("2024-01-01 price X {open}1{close} EUR")];
            entry(&Chunk { place, lines }, &mut Notes::default())
        };
        assert!(price(BRACKETS_MAX).is_ok());
        let fault = price(200_000).expect_err("too many brackets").to_string();
        assert!(fault.starts_with("a.beancount:7: brackets must be nested at most 32 deep"), "{fault}");
    }
}
