//! Resolves the names of accounts, banks, own categories, tags and merchants in a request, for all operations and surfaces.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::fold::fold;
use passbook_domain::names::{Name, NameKind, Names, Resolved};
use passbook_domain::page::parse_uuid;
use passbook_domain::ports::{Ledger, ReadError};
use passbook_domain::transaction::MerchantQuery;
use passbook_input::{Fault, excerpt};
use uuid::Uuid;

use crate::context::Context;
use crate::error::{Error, ParameterFault};
use crate::form::FAULTS_MAX;

/// Number of names that a fault lists if none fits.
const NEAREST: usize = 3;
/// Number of letters at the beginning of a text and of a name that are compared to find the nearest names.
const COMPARED_LETTERS: usize = 64;

/// A text that a request gives for a thing, where only the ledger knows the thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) argument: &'static str,
    pub(crate) kind: NameKind,
    pub(crate) given: String,
}

/// The identifiers of the accounts, own categories or tags that a text selects, and the name that it is; none for an identifier.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) wanted: Wanted,
    pub(crate) ids: Vec<Uuid>,
    pub(crate) resolved: Option<Resolved>,
}

/// The last income of the largest recurring income.
#[derive(Clone, Debug)]
pub(crate) struct LastIncome {
    pub(crate) date: Date,
    pub(crate) resolved: Resolved,
}

/// The answers of the ledger for a request.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) names: Vec<Answer>,
    pub(crate) income: Option<LastIncome>,
}

/// The names of a request: those that were resolved, and those that only the ledger knows.
#[derive(Debug, Default)]
pub(crate) struct RequestNames {
    pub(crate) resolved: Vec<Resolved>,
    pub(crate) wanted: Vec<Wanted>,
    /// True if the range begins with the last income, which only the ledger knows.
    pub(crate) wants_income: bool,
}

impl RequestNames {
    /// Returns true if only the ledger knows what the request selects.
    pub(crate) fn need_ledger(&self) -> bool {
        self.wants_income || !self.wanted.is_empty()
    }
}

impl Wanted {
    /// Returns the answer that needs no names: an identifier is the thing itself, also if another has this identifier as its name.
    /// A bank stands for its accounts, which only the ledger knows.
    pub(crate) fn identified(&self) -> Option<Answer> {
        let is_itself = matches!(self.kind, NameKind::Account | NameKind::OwnCategory | NameKind::Tag);
        let id = parse_uuid(&self.given).ok().filter(|_| is_itself)?;
        Some(Answer { wanted: self.clone(), ids: vec![id], resolved: None })
    }

    /// Returns what the text selects. With `lists_nearest`, a fault lists the nearest names.
    fn answer(
        &self,
        names: &Names,
        candidates: &[(String, &Name)],
        lists_nearest: bool,
    ) -> Result<Answer, ParameterFault> {
        if !names.readable.contains(&self.kind) {
            let scopes: Vec<&str> = self.kind.scopes().iter().map(|scope| scope.as_str()).collect();
            let rule = format!("cannot be read without the scope {}", scopes.join(" or "));
            return Err(self.fault(&rule, Vec::new()));
        }
        let is_found = |name: &&Name| name.kind == self.kind && name.given.as_ref() == Some(&self.given);
        let fitting = Found::new(names.names.iter().filter(is_found).collect());
        // An unknown identifier selects nothing: of banks no accounts, of merchants no rows.
        if fitting.is_none()
            && let Ok(id) = parse_uuid(&self.given)
        {
            let id = id.to_string();
            let found = candidates.iter().find(|(_, name)| name.id == id);
            let ids = found.map_or(Vec::new(), |(_, name)| name.ids.clone());
            return Ok(Answer { wanted: self.clone(), ids, resolved: None });
        }
        let given = key(&self.given);
        let nearest = || if lists_nearest { nearest(&given, candidates) } else { Vec::new() };
        match fitting.or_else(|| fitting_of(&given, candidates)).unwrap_or_else(|| Found::Nearest(nearest()))
        {
            Found::One(name) => {
                let (id, name, ids) = (name.id.clone(), name.name.clone(), name.ids.clone());
                let resolved = Resolved { argument: self.argument, given: self.given.clone(), id, name };
                Ok(Answer { wanted: self.clone(), ids, resolved: Some(resolved) })
            }
            Found::Several(mut names) => {
                names.sort_by_key(|name| (&name.name, &name.id));
                let count = match names.len() {
                    count if count > FAULTS_MAX => format!("more than {FAULTS_MAX}"),
                    count => count.to_string(),
                };
                let kind = self.kind;
                let rule =
                    format!("must name one {kind}, and {count} fit: give the identifier or more of the name");
                Err(self.fault(&rule, names))
            }
            Found::Nearest(names) => {
                let rule = match names.is_empty() {
                    true => format!("must name a stored {}, and there is none", self.kind),
                    false => {
                        format!(
                            "must be name or identifier of a stored {}; the nearest are allowed",
                            self.kind
                        )
                    }
                };
                Err(self.fault(&rule, names))
            }
        }
    }

