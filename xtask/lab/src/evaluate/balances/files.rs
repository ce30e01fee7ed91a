//! The files of a simulated account: what a bank states by source, with a fault.

use super::account::{Account, Booking, DAYS};
use crate::random::Random;

/// The source of an account's balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Monthly,
    Weekly,
    Daily,
    /// CSV files with running balances, the oldest row first.
    Ascending,
    /// The same, the newest row first.
    Descending,
    /// OFX files whose balance has a time.
    OfxTime,
    /// OFX files whose balance has a day only.
    OfxDay,
    /// Monthly statements and CSV files without balances, as of two banks' websites.
    Beside,
    /// CSV files without balances.
    Plain,
    /// Rows and the present balance, of a loader that declares its days complete.
    Present,
    /// The balance of every day without rows.
    Snapshots,
    /// The weekly value of securities.
    Valued,
}

impl Source {
    pub(super) const ALL: [Source; 12] = [
        Source::Monthly,
        Source::Weekly,
        Source::Daily,
        Source::Ascending,
        Source::Descending,
        Source::OfxTime,
        Source::OfxDay,
        Source::Beside,
        Source::Plain,
        Source::Present,
        Source::Snapshots,
        Source::Valued,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Source::Monthly => "monthly statements",
            Source::Weekly => "weekly statements",
            Source::Daily => "daily statements",
            Source::Ascending => "CSV with running balances, oldest row first",
            Source::Descending => "CSV with running balances, newest row first",
            Source::OfxTime => "OFX, balance with a time",
            Source::OfxDay => "OFX, balance of a day",
            Source::Beside => "monthly statements beside CSV without balances",
            Source::Plain => "CSV without balances",
            Source::Present => "loader: rows and the present balance",
            Source::Snapshots => "loader: daily balances without rows",
            Source::Valued => "loader: weekly values of securities",
        }
    }

    /// True if files list all days, and state balances.
    pub(super) fn covers_everything(self) -> bool {
        let without = [Source::Plain, Source::Present, Source::Snapshots, Source::Valued];
        !without.contains(&self)
    }
}

/// The fault of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    FileMissing,
    NewestFileMissing,
    RowMissing,
    RowMissingInNewest,
    RowTwice,
    /// Older files have a wrong amount, and balances with it.
    RowCorrected,
    ErrorsCancel,
    /// Two rows are missing whose sum is zero.
    PairMissing,
    WrongBalance,
    NewestBalanceWrong,
    /// Files list pending rows, some of which are never booked.
    Pending,
    /// A row in another currency that is part of the balance.
    ForeignRow,
    /// Rows in another currency that are not part of the balance.
    ForeignPocket,
    Backdated,
}

impl Fault {
    pub(super) const ALL: [Fault; 15] = [
        Fault::None,
        Fault::FileMissing,
        Fault::NewestFileMissing,
        Fault::RowMissing,
        Fault::RowMissingInNewest,
        Fault::RowTwice,
        Fault::RowCorrected,
        Fault::ErrorsCancel,
        Fault::PairMissing,
        Fault::WrongBalance,
        Fault::NewestBalanceWrong,
        Fault::Pending,
        Fault::ForeignRow,
        Fault::ForeignPocket,
        Fault::Backdated,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Fault::None => "none",
            Fault::FileMissing => "file missing",
            Fault::NewestFileMissing => "newest file missing",
            Fault::RowMissing => "row missing",
            Fault::RowMissingInNewest => "row missing in the newest file",
            Fault::RowTwice => "row twice",
            Fault::RowCorrected => "row corrected by a newer file",
            Fault::ErrorsCancel => "two errors cancel",
            Fault::PairMissing => "two rows missing that add up to zero",
            Fault::WrongBalance => "stated balance wrong",
            Fault::NewestBalanceWrong => "newest stated balance wrong",
            Fault::Pending => "pending rows",
            Fault::ForeignRow => "foreign row that moves the balance",
            Fault::ForeignPocket => "foreign rows of another balance",
            Fault::Backdated => "row dated back",
        }
    }
}

/// A line of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileLine {
    pub(super) id: u64,
    pub(super) day: i64,
    pub(super) cents: i64,
    pub(super) balance_after: Option<i64>,
    pub(super) pending: bool,
    pub(super) is_foreign: bool,
}

/// A balance of a file, with its day.
#[derive(Clone, Copy, Debug)]
pub(super) enum FileBalance {
    Opening(i64, i64),
    Closing(i64, i64),
    Instant(i64, i64),
}

