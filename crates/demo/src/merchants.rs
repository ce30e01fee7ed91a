//! The shops and restaurants of the household, from which everyday purchases are drawn.

use std::ops::RangeInclusive;

use ExpenseCategory as Spent;
use jiff::civil::Date;
use passbook_domain::category::ExpenseCategory;

use super::accounts::OwnAccount;
use super::calendar::Generator;
use super::ledger::NewTransaction;

/// A shop or restaurant with the range of its prices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merchant {
    /// Spellings of the shop's name: banks report one merchant under several spellings.
    pub(super) spellings: &'static [&'static str],
    pub(super) title: &'static str,
    pub(super) category: ExpenseCategory,
    /// Smallest and largest price, in hundredths of the currency.
    pub(super) least_cents: i64,
    pub(super) most_cents: i64,
    /// Every price is a multiple of this number of hundredths.
    pub(super) step: i64,
}

const fn shop(
    spellings: &'static [&'static str],
    title: &'static str,
    category: ExpenseCategory,
    cents: RangeInclusive<i64>,
    step: i64,
) -> Merchant {
    Merchant { spellings, title, category, least_cents: *cents.start(), most_cents: *cents.end(), step }
}

/// Supermarkets, bakeries and drugstores.
#[rustfmt::skip]
pub(super) static SUPERMARKETS: &[Merchant] = &[
    shop(&["REWE", "REWE", "Rewe"], "REWE SAGT DANKE. 44120//HAMBURG/DE", Spent::Groceries, 1_480..=6_890, 1),
    shop(&["EDEKA", "Edeka"], "EDEKA BERGMANN OTTENSEN//HAMBURG/DE", Spent::Groceries, 1_120..=5_480, 1),
    shop(&["Lidl", "LIDL"], "LIDL DIENSTLEISTUNG SAGT DANKE//HAMBURG", Spent::Groceries, 980..=4_760, 1),
    shop(&["ALDI Nord"], "ALDI NORD 8841 ALTONA//HAMBURG/DE", Spent::Groceries, 890..=3_990, 1),
    shop(&["Bäckerei Sönmez", "BÄCKEREI SÖNMEZ"], "BAECKEREI SOENMEZ KARTENZAHLUNG", Spent::Groceries, 340..=980, 10),
    shop(&["dm-drogerie markt", "DM-Drogerie Markt"], "DM DROGERIEMARKT SAGT DANKE//HAMBURG", Spent::PersonalCare, 640..=3_250, 5),
];

/// Cafés.
#[rustfmt::skip]
pub(super) static COFFEE: &[Merchant] = &[
    shop(&["Café Müller", "CAFÉ MÜLLER", "café müller"], "CAFE MUELLER OTTENSEN//HAMBURG/DE", Spent::Coffee, 320..=680, 10),
    shop(&["Elbgold"], "ELBGOLD ROESTEREI//HAMBURG/DE", Spent::Coffee, 360..=720, 10),
    shop(&["Balzac Coffee", "BALZAC COFFEE"], "BALZAC COFFEE ALTONA BHF", Spent::Coffee, 340..=590, 10),
];

/// Lunch near the office.
#[rustfmt::skip]
pub(super) static LUNCH: &[Merchant] = &[
    shop(&["Bún Chả Hà Nội"], "BUN CHA HA NOI//HAMBURG/DE", Spent::FastFood, 980..=1_390, 10),
    shop(&["Dönerhaus Altona"], "DOENERHAUS ALTONA SUMUP*", Spent::FastFood, 690..=1_150, 50),
    shop(&["Kantine Speicherstadt"], "KANTINE SPEICHERSTADT GMBH", Spent::FastFood, 640..=980, 10),
    shop(&["Subway"], "SUBWAY 41277//HAMBURG/DE", Spent::FastFood, 740..=1_190, 10),
];

/// Restaurants in the evening.
#[rustfmt::skip]
pub(super) static RESTAURANTS: &[Merchant] = &[
    shop(&["Trattoria da Enzo"], "TRATTORIA DA ENZO//HAMBURG/DE", Spent::Restaurant, 2_600..=6_900, 50),
    shop(&["Fischereihafen Restaurant"], "FISCHEREIHAFEN RESTAURANT HH", Spent::Restaurant, 4_200..=9_800, 50),
    shop(&["Smørrebrød Kælder"], "SMORREBROD KAELDER//HAMBURG/DE", Spent::Restaurant, 2_200..=4_900, 50),
    shop(&["Zum Löwen", "ZUM LÖWEN"], "GASTHAUS ZUM LOEWEN//HAMBURG", Spent::Restaurant, 1_900..=4_600, 50),
    shop(&["Aux Délices"], "AUX DELICES SARL//HAMBURG/DE", Spent::Restaurant, 2_400..=5_200, 50),
];

