//! Finds the encoding of a file by its bytes.
//!
//! Every candidate decodes the lines with bytes from 128 on. A reading costs points for each character that is unlikely
//! there: a sign inside a word, a capital letter behind a small one, a letter of another language. The cheapest reading
//! wins; the evidence is weak if another reading costs hardly more.

use encoding_rs::WINDOWS_1252;

use super::TextEncoding;

/// Maximum number of bytes that are compared.
const SAMPLE_BYTES_MAX: usize = 32 * 1024;
/// Points that every encoding but Windows-1252 costs, because it is rarer.
const RARER: u64 = 4;
/// Minimum number of points between the cheapest reading and the next one.
const ADVANTAGE_MIN: u64 = 3;
/// Average cost of a character above which no encoding fits.
const COST_MAX: u64 = 4;

/// The letters of languages beyond ASCII. The more frequent letters are first.
const WESTERN: &str = "äöüß éèàçêâôîûùëïœæ óíáñéúü ãçáéóíâêôõàú àèòùìé åäöé øåæéö ëéïèöü";
const CENTRAL: &str = "äöüß łąężóśćńź íáěřžýéčšůúťňďó áíčéžýšľúťňôďäĺŕó áéóöőüíúű čšžćđ ăîșțşţâ";
const CYRILLIC: &str = "оеаинтсрвлкмдпуяызьбгчйхжшюцщэфъё оаиіенвтрклсумдпяїєґйьзбгчхжшюцщф";

/// The encodings that are tried, with their languages, or none for characters of two bytes. Of equally cheap encodings
/// the first one wins.
const CANDIDATES: [(&str, &str); 10] = [
    ("windows-1252", WESTERN),
    ("iso-8859-15", WESTERN),
    ("windows-1250", CENTRAL),
    ("iso-8859-2", CENTRAL),
    ("windows-1251", CYRILLIC),
    ("cp850", WESTERN),
    ("cp437", WESTERN),
    ("macintosh", WESTERN),
    ("shift_jis", ""),
    ("gb18030", ""),
];

/// Signs that stand beside words in every language.
const SIGNS: &str = "‘‚“”„«»‹›…–—•·§°ªº€£©®™×№¡¿";

/// Returns the encoding that fits best, and whether the evidence is weak.
pub(super) fn guess(bytes: &[u8]) -> (TextEncoding, bool) {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.is_ascii());
    let mut sample: Vec<u8> = lines.flatten().copied().take(SAMPLE_BYTES_MAX).collect();
    if sample.len() == SAMPLE_BYTES_MAX {
        // The last line may end inside a character.
        sample.truncate(sample.iter().rposition(|byte| *byte == b'\n').unwrap_or(SAMPLE_BYTES_MAX));
    }
    let default = TextEncoding::standard(WINDOWS_1252);
    let reading = |(name, languages): &(&str, &str)| {
        let encoding = TextEncoding::parse(name)?;
        let text = encoding.decode(&sample).ok()?.into_owned();
        let cost = if languages.is_empty() { pairs_cost(&sample, name) } else { cost(&text, languages)? };
        Some((cost + if encoding == default { 0 } else { RARER }, encoding, text))
    };
    let mut readings: Vec<(u64, TextEncoding, String)> = CANDIDATES.iter().filter_map(reading).collect();
    readings.sort_by_key(|(cost, ..)| *cost);
    let Some((cost, encoding, text)) = readings.first() else { return (default, true) };
    let next = readings.iter().find(|(_, _, other)| other != text).map_or(u64::MAX, |(cost, ..)| *cost);
    let characters = text.chars().filter(|c| !c.is_ascii()).count() as u64;
    (*encoding, next - cost < ADVANTAGE_MIN || *cost > RARER + COST_MAX * characters)
}

/// Returns the cost of a reading with an alphabet. `None` if the text has a control character.
fn cost(text: &str, languages: &str) -> Option<u64> {
    let text: Vec<char> = text.chars().collect();
    let (mut cost, mut letters) = (0, Vec::new());
    for (at, c) in text.iter().copied().enumerate().filter(|(_, c)| !c.is_ascii()) {
        let before = at.checked_sub(1).map_or(' ', |before| text[before]);
        let after = text.get(at + 1).copied().unwrap_or(' ');
        let is_foreign = |c: char| !c.is_ascii() && c.is_alphabetic();
        let is_misplaced = c.is_uppercase() && before.is_lowercase()
            || c.is_lowercase() && before.is_uppercase() && after.is_uppercase()
            || languages == CYRILLIC && (before.is_ascii_alphabetic() || after.is_ascii_alphabetic());
        cost += match c {
            c if c.is_control() => return None,
            '\u{a0}' | '’' => 0,
            '¤' => 8,
            c if SIGNS.contains(c) => 5 * u64::from(before.is_alphabetic() && after.is_alphabetic()),
            c if !c.is_alphabetic() || is_misplaced => 5,
            c => {
                letters.push(c.to_lowercase().next().unwrap_or(c));
                let is_third = at > 1 && is_foreign(before) && is_foreign(text[at - 2]);
                3 * u64::from(is_third && languages != CYRILLIC)
            }
        };
    }
    let cost_in = |language: &str| {
        let of_other = |c: char| if languages.contains(c) { 3 } else { 5 };
        let of = |c: &char| language.chars().position(|known| known == *c).map(|rank| rank as u64 / 8);
        letters.iter().map(|c| of(c).unwrap_or(of_other(*c))).sum::<u64>()
    };
    Some(cost + languages.split(' ').map(cost_in).min().unwrap_or(0))
}