    fn fault(&self, rule: &str, names: Vec<&Name>) -> ParameterFault {
        let message = format!("{rule}; received {:?}", excerpt(&self.given));
        let allowed = names.into_iter().take(FAULTS_MAX).map(|name| Cow::Owned(described(name))).collect();
        ParameterFault { parameter: self.argument.to_owned(), message, allowed }
    }
}

/// Returns a name with what tells it from others of the same name.
fn described(name: &Name) -> String {
    match &name.detail {
        Some(detail) => format!("{} ({detail}, {})", name.name, name.id),
        None => format!("{} ({})", name.name, name.id),
    }
}

/// Resolves texts with one query of the ledger. A second one reads the merchants of which some are nearest to a text that names none.
///
/// # Errors
/// The faults of the first texts and the number of further ones, and the errors of the ledger.
pub(crate) async fn resolve(
    ledger: &dyn Ledger,
    access: &Access<'_>,
    wanted: &[Wanted],
) -> Result<Vec<Answer>, Error> {
    let is_wanted = |kind: &NameKind| wanted.iter().any(|wanted| wanted.kind == *kind);
    let kinds: Vec<NameKind> = NameKind::ALL.iter().copied().filter(is_wanted).collect();
    let merchants = wanted.iter().filter(|wanted| wanted.kind == NameKind::Merchant);
    let mut merchants: Vec<String> = merchants.map(|wanted| wanted.given.clone()).collect();
    merchants.sort_unstable();
    merchants.dedup();
    let mut names = ledger.names(access, &kinds, &merchants).await?.data;
    let is_named = |text: &String| names.names.iter().any(|name| name.given.as_ref() == Some(text));
    if !merchants.iter().all(is_named) {
        names.names.extend(ledger.names(access, &[NameKind::Merchant], &[]).await?.data.names);
    }
    let mut candidates: HashMap<NameKind, Vec<(String, &Name)>> = HashMap::new();
    for name in names.names.iter().filter(|name| name.given.is_none()) {
        candidates.entry(name.kind).or_default().push((key(&name.name), name));
    }
    let none = Vec::new();
    let (mut answers, mut faults, mut omitted) = (Vec::new(), Vec::new(), 0);
    for wanted in wanted {
        let is_listed = faults.len() < FAULTS_MAX;
        match wanted.answer(&names, candidates.get(&wanted.kind).unwrap_or(&none), is_listed) {
            Ok(answer) => answers.push(answer),
            Err(fault) if is_listed => faults.push(fault),
            Err(_) => omitted += 1,
        }
    }
    if omitted > 0 {
        faults.push(Fault::omitted(omitted).into());
    }
    if faults.is_empty() { Ok(answers) } else { Err(Error::Invalid(faults)) }
}

