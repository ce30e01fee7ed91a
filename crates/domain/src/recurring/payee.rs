//! The payee key: which rows are about the same payee, for finding recurring payments only.
//!
//! The database's `merchant_key` groups by the name as it is written, and `fold` searches without regard to case and
//! accents. Neither sees through what card processors and banks add, so this key goes further, and is never shown.

use crate::fold::fold;

/// Words that tell payees apart; more of them would be the town, the reference, the purpose.
const WORDS_MAX: usize = 3;
/// A word with so many digits, or one digit and so many letters, is a number of something.
const DIGITS_MAX: usize = 2;
const LETTERS_WITH_DIGIT_MAX: usize = 5;
/// Unless so many letters in a row make a name.
const NAME_LETTERS_MIN: usize = 5;

/// What processors and banks write in front of the payee, folded.
const PREFIXES: [&str; 26] = [
    "sq *",
    "tst* ",
    "tst*",
    "sp * ",
    "sp ",
    "py *",
    "pp*",
    "paypal *",
    "sumup *",
    "sumup  *",
    "zettle_*",
    "iz *",
    "ckcd ",
    "checkcard ",
    "pos debit ",
    "pos purchase ",
    "debit card purchase ",
    "recurring payment ",
    "ach credit ",
    "ach debit ",
    "direct debit ",
    "standing order to ",
    "sepa-lastschrift ",
    "lastschrift ",
    "dauerauftrag ",
    "kartenzahlung ",
];

/// Words that say nothing about who it is: legal forms, parts of addresses on the web, months.
#[rustfmt::skip]
const FILLERS: [&str; 41] = [
    "gmbh", "inc", "llc", "ltd", "corp", "plc", "bv", "srl", "sarl", "www", "com", "http", "https",
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    "januar", "februar", "marz", "maerz", "mai", "juni", "juli", "oktober", "dezember",
    "janvier", "fevrier", "mars", "juin", "juillet", "septembre", "octobre",
];

/// The key of a merchant's name or a title: at most three words, without case, accents, processor prefixes, store and
/// reference numbers, legal forms and months. Never empty for a text with a letter or a digit.
pub fn payee_key(text: &str) -> String {
    let folded = fold(text);
    let mut rest = folded.trim_start();
    while let Some(shorter) = PREFIXES.iter().find_map(|prefix| rest.strip_prefix(prefix)) {
        rest = shorter.trim_start();
    }
    let words = || {
        rest.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(named_part)
    };
    let named = |word: &&str| !is_number(word);
    let telling = |word: &&str| named(word) && !FILLERS.contains(word);
    for kept in [joined(words().filter(telling)), joined(words().filter(named)), joined(words())] {
        if !kept.is_empty() {
            return kept;
        }
    }
    joined(folded.split_whitespace())
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut key = String::new();
    for word in words.take(WORDS_MAX) {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
    key
}

/// The name in a word of a number and a name, such as `1800flowers`; else the word.
fn named_part(word: &str) -> &str {
    let names = word.split(|letter: char| letter.is_ascii_digit());
    names.rev().find(|name| name.chars().count() >= NAME_LETTERS_MIN).unwrap_or(word)
}

fn is_number(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().count() - digits;
    letters == 0 || digits > DIGITS_MAX || (digits > 0 && letters + digits > LETTERS_WITH_DIGIT_MAX)
}

#[cfg(test)]
mod tests {
    use super::payee_key;

    #[test]
    fn one_payee_however_it_is_written() {
        for (text, key) in [
            ("Netflix", "netflix"),
            ("NETFLIX.COM 866-579-7172 CA", "netflix ca"),
            ("Netflix.com", "netflix"),
            ("SQ *BLUE BOTTLE COFFEE", "blue bottle coffee"),
            ("TST* PIZZERIA ROMA", "pizzeria roma"),
            ("PAYPAL *DEEZER 35314369001", "deezer"),
            ("SP HELLOFRESH 48210394812", "hellofresh"),
            ("SPOTIFY P2B41C88D0 STOCKHOLM", "spotify stockholm"),
            ("STARBUCKS STORE 04412", "starbucks store"),
            ("STARBUCKS STORE 10233", "starbucks store"),
            ("AMZN MKTP US*2K4XB81M4", "amzn mktp us"),
            ("SEPA-LASTSCHRIFT VATTENFALL EUROPE SALES", "vattenfall europe sales"),
            ("DAUERAUFTRAG MIETE WHG 12", "miete whg"),
            ("MIETE MAERZ 2026", "miete"),
            ("MIETE Dezember 2025", "miete"),
            ("Café Müller", "cafe muller"),
            ("CAFÉ  MÜLLER GmbH", "cafe muller"),
            ("Cafe\u{301} Muller", "cafe muller"),
            ("Smørrebrød Kælder", "smorrebrod kaelder"),
            ("STRASSENCAFÉ", "strassencafe"),
            ("Straßencafé", "strassencafe"),
            ("1&1", "1 1"),
            ("1&1 TELECOM GMBH RG 4471", "telecom rg"),
            ("O2", "o2"),
            ("H&M 0412", "h m"),
            ("May", "may"),
            ("7-Eleven 23881", "eleven"),
            ("1800CONTACTS*757778", "contacts"),
            ("株式会社", "株式会社"),
            ("***", "***"),
        ] {
            assert_eq!(payee_key(text), key, "{text}");
        }
    }
}
