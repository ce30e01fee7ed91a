//! The command line of `cargo lab bench`.

use std::time::Duration;

/// Options of a run.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// Starts of the names of the scenarios to run. Empty for all.
    pub(super) prefixes: Vec<String>,
    /// Number of alternating runs of each contender.
    pub(super) rounds: usize,
    /// Duration of one run of one contender.
    pub(super) duration: Duration,
    /// Divides the number of rows of each measured person.
    pub(super) scale: u32,
    /// True to also measure with 10 million rows of other people.
    pub(super) large: bool,
    /// True to run with the programs of the last release build.
    pub(super) no_build: bool,
    /// True to write `docs/performance.md` from the stored results.
    pub(super) write: bool,
}

pub(super) const USAGE: &str =
    "usage: cargo lab bench [SCENARIO]... [--quick] [--rounds N] [--seconds N] [--large] [--no-build]
                          [--write]

  SCENARIO    the start of a scenario's name; without it, every scenario runs
  --quick     a tenth of the rows, one round of one second: shows that everything works, measures nothing
  --rounds N  alternating runs of each contender (default 5)
  --seconds N duration of one run (default 4)
  --large     also the database with 10 million rows of other people, which takes long to make
  --no-build  runs with the programs of the last release build, and with the load generator of this build
  --write     writes docs/performance.md from the results of this and earlier runs";

impl Options {
    /// Reads the words after `bench`.
    pub(super) fn parse(words: &[String]) -> Result<Options, String> {
        let mut options = Options {
            prefixes: Vec::new(),
            rounds: 5,
            duration: Duration::from_secs(4),
            scale: 1,
            large: false,
            no_build: false,
            write: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut number = || -> Result<u64, String> {
                let value = words.next().and_then(|value| value.parse().ok()).filter(|value| *value > 0);
                value.ok_or_else(|| format!("{word} needs a number above 0\n\n{USAGE}"))
            };
            match word.as_str() {
                "--quick" => {
                    options.scale = 10;
                    options.rounds = 1;
                    options.duration = Duration::from_secs(1);
                }
                "--rounds" => options.rounds = usize::try_from(number()?).unwrap_or(usize::MAX),
                "--seconds" => options.duration = Duration::from_secs(number()?),
                "--large" => options.large = true,
                "--no-build" => options.no_build = true,
                "--write" => options.write = true,
                name if !name.starts_with('-') => options.prefixes.push(name.to_owned()),
                unknown => return Err(format!("unknown option {unknown}\n\n{USAGE}")),
            }
        }
        Ok(options)
    }

    /// Returns true if the scenario is selected.
    pub(super) fn selects(&self, scenario: &str) -> bool {
        self.prefixes.is_empty() || self.prefixes.iter().any(|prefix| scenario.starts_with(prefix.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Options, String> {
        Options::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn prefixes_select_scenarios() {
        let options = parse(&["page", "--rounds", "7"]).expect("valid");
        assert_eq!(options.rounds, 7);
        assert!(options.selects("page") && options.selects("page deep") && !options.selects("month"));
        assert!(parse(&[]).expect("valid").selects("month"));
    }

    #[test]
    fn unknown_options_and_missing_numbers_are_errors() {
        for words in [&["--fast"][..], &["--rounds"], &["--seconds", "0"]] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
