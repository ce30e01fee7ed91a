//! `docs/csv-profiles.md`: the complete profile reads the shown file, and every other part belongs to a valid profile.

use passbook_formats::statement::csv::Profile;
use passbook_formats::statement::{ReadOptions, read};

#[test]
fn shown_profile_reads_the_shown_file() {
    let documents = tests::documents::documents();
    let blocks = tests::documents::blocks::read("docs/csv-profiles.md", &documents["docs/csv-profiles.md"]);
    let [file, complete, parts @ ..] = &blocks[..] else { panic!("{} blocks", blocks.len()) };
    assert_eq!((file.language, complete.language), ("text", "toml"));
    let profile = Profile::parse(complete.text, "profile").unwrap_or_else(|fault| panic!("{fault}"));
    let options = ReadOptions { profile: Some(profile), ..ReadOptions::default() };
    let statements = read(file.text.as_bytes(), &options).expect("the file is read");
    let entry = &statements[0].entries[0];
    assert_eq!((entry.booked.to_string(), entry.cents), ("2026-01-31".to_owned(), -450));
    assert_eq!((entry.party.as_deref(), entry.text.as_str()), (Some("Bakery"), "Rolls"));
    for part in parts {
        assert_eq!(part.language, "toml", "{}", part.place());
        let (head, columns) = complete.text.split_once("[columns]").expect("columns");
        let flag = if part.text.contains("out_values") { "flag = \"Payee\"\n" } else { "" };
        let text = if part.text.starts_with('[') {
            format!("{}{}", complete.text, part.text)
        } else {
            format!("{head}{}[columns]\n{flag}{columns}", part.text)
        };
        Profile::parse(&text, "profile").unwrap_or_else(|fault| panic!("{}: {fault}", part.place()));
    }
}
