//! The payee key: a normalised merchant name or title, by which detection groups rows of one payee.
//!
//! Card processors and banks add prefixes, store numbers and references to a name. The payee key removes them. Other
//! normalisations remove less: `passbook_read.merchant_key`, and for titles `passbook_read.payee_key`, group totals by
//! merchant, and `fold` compares text in search. Only the detection uses this key, and no response shows it.

use crate::fold::fold;

/// Maximum number of words in a payee key. Later words of a name are usually a town, a reference or a purpose.
const WORDS_MAX: usize = 3;
/// Maximum number of digits in a word that counts as part of a name, such as `o2`. A word with more digits is a
/// reference number.
const DIGITS_MAX: usize = 2;
/// Maximum number of characters in a word with digits that counts as part of a name. A longer word is a reference
/// number.
const WORD_WITH_DIGIT_CHARACTERS_MAX: usize = 5;
/// Minimum number of consecutive letters in a word with digits that are taken as a name: `flowers` in `1800flowers`.
const NAME_LETTERS_MIN: usize = 5;

/// Prefixes that card processors and banks write in front of the payee's name, in folded form (lower case, without
/// accents).
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

/// Words that do not identify a payee: legal forms, parts of web addresses, months in three languages. In folded form
/// (lower case, without accents).
#[rustfmt::skip]
const FILLERS: [&str; 41] = [
    "gmbh", "inc", "llc", "ltd", "corp", "plc", "bv", "srl", "sarl", "www", "com", "http", "https",
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    "januar", "februar", "marz", "maerz", "mai", "juni", "juli", "oktober", "dezember",
    "janvier", "fevrier", "mars", "juin", "juillet", "septembre", "octobre",
];

/// Returns the key of a merchant name or a title: at most three words, without case, accents, processor prefixes,
/// store and reference numbers, legal forms and months.
///
/// If no word would be left, the key keeps the filler words; if it has none, the numbers; otherwise the whole text. The
/// key is empty only if `text` is blank.
pub fn payee_key(text: &str) -> String {
    let folded = fold(text);
    let mut rest = folded.trim_start();
    while let Some(shorter) = PREFIXES.iter().find_map(|prefix| rest.strip_prefix(prefix)) {
        rest = shorter.trim_start();
    }
    let words = || {
        rest.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(name_part)
    };
    let not_reference = |word: &&str| !is_reference_number(word);
    let identifying = |word: &&str| not_reference(word) && !FILLERS.contains(word);
    let non_empty = |key: String| (!key.is_empty()).then_some(key);
    non_empty(join_words(words().filter(identifying)))
        .or_else(|| non_empty(join_words(words().filter(not_reference))))
        .or_else(|| non_empty(join_words(words())))
        .unwrap_or_else(|| join_words(folded.split_whitespace()))
}

/// Joins the first [`WORDS_MAX`] words with spaces.
fn join_words<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut key = String::new();
    for word in words.take(WORDS_MAX) {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
    key
}

/// Returns the name inside a word of digits and a name, such as `flowers` in `1800flowers`; otherwise the whole word.
fn name_part(word: &str) -> &str {
    let names = word.split(|letter: char| letter.is_ascii_digit());
    names.rev().find(|name| name.chars().count() >= NAME_LETTERS_MIN).unwrap_or(word)
}

/// Returns true if the word is a reference number: it has no letters, many digits, or is a long mix of letters and
/// digits.
fn is_reference_number(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().count() - digits;
    letters == 0 || digits > DIGITS_MAX || (digits > 0 && letters + digits > WORD_WITH_DIGIT_CHARACTERS_MAX)
}

#[cfg(test)]
mod tests {
    use super::payee_key;

    #[test]
    fn spellings_of_one_payee_have_one_key() {
        for (text, key) in [
            ("Netflix", "netflix"),
            ("NETFLIX.COM 866-579-7172 CA", "netflix ca"),
            ("Netflix.com", "netflix"),
            ("SQ *BLUE BOTTLE COFFEE", "blue bottle coffee"),
            ("TST* PIZZERIA ROMA", "pizzeria roma"),
            ("PAYPAL *DEEZER 35314369001", "deezer"),
            ("KARTENZAHLUNG PAYPAL *DEEZER 35314369001", "deezer"),
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
