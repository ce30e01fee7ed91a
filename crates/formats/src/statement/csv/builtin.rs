//! The profiles that come with Passbook.

use std::sync::OnceLock;

use super::profile::Profile;

/// Lists the files of the folder `profiles`.
macro_rules! profile_files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../profiles/", $name, ".toml")))),+]
    };
}

/// The profiles by the names of their files.
const FILES: [(&str, &str); COUNT] = profile_files![
    "actual",
    "amex-us",
    "bank-of-america",
    "bnp-paribas-fortis",
    "bunq",
    "capital-one-card",
    "chase-account",
    "chase-card",
    "commerzbank",
    "dkb",
    "dkb-until-2023",
    "firefly",
    "gls",
    "hledger",
    "ing-de",
    "ing-nl",
    "kbc",
    "mint",
    "monzo",
    "n26",
    "neon",
    "outbank",
    "paypal",
    "paypal-de",
    "rabobank",
    "revolut",
    "schwab-checking",
    "sparkasse",
    "sparkasse-card",
    "ubs-fr",
    "wise",
    "ynab",
];
/// Number of profiles.
const COUNT: usize = 32;

/// Returns the profiles that come with Passbook, in alphabetical order.
///
/// # Panics
/// A profile is invalid, which a test excludes.
pub fn builtin_profiles() -> &'static [Profile] {
    static PROFILES: OnceLock<Vec<Profile>> = OnceLock::new();
    PROFILES.get_or_init(|| {
        let parse = |(name, text): &(&str, &str)| Profile::parse(text, name);
        FILES.iter().map(parse).collect::<Result<_, _>>().expect("a test parses every profile")
    })
}

#[cfg(test)]
mod tests {
    use super::super::columns::Columns;
    use super::super::header::cells;
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_profile_is_valid_and_has_sources() {
        for (name, text) in FILES {
            let profile = Profile::parse(text, name).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(profile.name, name);
            assert!(!profile.sources.is_empty(), "{name} has no sources");
            assert!(!profile.headers.is_empty(), "{name} has no headers");
        }
    }

    #[test]
    fn every_file_of_the_folder_is_listed() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/profiles")).unwrap();
        let mut files: Vec<String> =
            folder.map(|file| file.unwrap().file_name().to_string_lossy().replace(".toml", "")).collect();
        files.sort();
        assert_eq!(files, FILES.map(|(name, _)| name));
    }

    #[test]
    fn every_header_has_the_required_columns_and_belongs_to_one_profile() {
        let mut owners = BTreeMap::new();
        for profile in builtin_profiles() {
            for header in &profile.headers {
                let cells = cells(header, profile.first_delimiter()).expect("a header has several cells");
                Columns::find(profile, &cells).unwrap_or_else(|rule| panic!("{}: {rule}", profile.name));
                let key = cells.join("|").to_lowercase();
                let other = owners.insert((profile.first_delimiter(), key), &profile.name);
                assert!(other.is_none_or(|other| other == &profile.name), "{header} has two owners");
            }
        }
    }

    #[test]
    fn every_column_of_a_profile_occurs_in_one_of_its_headers() {
        for (name, text) in FILES {
            let profile = Profile::parse(text, name).unwrap();
            let known: Vec<String> = profile
                .headers
                .iter()
                .flat_map(|header| {
                    cells(header, profile.first_delimiter()).expect("a header has several cells")
                })
                .map(|cell| cell.to_lowercase())
                .collect();
            let table: toml::Table = toml::from_str(text).unwrap();
            let columns = table["columns"].as_table().unwrap().values().flat_map(|value| match value {
                toml::Value::Array(names) => names.iter().filter_map(toml::Value::as_str).collect(),
                value => Vec::from_iter(value.as_str()),
            });
            for column in columns {
                let base = column.rsplit_once('#').map_or(column, |(base, number)| {
                    if !base.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty() {
                        base
                    } else {
                        column
                    }
                });
                assert!(known.contains(&base.to_lowercase()), "{name}: no header has {column}");
            }
        }
    }

    #[test]
    fn paypal_rows_that_move_no_money_are_left_out() {
        use super::super::super::{ReadOptions, Status, read};
        let english = "Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,From Email Address,To Email Address,\
                       Transaction ID,Balance Impact\n\
                       09/15/2026,02:32:15,PDT,Ada,Mobile Payment,Completed,USD,\"1,100.00\",-2.90,\"1,097.10\",a@x,b@x,A1,Credit\n\
                       09/15/2026,02:32:15,PDT,Shop,General Authorization,Pending,USD,-5.00,0.00,-5.00,a@x,b@x,A2,Memo\n\
                       09/15/2026,02:32:15,PDT,,Bank Deposit to PP Account ,Pending,USD,5.00,0.00,5.00,,b@x,A3,Credit\n\
                       09/15/2026,02:32:15,PDT,Shop,Express Checkout Payment,Denied,USD,-7.00,0.00,-7.00,a@x,b@x,A4,Debit\n";
        let german = "Datum,Uhrzeit,Zeitzone,Name,Typ,Status,Währung,Brutto,Gebühr,Netto,Absender E-Mail-Adresse,\
                      Empfänger E-Mail-Adresse,Transaktionscode,Auswirkung auf Guthaben\n\
                      15.09.2026,02:32:15,CEST,Ada,Handyzahlung,Abgeschlossen,EUR,\"1.100,00\",\"-2,90\",\"1.097,10\",a@x,b@x,A1,Haben\n\
                      15.09.2026,02:32:15,CEST,,Einbehaltung für offene Autorisierung,Abgeschlossen,EUR,-5,0,-5,a@x,b@x,A2,Soll\n\
                      15.09.2026,02:32:15,CEST,,Bankgutschrift auf PayPal-Konto ,Ausstehend,EUR,5,0,5,,b@x,A3,Haben\n\
                      15.09.2026,02:32:15,CEST,,Rückbuchung allgemeiner Einbehaltung,Abgeschlossen,EUR,5,0,5,,b@x,A4,Haben\n";
        for (text, profile) in [(english, "paypal"), (german, "paypal-de")] {
            let statements = read(text.as_bytes(), &ReadOptions::default()).expect(profile);
            let rows: Vec<_> = statements.iter().flat_map(|statement| &statement.entries).collect();
            let seen: Vec<_> = rows.iter().map(|row| (row.cents, row.status, row.booked.day())).collect();
            assert_eq!(seen, [(109_710, Status::Booked, 15), (500, Status::Pending, 15)], "{profile}");
        }
    }
}
