//! A simulated account, and the files that its bank offers.

use crate::random::Random;

/// Days of the simulation.
const DAYS: i64 = 365;
/// Days between two downloads, and days that a download covers.
const STEP: i64 = 14;
const COVERED: i64 = 35;

/// The identifiers of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identifiers {
    Stable,
    None,
    /// The number of the line in its file.
    LineNumbers,
    /// Another identifier in every file.
    Rotated,
}

/// The quality of the files of a bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scenario {
    pub(super) identifiers: Identifiers,
    /// Percent of the lines whose text differs from the file before.
    pub(super) changed_texts: i64,
    /// Percent of the bookings that get another day later.
    pub(super) moved_days: i64,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileLine {
    pub(super) day: i64,
    pub(super) cents: i64,
    pub(super) text: String,
    pub(super) id: Option<u64>,
}

/// An account.
#[derive(Debug)]
pub(super) struct Bank {
    /// Day and cents of every booking.
    pub(super) truth: Vec<(i64, i64)>,
    /// The downloads, the oldest first.
    pub(super) files: Vec<Vec<FileLine>>,
}

struct Booking {
    day: i64,
    cents: i64,
    text: String,
    /// The half day on which the bank shows the booking.
    shown: i64,
    /// The day that the booking gets later, and the half day from which on.
    moved: Option<(i64, i64)>,
}

impl Bank {
    /// Simulates a year: equal purchases, an equal amount of interest every day, and backdated bookings.
    pub(super) fn simulate(seed: u64, scenario: Scenario) -> Bank {
        let mut random = Random::new(seed, "import-bank");
        let mut bookings = Vec::new();
        for day in 0..DAYS {
            if seed.is_multiple_of(3) {
                let (text, shown) = ("Interest".to_owned(), 2 * day + 1);
                bookings.push(Booking { day, cents: 3, text, shown, moved: None });
            }
            while random.percent(45) {
                let shop = random.between(1, 12);
                let cents =
                    *random.pick(&[-450, -500, -990, -1_250, -2_000, -3_199, -7_777, 5_000]) - shop % 3;
                let late = if random.percent(3) { random.between(1, 12) } else { random.between(0, 1) };
                let moves = scenario.moved_days > 0 && random.percent(scenario.moved_days);
                let shown = 2 * day + late;
                let moved = moves.then(|| (day + random.between(1, 3), shown + random.between(10, 40)));
                let copies = if random.percent(6) { 2 } else { 1 };
                for _ in 0..copies {
                    let text = format!("Shop {shop}");
                    bookings.push(Booking { day, cents, text, shown, moved });
                }
            }
        }
        let last = 2 * (DAYS + COVERED);
        let truth = bookings.iter().map(|booking| (booking.day_at(last), booking.cents)).collect();
        let mut files = Vec::new();
        let mut day = STEP;
        while day < DAYS + STEP {
            // At noon: the last day is cut.
            files.push(download(&bookings, day, &mut random, scenario, files.len() as u64));
            day += STEP;
        }
        files.push(download(&bookings, DAYS + COVERED / 2, &mut random, scenario, files.len() as u64));
        Bank { truth, files }
    }
}

impl Booking {
    /// Returns the day that the bank shows on a half day.
    fn day_at(&self, half: i64) -> i64 {
        self.moved.filter(|(_, from)| *from <= half).map_or(self.day, |(day, _)| day)
    }
}

fn download(
    bookings: &[Booking],
    day: i64,
    random: &mut Random,
    scenario: Scenario,
    number: u64,
) -> Vec<FileLine> {
    let now = 2 * day;
    let covered = day - COVERED..=day;
    let mut lines = Vec::new();
    for (index, booking) in (0_u64..).zip(bookings) {
        let shown_day = booking.day_at(now);
        if booking.shown > now || !covered.contains(&shown_day) {
            continue;
        }
        let changes = scenario.changed_texts > 0 && random.percent(scenario.changed_texts);
        let text = if changes { format!("{} {number}", booking.text) } else { booking.text.clone() };
        lines.push((shown_day, index, booking.cents, text));
    }
    lines.sort();
    let id = |line: u64, index: u64| match scenario.identifiers {
        Identifiers::Stable => Some(index),
        Identifiers::None => None,
        Identifiers::LineNumbers => Some(line),
        Identifiers::Rotated => Some(number * 1_000_000 + index),
    };
    (0..)
        .zip(lines)
        .map(|(line, (day, index, cents, text))| FileLine { day, cents, text, id: id(line, index) })
        .collect()
}