/// Books, leisure, transport and other errands.
#[rustfmt::skip]
pub(super) static ERRANDS: &[Merchant] = &[
    shop(&["Thalia"], "THALIA BUCHHAUS GMBH//HAMBURG/DE", Spent::Books, 1_000..=3_400, 100),
    shop(&["Zeise Kinos"], "ZEISE KINOS OTTENSEN//HAMBURG/DE", Spent::Cinema, 1_050..=2_900, 50),
    shop(&["Steam"], "STEAMGAMES.COM 4259522985", Spent::VideoGames, 999..=3_999, 1_000),
    shop(&["Knust"], "KNUST MUSIKCLUB TICKETS", Spent::Concert, 1_800..=4_200, 100),
    shop(&["Hanseplatte"], "HANSEPLATTE SCHALLPLATTEN", Spent::Music, 1_400..=3_200, 100),
    shop(&["Modulor"], "MODULOR MATERIAL TOTAL", Spent::Hobby, 900..=3_800, 10),
    shop(&["SportScheck"], "SPORTSCHECK GMBH//HAMBURG/DE", Spent::Sports, 1_995..=5_995, 500),
    shop(&["Molotow"], "MOLOTOW BAR KARTENZAHLUNG", Spent::Nightlife, 1_200..=3_600, 50),
    shop(&["Jacques' Wein-Depot"], "JACQUES WEIN-DEPOT//HAMBURG/DE", Spent::Alcohol, 1_290..=4_470, 10),
    shop(&["Apotheke am Spritzenplatz"], "APOTHEKE AM SPRITZENPLATZ", Spent::Pharmacy, 495..=2_890, 5),
    shop(&["Amazon", "AMAZON", "Amazon"], "AMZN MKTP DE*2K4XB81M4", Spent::Marketplace, 899..=4_999, 10),
    shop(&["Deutsche Bahn"], "DB VERTRIEB GMBH WWW.BAHN.DE", Spent::Transport, 1_790..=6_990, 100),
    shop(&["Free Now", "FREE NOW"], "FREENOW*TAXI//HAMBURG/DE", Spent::Taxi, 980..=2_640, 10),
    shop(&["Budni"], "IWAN BUDNIKOWSKY SAGT DANKE", Spent::PersonalCare, 560..=2_480, 1),
    shop(&["Frisör Haarscharf"], "FRISOER HAARSCHARF SUMUP*", Spent::Beauty, 3_200..=5_800, 100),
    shop(&["Blume 2000"], "BLUME2000 FILIALE 188//HAMBURG", Spent::GiftsGiven, 1_290..=3_990, 100),
    shop(&["OBI"], "OBI BAU- UND HEIMWERKERMARKT", Spent::HomeMaintenance, 790..=5_690, 10),
    shop(&["Deutsche Post"], "DEUTSCHE POST AG FIL. ALTONA", Spent::Postage, 160..=1_499, 1),
];

/// Merchants of the journey to New York, in dollars.
#[rustfmt::skip]
pub(super) static NEW_YORK: &[Merchant] = &[
    shop(&["Joe's Pizza", "JOE'S PIZZA"], "TST* JOES PIZZA NEW YORK NY", Spent::FastFood, 750..=1_640, 1),
    shop(&["Katz's Delicatessen"], "SQ *KATZS DELICATESSEN NYC", Spent::Restaurant, 2_840..=5_620, 1),
    shop(&["Blue Bottle Coffee"], "SQ *BLUE BOTTLE COFFEE BROOKLYN", Spent::Coffee, 520..=980, 1),
    shop(&["Uber"], "UBER *TRIP HELP.UBER.COM CA", Spent::Taxi, 1_280..=4_460, 1),
    shop(&["MTA"], "MTA*NYCT PAYGO NEW YORK NY", Spent::PublicTransport, 290..=290, 1),
    shop(&["Strand Book Store"], "STRAND BOOK STORE NEW YORK", Spent::Books, 1_495..=4_990, 5),
    shop(&["The Met"], "METROPOLITAN MUSEUM ADMISSIONS", Spent::Events, 3_000..=3_000, 1),
    shop(&["Trader Joe's"], "TRADER JOE S #543 NEW YORK NY", Spent::Groceries, 1_140..=3_870, 1),
];

/// Merchants of the journey to Lisbon, all in the category `VACATION`.
#[rustfmt::skip]
pub(super) static LISBON: &[Merchant] = &[
    shop(&["Pastéis de Belém"], "PASTEIS DE BELEM LISBOA PT", Spent::Vacation, 640..=1_480, 10),
    shop(&["Cervejaria Ramiro"], "CERVEJARIA RAMIRO LISBOA PT", Spent::Vacation, 3_800..=8_900, 10),
    shop(&["Comboios de Portugal"], "CP COMBOIOS SINTRA PT", Spent::Vacation, 480..=960, 10),
    shop(&["Surf Caparica"], "SURF CAPARICA ESCOLA PT", Spent::Vacation, 3_500..=5_500, 500),
    shop(&["Oceanário de Lisboa"], "OCEANARIO DE LISBOA PT", Spent::Vacation, 2_500..=5_000, 100),
];

/// Returns a purchase at one of the shops.
pub(super) fn purchase(
    random: &mut Generator,
    account: OwnAccount,
    day: Date,
    shops: &[Merchant],
) -> NewTransaction {
    let shop = random.pick(shops);
    let steps = (shop.most_cents - shop.least_cents) / shop.step;
    let cents = shop.least_cents + random.between(0..=steps) * shop.step;
    NewTransaction::expense(account, day, shop.category, cents)
        .title(shop.title)
        .merchant(random.pick(shop.spellings))
}