/// Returns the names of the merchants that are nearest to a search text, if `is_empty`: if the text matches nothing. Without the
/// scope of the names, and from a ledger without names, none.
pub(crate) async fn nearest_merchants(
    context: &Context<'_>,
    ledger: &dyn Ledger,
    text: Option<&MerchantQuery>,
    is_empty: bool,
) -> Result<Vec<String>, Error> {
    let Some(text) = text.filter(|_| is_empty) else { return Ok(Vec::new()) };
    let names = match ledger.names(context.access(), &[NameKind::Merchant], &[]).await {
        Err(ReadError::NotOffered(_)) => return Ok(Vec::new()),
        read => read?.data.names,
    };
    let candidates: Vec<(String, &Name)> = names.iter().map(|name| (key(&name.name), name)).collect();
    Ok(nearest(&key(text.as_str()), &candidates).into_iter().map(|name| name.name.clone()).collect())
}

/// The things that a text names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found<T> {
    /// The one whose name the text is, or begins a word of.
    One(T),
    /// Two or more that fit alike.
    Several(Vec<T>),
    /// None fits; these are spelled most like it.
    Nearest(Vec<T>),
}

impl<T: Copy> Found<T> {
    /// Returns the things that fit; `None` without any.
    fn new(fitting: Vec<T>) -> Option<Found<T>> {
        match fitting[..] {
            [] => None,
            [thing] => Some(Found::One(thing)),
            _ => Some(Found::Several(fitting)),
        }
    }
}

/// Finds what a text names among things with the keys of their names.
pub(crate) fn find<T: Copy>(given: &str, candidates: &[(String, T)]) -> Found<T> {
    let given = key(given);
    fitting_of(&given, candidates).unwrap_or_else(|| Found::Nearest(nearest(&given, candidates)))
}

/// Returns the things whose names are a text, or else have a word that begins with it.
fn fitting_of<T: Copy>(given: &str, candidates: &[(String, T)]) -> Option<Found<T>> {
    let fitting = |fits: &dyn Fn(&str) -> bool| -> Vec<T> {
        candidates.iter().filter(|(name, _)| fits(name)).map(|(_, thing)| *thing).collect()
    };
    let mut found = fitting(&|name| name == given);
    if found.is_empty() && !given.is_empty() {
        found = fitting(&|name| begins_word(name, given));
    }
    Found::new(found)
}

/// Returns a name in the form in which names are compared: without case and accents, with single spaces between words.
pub(crate) fn key(name: &str) -> String {
    let folded = fold(name);
    let words = folded.split(|letter: char| letter.is_whitespace() || letter == '_');
    words.filter(|word| !word.is_empty()).collect::<Vec<&str>>().join(" ")
}

/// Returns true if a word of `name` begins with `text`.
fn begins_word(name: &str, text: &str) -> bool {
    name.match_indices(text).any(|(at, _)| !name[..at].ends_with(char::is_alphanumeric))
}

/// Returns the things whose names differ from a text in the fewest letters.
fn nearest<T: Copy>(given: &str, candidates: &[(String, T)]) -> Vec<T> {
    let compare = |one: &(usize, &str, T), other: &(usize, &str, T)| -> Ordering {
        (one.0, one.1).cmp(&(other.0, other.1))
    };
    let given = start(given);
    let mut ranked: Vec<(usize, &str, T)> = candidates
        .iter()
        .map(|(name, thing)| (distance(given, start(name)), name.as_str(), *thing))
        .collect();
    ranked.sort_by(compare);
    ranked.into_iter().take(NEAREST).map(|(_, _, thing)| thing).collect()
}

fn start(text: &str) -> &str {
    text.char_indices().nth(COMPARED_LETTERS).map_or(text, |(end, _)| &text[..end])
}