impl FileBalance {
    fn add(&mut self, cents: i64) {
        let (FileBalance::Opening(_, own) | FileBalance::Closing(_, own) | FileBalance::Instant(_, own)) =
            self;
        *own += cents;
    }
}

/// A file.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    /// The stated period.
    pub(super) days: Option<(i64, i64)>,
    pub(super) is_sequence: bool,
    pub(super) has_ids: bool,
    pub(super) lines: Vec<FileLine>,
    pub(super) balances: Vec<FileBalance>,
}

/// Returns the files of an account's source.
pub(super) fn files(account: &Account, source: Source, fault: Fault) -> Vec<File> {
    let bank = Bank::new(account, fault);
    let mut files = match source {
        Source::Monthly => bank.statements(30),
        Source::Weekly => bank.statements(7),
        Source::Daily => bank.statements(1),
        Source::Beside => [bank.statements(30), bank.windows(Source::Plain)].concat(),
        _ => bank.windows(source),
    };
    let inner = files.len() / 2;
    match fault {
        Fault::FileMissing => drop(files.remove(inner)),
        Fault::NewestFileMissing => drop(files.pop()),
        Fault::WrongBalance => wrong_balance(&mut files[inner]),
        Fault::NewestBalanceWrong => {
            if let Some(newest) = files.iter_mut().rev().find(|file| !file.balances.is_empty()) {
                wrong_balance(newest);
            }
        }
        _ => {}
    }
    files
}

/// Changes the last balance of a file.
fn wrong_balance(file: &mut File) {
    if let Some(balance) = file.balances.last_mut() {
        balance.add(7_700);
    }
    let newest = file.lines.iter_mut().filter(|line| line.balance_after.is_some());
    if let Some(balance) = newest.max_by_key(|line| line.day).and_then(|line| line.balance_after.as_mut()) {
        *balance += 7_700;
    }
}

/// The bookings of an account as the bank shows them.
struct Bank<'a> {
    account: &'a Account,
    fault: Fault,
    bookings: Vec<Booking>,
    /// The rows that the fault concerns, and the half day until which an amount is wrong.
    chosen: Vec<u64>,
    corrected: i64,
}

