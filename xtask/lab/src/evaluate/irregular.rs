//! Irregular payments of generated households: habits, errands and single purchases. None of them is a recurring stream.

use jiff::civil::{Date, Weekday};
use passbook_domain::category::{Category, ExpenseCategory as Spent, IncomeCategory as Received};

use super::calendar::{between, plus, works};
use super::profile::Profile;
use super::rows::Row;
use super::spelling::Spelling;
use super::stream_kinds::Payee;
use crate::random::Random;

#[derive(Clone, Copy, Debug)]
enum When {
    /// Payments on workdays: percentage of days with a payment, and maximum number of payments a day.
    Workdays(i64, i64),
    /// Payments on a day of the week: percentage of weeks with a payment, and maximum deviation in days.
    WeekDay(Weekday, i64, i64),
    /// Payments after a random number of days: minimum and maximum number.
    After(i64, i64),
    /// Payments around the same day of every year: maximum deviation in days.
    EveryYear(i64),
}

#[derive(Clone, Copy, Debug)]
enum Cost {
    /// One of these prices in cents, most often the first.
    Menu(&'static [i64]),
    /// Any amount from the minimum to the maximum, in cents.
    Between(i64, i64),
    /// A multiple of the first number (in cents), at most as often as the second number says.
    Notes(i64, i64),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct IrregularPayments {
    pub(super) name: &'static str,
    pub(super) likely: i64,
    category: Category,
    when: When,
    cost: Cost,
    payees: &'static [Payee],
}

const fn p(name: &'static str, titles: &'static [&'static str]) -> Payee {
    Payee { name, titles }
}

const fn irregular(
    name: &'static str,
    likely: i64,
    category: Spent,
    when: When,
    cost: Cost,
    payees: &'static [Payee],
) -> IrregularPayments {
    IrregularPayments { name, likely, category: Category::Expense(category), when, cost, payees }
}

use Cost::{Between, Menu, Notes};
use When::{After, EveryYear, WeekDay, Workdays};

#[rustfmt::skip]
pub(super) static IRREGULAR: &[IrregularPayments] = &[
    irregular("coffee", 55, Spent::Coffee, Workdays(42, 1), Menu(&[390, 390, 390, 390, 450, 680]), &[p("Starbucks", &["STARBUCKS STORE #####", "STARBUCKS 800-782-7282"]), p("Café Müller", &["CAFE MUELLER SUMUP"])]),
    irregular("lunch", 50, Spent::FastFood, Workdays(30, 1), Menu(&[890, 890, 950, 1_050, 1_290]), &[p("Chipotle", &["CHIPOTLE ####"]), p("Kantine", &["KANTINE SPEICHERSTADT"])]),
    irregular("Friday pizza", 35, Spent::Restaurant, WeekDay(Weekday::Friday, 76, 0), Menu(&[1_450, 1_450, 1_650, 2_200]), &[p("Domino's", &["DOMINO'S #### 734-930-3030"]), p("Pizzeria Roma", &["TST* PIZZERIA ROMA"])]),
    irregular("weekly shop", 75, Spent::Groceries, WeekDay(Weekday::Saturday, 92, 1), Between(4_200, 13_900), &[p("Trader Joe's", &["TRADER JOE S ###"]), p("EDEKA", &["EDEKA BERGMANN ####"]), p("Whole Foods", &["WHOLEFDS HAR #####"])]),
    irregular("corner shop", 85, Spent::Groceries, After(1, 6), Between(350, 3_900), &[p("REWE", &["REWE SAGT DANKE #######"]), p("Safeway", &["SAFEWAY #####"])]),
    irregular("baker", 45, Spent::Groceries, WeekDay(Weekday::Sunday, 70, 0), Between(420, 1_280), &[p("Bäckerei Sönmez", &["BAECKEREI SOENMEZ"])]),
    irregular("barber", 60, Spent::Beauty, After(20, 44), Menu(&[2_800, 2_800, 2_800, 3_300]), &[p("Great Clips", &["GREAT CLIPS AT ####"]), p("Frisör Haarscharf", &["FRISOER HAARSCHARF SUMUP"])]),
    irregular("transit fares", 50, Spent::PublicTransport, Workdays(38, 2), Menu(&[290]), &[p("MTA", &["MTA*NYCT PAYGO"]), p("HVV", &["HVV SWITCH EINZELTICKET"])]),
    irregular("cash", 70, Spent::CashWithdrawal, After(5, 26), Notes(2_000, 10), &[p("ATM", &["ATM WITHDRAWAL ######", "GAA ######## HAMBURG"])]),
    irregular("fuel", 55, Spent::Fuel, After(6, 17), Between(3_200, 8_400), &[p("Shell", &["SHELL OIL ###########"]), p("Aral", &["ARAL STATION ########"])]),
    irregular("marketplace", 80, Spent::Marketplace, After(2, 21), Between(499, 14_900), &[p("Amazon", &["AMZN MKTP US*######", "AMAZON.COM*######"])]),
    irregular("app purchases", 35, Spent::VideoGames, After(6, 60), Menu(&[99, 199, 299, 499, 999]), &[p("Apple", &["APPLE.COM/BILL 866-712-7753 CA"])]),
    irregular("games bought", 30, Spent::VideoGames, After(15, 90), Between(499, 6_999), &[p("PlayStation", &["PLAYSTATION NETWORK ########"])]),
    irregular("restaurants", 80, Spent::Restaurant, After(4, 24), Between(1_900, 9_800), &[p("Trattoria da Enzo", &["TRATTORIA DA ENZO"]), p("Thai Basil", &["SQ *THAI BASIL"])]),
    irregular("taxi", 55, Spent::Taxi, After(3, 30), Between(780, 4_600), &[p("Uber", &["UBER *TRIP ######"]), p("Free Now", &["FREENOW*TAXI"])]),
    irregular("drugstore", 70, Spent::PersonalCare, After(8, 30), Between(480, 4_200), &[p("CVS", &["CVS/PHARMACY #####"]), p("dm", &["DM DROGERIEMARKT ####"])]),
    irregular("clothes", 60, Spent::Clothing, After(18, 90), Between(1_900, 18_000), &[p("H&M", &["H&M ####"]), p("Uniqlo", &["UNIQLO ######"])]),
    irregular("pharmacy prescription", 30, Spent::Pharmacy, After(26, 41), Menu(&[1_000, 1_000, 1_500]), &[p("Walgreens", &["WALGREENS #####"]), p("Apotheke am Markt", &["APOTHEKE AM MARKT"])]),
    irregular("doctor", 40, Spent::Doctor, After(40, 210), Menu(&[2_500, 2_500, 4_000]), &[p("City Medical", &["CITY MEDICAL GROUP"])]),
    irregular("dentist", 40, Spent::Dentist, After(150, 230), Menu(&[9_000, 9_800, 12_500]), &[p("Dr Çelik", &["DR. CELIK ZAHNAERZTIN"]), p("Smile Dental", &["SMILE DENTAL NY"])]),
    irregular("car service", 35, Spent::CarMaintenance, After(240, 430), Between(14_000, 62_000), &[p("Jiffy Lube", &["JIFFY LUBE ####"]), p("ATU", &["ATU AUTO TEILE ###"])]),
    irregular("car wash", 30, Spent::CarMaintenance, After(16, 48), Menu(&[1_200, 1_200, 1_500]), &[p("Mr Wash", &["MR WASH AG"]), p("Splash", &["SPLASH CAR WASH"])]),
    irregular("birthday flowers", 30, Spent::GiftsGiven, EveryYear(3), Between(2_500, 5_900), &[p("Blume 2000", &["BLUME2000 FILIALE"]), p("1-800-Flowers", &["1800FLOWERS.COM"])]),
    irregular("holiday flights", 40, Spent::Flights, EveryYear(35), Between(18_000, 98_000), &[p("Lufthansa", &["LUFTHANSA ##########"]), p("Delta", &["DELTA AIR ############"])]),
    irregular("Christmas toys", 40, Spent::GiftsGiven, EveryYear(12), Between(4_000, 19_000), &[p("Lego", &["LEGO STORE ###"])]),
    irregular("friends by phone", 50, Spent::TransferOut, After(3, 40), Notes(500, 12), &[p("Venmo", &["VENMO PAYMENT ##########"]), p("Zelle", &["ZELLE TO ANNA M"])]),
    irregular("kiosk", 25, Spent::Tobacco, After(1, 5), Menu(&[820, 820, 1_640]), &[p("Kiosk Altona", &["KIOSK ALTONA KARTENZAHLUNG"])]),
    irregular("cinema", 40, Spent::Cinema, After(12, 70), Menu(&[1_250, 2_500, 1_450]), &[p("AMC", &["AMC #### ONLINE"]), p("Zeise Kinos", &["ZEISE KINOS"])]),
    irregular("books", 40, Spent::Books, After(10, 60), Between(900, 4_200), &[p("Thalia", &["THALIA BUCHHAUS"]), p("Audible", &["AUDIBLE*######"])]),
    irregular("five-a-side hall", 20, Spent::Sports, WeekDay(Weekday::Tuesday, 62, 0), Menu(&[800]), &[p("Soccer Hall", &["SOCCER IN HALLE"])]),
    irregular("parking", 35, Spent::Parking, After(2, 25), Menu(&[200, 300, 400, 650]), &[p("ParkMobile", &["PARKMOBILE ######"])]),
    IrregularPayments { name: "invoices to clients", likely: 25, category: Category::Income(Received::Freelance), when: After(9, 60), cost: Between(24_000, 310_000), payees: &[p("Brightloom Studio", &["ACH CREDIT BRIGHTLOOM INV ######"])] },
    IrregularPayments { name: "refunds", likely: 45, category: Category::Income(Received::Refund), when: After(25, 160), cost: Between(900, 12_000), payees: &[p("Amazon", &["AMZN MKTP US REFUND"]), p("H&M", &["H&M GUTSCHRIFT"])] },
    IrregularPayments { name: "things sold", likely: 25, category: Category::Income(Received::OtherIncome), when: After(20, 120), cost: Between(500, 9_000), payees: &[p("eBay", &["EBAY COM EXT PAYOUT"])] },
];

impl IrregularPayments {
    pub(super) fn rows(&self, random: &mut Random, profile: &Profile) -> Vec<Row> {
        let spelling = Spelling::new(*random.pick(self.payees), profile);
        let mut rows = Vec::new();
        for day in self.days(random, profile) {
            let cents = match self.cost {
                Menu(prices) => {
                    if random.percent(45) {
                        prices[0]
                    } else {
                        *random.pick(prices)
                    }
                }
                Between(least, most) => random.between(least, most),
                Notes(note, most) => note * random.between(1, most),
            };
            rows.push(Row::new(day, cents, self.category, profile, profile.card(day), &spelling, random));
        }
        rows
    }

    fn days(&self, random: &mut Random, profile: &Profile) -> Vec<Date> {
        let all = (0..=between(profile.first, profile.today)).map(|count| plus(profile.first, count));
        let mut days: Vec<Date> = match self.when {
            Workdays(percent, most) => all
                .filter(|day| works(*day))
                .flat_map(|day| {
                    let times = (0..most).filter(|_| random.percent(percent)).count();
                    std::iter::repeat_n(day, times)
                })
                .collect(),
            WeekDay(weekday, percent, jitter) => all
                .filter(|day| day.weekday() == weekday && random.percent(percent))
                .collect::<Vec<Date>>()
                .into_iter()
                .map(|day| plus(day, random.between(-jitter, jitter)))
                .collect(),
            After(least, most) => {
                let mut day = plus(profile.first, random.between(0, most));
                let mut days = Vec::new();
                while day <= profile.today {
                    days.push(day);
                    day = plus(day, random.between(least, most));
                }
                days
            }
            EveryYear(jitter) => {
                let day = plus(profile.first, random.between(0, 364));
                (0..3).map(|year| plus(day, year * 365 + random.between(-jitter, jitter))).collect()
            }
        };
        days.retain(|day| *day >= profile.first && *day <= profile.today);
        days
    }
}