/// Returns the number of letters to insert, delete or replace until `given` is the name, or as many words in a row of it.
fn distance(given: &str, name: &str) -> usize {
    let words: Vec<&str> = name.split(' ').collect();
    let count = given.split(' ').count();
    let parts = words.windows(count.min(words.len())).map(|part| part.join(" "));
    parts.chain([name.to_owned()]).map(|part| strsim::levenshtein(given, &part)).min().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_a_whole_name_first_then_the_beginning_of_a_word() {
        let long = "x".repeat(200);
        let names = [
            "Girokonto",
            "Girokonto Gemeinsam",
            "Café Müller",
            "İş Bankası",
            "Diyarbakır Fırın",
            "Spaß-Kasse 🎉",
            "🎉",
            "Carrefour Market",
            "Depot (alt)",
            "Depot (neu)",
            &long,
        ];
        let candidates: Vec<(String, &str)> = names.iter().map(|name| (key(name), *name)).collect();
        for (given, expected) in [
            ("girokonto", Found::One("Girokonto")),
            ("  GEMEINSAM ", Found::One("Girokonto Gemeinsam")),
            ("girokonto ge", Found::One("Girokonto Gemeinsam")),
            ("CAFE MULLER", Found::One("Café Müller")),
            ("muller", Found::One("Café Müller")),
            ("is bankasi", Found::One("İş Bankası")),
            ("diyarbakir", Found::One("Diyarbakır Fırın")),
            ("FIRIN", Found::One("Diyarbakır Fırın")),
            ("spass", Found::One("Spaß-Kasse 🎉")),
            ("kasse", Found::One("Spaß-Kasse 🎉")),
            ("🎉", Found::One("🎉")),
            (&long, Found::One(&long)),
            ("carref", Found::One("Carrefour Market")),
            ("alt", Found::One("Depot (alt)")),
            ("depot", Found::Several(vec!["Depot (alt)", "Depot (neu)"])),
            ("giro", Found::Several(vec!["Girokonto", "Girokonto Gemeinsam"])),
        ] {
            assert_eq!(find(given, &candidates), expected, "{given}");
        }
        for (given, first) in
            [("Carefour", "Carrefour Market"), ("Girokont0", "Girokonto"), ("rokonto", "Girokonto")]
        {
            let Found::Nearest(nearest) = find(given, &candidates) else { panic!("{given} fits") };
            assert_eq!((nearest.len(), nearest[0]), (NEAREST, first), "{given}");
        }
        let misspelled = format!("girokonot{}", "\u{fdfa}".repeat(50_000));
        assert!(matches!(find(&misspelled, &candidates), Found::Nearest(_)));
        // A text of which folding leaves nothing begins no word.
        assert!(matches!(find("\u{301}", &candidates), Found::Nearest(_)));
        assert_eq!(find("a", &[] as &[(String, &str)]), Found::Nearest(vec![]));
    }

    #[test]
    fn identifier_takes_precedence_over_an_equal_name() {
        let id = |number| Uuid::from_u128(number);
        let bank = |number, name: String| Name {
            kind: NameKind::Bank,
            id: id(number).to_string(),
            name,
            detail: None,
            ids: vec![id(number + 10)],
            given: None,
        };
        let names = Names {
            readable: vec![NameKind::Bank],
            names: vec![bank(1, id(2).to_string()), bank(2, "Nordbank".to_owned())],
        };
        let candidates: Vec<(String, &Name)> =
            names.names.iter().map(|name| (key(&name.name), name)).collect();
        let wanted = |kind, given: Uuid| Wanted { argument: "x", kind, given: given.to_string() };
        let found =
            |number| wanted(NameKind::Bank, id(number)).answer(&names, &candidates, true).expect("an answer");
        assert_eq!((found(2).ids, found(2).resolved), (vec![id(12)], None));
        assert!(found(3).ids.is_empty(), "an unknown bank has no accounts");
        let account = wanted(NameKind::Account, id(2)).identified().expect("an answer without names");
        assert_eq!(account.ids, [id(2)]);
    }
}