impl Bank<'_> {
    fn new(account: &Account, fault: Fault) -> Bank<'_> {
        let mut random = Random::new(account.seed, "balance-faults");
        let mut bookings = account.bookings.clone();
        let last = if fault == Fault::RowMissingInNewest { (DAYS - 7, DAYS - 2) } else { (40, 130) };
        let day = random.between(last.0, last.1);
        let at = bookings.partition_point(|booking| booking.day < day).min(bookings.len() - 1);
        let first = bookings[at];
        let chosen = match fault {
            Fault::PairMissing => {
                let other = bookings[at + 1..].iter().find(|other| other.cents == -first.cents);
                // Purchases seldom have a counterpart, so one is made by two rows of the same bank.
                other.map_or_else(Vec::new, |other| vec![first.id, other.id])
            }
            Fault::ErrorsCancel => {
                bookings[at..].iter().step_by(7).take(2).map(|booking| booking.id).collect()
            }
            _ => vec![first.id],
        };
        if fault == Fault::Backdated {
            bookings[at].shown += random.between(6, 24);
        }
        Bank { account, fault, bookings, chosen, corrected: first.shown + 30 }
    }

    /// The balance that the bank shows at a time.
    fn balance(&self, day: i64, now: i64) -> i64 {
        let shown = self.bookings.iter().filter(|booking| booking.day <= day && booking.shown <= now);
        let wrong = shown.clone().filter(|booking| self.is_wrong(booking, now)).count();
        let wrong = i64::try_from(wrong).expect("a few rows");
        self.account.before + shown.map(|booking| booking.cents).sum::<i64>() + 100 * wrong
    }

    fn is_wrong(&self, booking: &Booking, now: i64) -> bool {
        self.fault == Fault::RowCorrected && self.chosen.contains(&booking.id) && now < self.corrected
    }

    /// Returns the lines of bookings as a file of a time lists them.
    fn lines<'a>(&self, bookings: impl Iterator<Item = &'a Booking>, now: i64) -> Vec<FileLine> {
        let mut lines = Vec::new();
        for booking in bookings {
            let at = self.chosen.iter().position(|id| *id == booking.id);
            let mut line = FileLine {
                id: booking.id,
                day: booking.day,
                cents: booking.cents,
                balance_after: None,
                pending: false,
                is_foreign: false,
            };
            match (self.fault, at) {
                (Fault::RowMissing | Fault::RowMissingInNewest | Fault::PairMissing, Some(_)) => continue,
                (Fault::RowTwice, Some(_)) => lines.push(FileLine { id: line.id + 100_000, ..line }),
                (Fault::ErrorsCancel, Some(at)) => line.cents += if at == 0 { 300 } else { -300 },
                (Fault::RowCorrected, Some(_)) if self.is_wrong(booking, now) => line.cents += 100,
                (Fault::ForeignRow, Some(_)) => line.is_foreign = true,
                (Fault::ForeignPocket, Some(_)) => {
                    lines.push(FileLine { id: line.id + 100_000, is_foreign: true, ..line });
                }
                _ => {}
            }
            lines.push(line);
        }
        lines
    }

    /// Returns statements of some days each. A row that the bank shows late is on the statement of the day on which it is
    /// shown.
    fn statements(&self, step: i64) -> Vec<File> {
        let mut files = Vec::new();
        let mut first = 0;
        while first < DAYS {
            let last = (first + step - 1).min(DAYS - 1);
            let shown = self.bookings.iter().filter(|one| (first..=last).contains(&(one.shown / 2)));
            let (before, after) = (2 * first - 1, 2 * last + 1);
            files.push(File {
                days: Some((first, last)),
                is_sequence: true,
                has_ids: false,
                lines: self.lines(shown, after),
                balances: vec![
                    FileBalance::Opening(first - 1, self.balance(last, before)),
                    FileBalance::Closing(last, self.balance(last, after)),
                ],
            });
            first = last + 1;
        }
        files
    }

    /// Returns downloads of the last 35 days, one every 14 days at noon, and the last one in the evening of today.
    fn windows(&self, source: Source) -> Vec<File> {
        let mut times: Vec<i64> = (1..DAYS / 14).map(|number| 28 * number).collect();
        times.push(2 * DAYS - 1);
        times.into_iter().map(|now| self.window(source, now)).collect()
    }

    fn window(&self, source: Source, now: i64) -> File {
        let (today, first) = (now / 2, now / 2 - 35);
        let covered = |booking: &&Booking| booking.shown <= now && (first..=today).contains(&booking.day);
        let mut lines = self.lines(self.bookings.iter().filter(covered), now);
        if matches!(source, Source::Ascending | Source::Descending) {
            self.add_running_balances(&mut lines, first, now);
        }
        if source == Source::Descending {
            lines.reverse();
        }
        if self.fault == Fault::Pending {
            let announced = self.bookings.iter().filter(|one| now < one.shown && one.day <= today);
            let lapsing = Booking { id: 200_000 + now.unsigned_abs(), day: today, cents: -5_555, shown: now };
            let pending = announced.chain(std::iter::once(&lapsing)).map(|one| FileLine {
                id: one.id + 300_000,
                day: one.day,
                cents: one.cents,
                balance_after: None,
                pending: true,
                is_foreign: false,
            });
            let pending: Vec<FileLine> = pending.collect();
            lines.extend(pending);
        }
        let ofx = matches!(source, Source::OfxTime | Source::OfxDay);
        let balance = self.balance(today, now);
        File {
            days: ofx.then_some((first.max(0), today)),
            is_sequence: false,
            has_ids: ofx,
            lines,
            balances: match source {
                Source::OfxTime => vec![FileBalance::Instant(today, balance)],
                // A balance without a time is that of the end of the last complete day.
                Source::OfxDay if now % 2 == 0 => {
                    vec![FileBalance::Closing(today - 1, self.balance(today - 1, now))]
                }
                Source::OfxDay => vec![FileBalance::Closing(today, balance)],
                _ => Vec::new(),
            },
        }
    }

    /// Gives each line the balance after it, as the bank has it: also after rows that the file lacks.
    fn add_running_balances(&self, lines: &mut [FileLine], first: i64, now: i64) {
        let mut balance = self.balance(first - 1, now);
        let mut shown = self.bookings.iter().filter(|one| one.shown <= now && one.day >= first).peekable();
        for line in lines.iter_mut() {
            while let Some(booking) = shown.next_if(|one| one.id != line.id % 100_000) {
                balance += booking.cents;
            }
            if let Some(booking) = shown.next_if(|one| one.id == line.id) {
                balance += booking.cents + if self.is_wrong(booking, now) { 100 } else { 0 };
            }
            line.balance_after = Some(balance);
        }
    }
}
