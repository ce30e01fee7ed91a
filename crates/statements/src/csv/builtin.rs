//! The profiles that come with Passbook.

use std::sync::OnceLock;

use super::profile::Profile;

/// Lists the files of the folder `profiles`.
macro_rules! profile_files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../profiles/", $name, ".toml")))),+]
    };
}

/// The profiles by the names of their files.
const FILES: [(&str, &str); COUNT] = profile_files![
    "actual",
    "amex-us",
    "bank-austria",
    "bank-of-america",
    "bank-of-america-card",
    "barclays",
    "bnp-paribas-fortis",
    "boursorama",
    "bunq",
    "capital-one-card",
    "chase-account",
    "chase-card",
    "comdirect",
    "commbank",
    "commerzbank",
    "danske-bank",
    "discover",
    "dkb",
    "dkb-card",
    "dkb-until-2023",
    "easybank",
    "firefly",
    "gls",
    "hledger",
    "ing-de",
    "ing-nl",
    "kbc",
    "lloyds",
    "mint",
    "monzo",
    "n26",
    "nationwide",
    "natwest",
    "neon",
    "nubank",
    "nubank-card",
    "outbank",
    "paypal",
    "paypal-de",
    "postbank",
    "postfinance",
    "rabobank",
    "raiffeisen-ch",
    "rbc",
    "revolut",
    "revolut-de",
    "schwab-checking",
    "sparkasse",
    "sparkasse-card",
    "starling",
    "swedbank-se",
    "ubs",
    "ubs-fr",
    "vr-bank",
    "wise",
    "ynab",
    "zkb",
];
/// Number of profiles.
const COUNT: usize = 57;

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
            // Without a header line, the columns are positions.
            for column in columns.filter(|_| !profile.headers.is_empty()) {
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
}
