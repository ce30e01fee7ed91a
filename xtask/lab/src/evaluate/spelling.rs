//! The spelling of a payee in a household: banks and aggregators write the same payee in different ways.

use jiff::civil::Date;

use super::calendar::plus;
use super::profile::Profile;
use super::stream_kinds::Payee;
use crate::random::Random;

const MONTHS: [&str; 12] = [
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
];
const MONATE: [&str; 12] = [
    "JANUAR",
    "FEBRUAR",
    "MAERZ",
    "APRIL",
    "MAI",
    "JUNI",
    "JULI",
    "AUGUST",
    "SEPTEMBER",
    "OKTOBER",
    "NOVEMBER",
    "DEZEMBER",
];

/// The spelling of one payee in one household.
#[derive(Clone, Debug)]
pub(super) struct Spelling {
    payee: Payee,
    title: &'static str,
    /// The day from which the payee has another title, and this title: the payee's bank changed its texts. `None` if
    /// the title never changes.
    later: Option<(Date, &'static str)>,
    /// The digits that replace `%` in a title.
    account_number: String,
    /// The day from which the aggregator gives a merchant name. `None` if it never does.
    named_since: Option<Date>,
    german: bool,
}

impl Spelling {
    /// Creates the spelling by random choices. All streams of a household share the spelling of a payee.
    pub(super) fn new(payee: Payee, profile: &Profile) -> Spelling {
        let mut random = Random::new(profile.seed, payee.name);
        let title = random.pick(payee.titles);
        let named_since = match random.between(1, 100) {
            1..=68 => Some(profile.first),
            69..=74 => Some(plus(profile.first, random.between(60, 600))),
            _ => None,
        };
        // Without a merchant name the title must not change: nothing would show that the payee is the same.
        let changes = named_since == Some(profile.first) && random.percent(15);
        let later =
            changes.then(|| (plus(profile.first, random.between(60, 600)), *random.pick(payee.titles)));
        let account_number = format!("{:012}", random.between(1, 999_999_999_999));
        Spelling { payee, title, later, account_number, named_since, german: profile.currency == "EUR" }
    }

    pub(super) fn title(&self, day: Date, random: &mut Random) -> String {
        let pattern = match self.later {
            Some((since, later)) if day >= since => later,
            _ => self.title,
        };
        let mut digits = self.account_number.chars();
        let mut title = String::new();
        for letter in pattern.chars() {
            match letter {
                '#' => title.push_str(&random.between(0, 9).to_string()),
                '%' => title.push(digits.next().unwrap_or('7')),
                '@' => {
                    let names = if self.german { &MONATE } else { &MONTHS };
                    title.push_str(names[usize::try_from(day.month() - 1).expect("a month")]);
                    title.push_str(&format!(" {}", day.year()));
                }
                other => title.push(other),
            }
        }
        title
    }

    pub(super) fn name(&self, day: Date, random: &mut Random) -> Option<String> {
        let named = self.named_since.is_some_and(|since| day >= since);
        named.then(|| match random.between(1, 100) {
            1..=6 => self.payee.name.to_uppercase(),
            7..=8 => format!("{} ", self.payee.name),
            _ => self.payee.name.to_owned(),
        })
    }
}