/// Returns the cost of a reading with characters of two bytes: by the levels of JIS X 0208 and GB 2312, of which the
/// first has the frequent characters. A half-width kana is one byte.
fn pairs_cost(bytes: &[u8], name: &str) -> u64 {
    let (mut cost, mut at) = (0, 0);
    while at < bytes.len() {
        let (lead, trail) = (bytes[at], bytes.get(at + 1).copied().unwrap_or(0));
        let (of_character, length) = match (name, lead, trail) {
            (_, ..=0x7f, _) => (0, 1),
            ("shift_jis", 0xa1..=0xdf, _) => (1, 1),
            ("shift_jis", 0x81..=0x83, _) | ("gb18030", 0xa1..=0xa3, 0xa1..) => (2, 2),
            ("shift_jis", 0x88..=0x97, _) | ("gb18030", 0xb0..=0xd7, 0xa1..) => (3, 2),
            ("shift_jis", 0x98..=0x9f | 0xe0..=0xea, _) | ("gb18030", 0xd8..=0xf7, 0xa1..) => (5, 2),
            _ => (9, 2),
        };
        let is_in_word = !lead.is_ascii() && at > 0 && bytes[at - 1].is_ascii_lowercase();
        cost += of_character + 5 * u64::from(is_in_word);
        at += length;
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::super::Table;
    use super::*;

    /// Returns a text as it is read after it was encoded, and whether the evidence is weak.
    fn read(name: &str, text: &str) -> (String, bool) {
        let bytes = match TextEncoding::parse(name).expect("a name").0 {
            Table::Standard(encoding) => encoding.encode(text).0.into_owned(),
            Table::CodePage(_, upper) => {
                let position = |c: char| upper.chars().position(|known| known == c).map(|at| at + 128);
                text.chars()
                    .map(|c| u8::try_from(position(c).unwrap_or(c as usize)).expect("a byte"))
                    .collect()
            }
        };
        let (found, is_weak) = guess(&bytes);
        (found.decode(&bytes).expect("text").into_owned(), is_weak)
    }

    const GERMAN: &str = "Währung;Empfänger\nBäckerei Müller;Köln, Straße 5\nCafé Zürich;Übertrag\n";
    const FRENCH: &str = "Libellé;DÉBIT\nVirement reçu Société Générale;à l'hôtel\nFenêtre, crème;Noël\n";
    const SPANISH: &str = "Descripción;Nº\nPanadería España;Teléfono móvil, ¿año?\n";
    const POLISH: &str = "Data księgowania;Opłata\nŻabka Łódź;Przelew środków, należność\n";
    const CZECH: &str = "Zaúčtování;Částka\nPříjemce Dvořák;Účet, měsíční předplatné žluťoučký\n";
    const JAPANESE: &str = "日付,摘要,お支払金額\n2026/1/15,振込 ﾀﾅｶ ﾊﾅｺ,ローソン";
    const CHINESE: &str = "交易时间,交易对方,金额\n2026-01-15,北京超市有限公司,支付宝转账";

    #[test]
    fn encoding_is_found_by_the_bytes() {
        for (name, texts) in [
            ("windows-1252", &[GERMAN, FRENCH, SPANISH, "“L’Été”; 5 €", "Forêt", "MÜNCHEN", "Køb, løn"][..]),
            ("iso-8859-15", &["Währung\n12,50 €\n"]),
            (
                "windows-1250",
                &[POLISH, CZECH, "Főzőműhely;Átutalás, közüzemi díj", "Račun; Šifra plaćanja; čekom; Žiro"],
            ),
            ("iso-8859-2", &[POLISH, CZECH]),
            ("windows-1251", &["Дата;Сумма\nООО «Пятёрочка», Москва № 5", "Оплата послуг, комісія; їжа"]),
            ("cp850", &[GERMAN, FRENCH, SPANISH, "Indsat beløb\nÅrhus Sø"]),
            ("cp437", &[GERMAN, SPANISH]),
            ("macintosh", &[GERMAN, FRENCH, SPANISH]),
            ("shift_jis", &[JAPANESE, "日付,振込\n2026/1/15,ﾀﾅｶ ﾊﾅｺ"]),
            ("gb18030", &[CHINESE]),
        ] {
            for text in texts {
                assert_eq!(read(name, text), ((*text).to_owned(), false), "{name}");
            }
        }
        // One or two letters fit several encodings.
        for (name, text) in [("windows-1250", "zł"), ("shift_jis", "ATM引出")] {
            assert!(read(name, text).1, "{name}");
        }
    }
}
