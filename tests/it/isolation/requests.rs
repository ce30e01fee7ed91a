//! The requests that each tenant sends: every operation of the catalogue with every value that the schemas of its
//! parameters suggest, and with combinations of these values. The values include identifiers, cursors, texts, amounts
//! and categories of the other tenant.

use passbook_operations::Spec;
use passbook_operations::form::Declaration;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use serde_json::Value;
use tests::catalogue::{Listed, listed, text, words};
use tests::http::query;
use tests::tenant_pair::{Tenant, UNUSED_CATEGORIES, nonexistent_neighbor};
use uuid::Uuid;

/// Maximum size of an enumeration of which every word is sent. Of a larger one, only selected words are sent.
const WORDS_MAX: usize = 8;

/// A request of one tenant.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// The identifier of the operation.
    pub(super) operation: &'static str,
    /// The path of the operation.
    pub(super) path: &'static str,
    /// The query parameters, not percent-encoded.
    pub(super) parameters: Vec<(&'static str, String)>,
    /// If a parameter has a value of the other tenant: the parameters with a nonexistent value in its place.
    pub(super) nonexistent: Option<Vec<(&'static str, String)>>,
}

impl Request {
    /// The request for an operation without parameters.
    pub(super) fn plain(spec: &Spec) -> Request {
        Request { operation: spec.id, path: spec.path, parameters: Vec::new(), nonexistent: None }
    }

    /// The path with the percent-encoded query.
    pub(super) fn target(&self) -> String {
        if self.parameters.is_empty() {
            return self.path.to_owned();
        }
        let pairs: Vec<(&str, &str)> =
            self.parameters.iter().map(|(name, text)| (*name, text.as_str())).collect();
        format!("{}?{}", self.path, query(&pairs))
    }

    /// Returns true if every test of isolation sends the request. In an ordinary test run, one test sends all requests, and the
    /// others only those without parameters and those with values of the other tenant.
    pub(super) fn is_in_every_test(&self) -> bool {
        tests::cases(self.parameters.is_empty() || self.nonexistent.is_some(), true)
    }

    /// The same request with nonexistent values in place of those of the other tenant.
    pub(super) fn with_nonexistent_values(&self) -> Option<Request> {
        let parameters = self.nonexistent.clone()?;
        Some(Request { parameters, nonexistent: None, ..self.clone() })
    }
}

/// A value of a parameter.
#[derive(Clone, Debug)]
struct Candidate {
    text: String,
    /// For a value of the other tenant: a nonexistent value to compare with.
    nonexistent: Option<String>,
}

impl Candidate {
    fn plain(text: impl Into<String>) -> Candidate {
        Candidate { text: text.into(), nonexistent: None }
    }

    fn foreign(text: impl Into<String>, nonexistent: impl Into<String>) -> Candidate {
        Candidate { text: text.into(), nonexistent: Some(nonexistent.into()) }
    }
}

/// Every request of `own`, including requests with identifiers and `cursors` of `other`.
pub(super) fn requests(own: &Tenant, other: &Tenant, cursors: &[Value], combinations: usize) -> Vec<Request> {
    let mut runner = TestRunner::deterministic();
    let mut requests = Vec::new();
    for Listed { spec, parameters, .. } in listed() {
        let candidates: Vec<(&'static str, Vec<Candidate>)> = parameters
            .iter()
            .map(|parameter| (parameter.name, candidates(parameter, own, other, cursors)))
            .collect();
        let mut add = |chosen: &[(&'static str, &Candidate)]| {
            let all = |text: fn(&Candidate) -> &str| {
                chosen.iter().map(|(name, value)| (*name, text(value).to_owned())).collect::<Vec<_>>()
            };
            let foreign = chosen.iter().any(|(_, value)| value.nonexistent.is_some());
            requests.push(Request {
                operation: spec.id,
                path: spec.path,
                parameters: all(|value| &value.text),
                nonexistent: foreign
                    .then(|| all(|value| value.nonexistent.as_deref().unwrap_or(&value.text))),
            });
        };
        add(&[]);
        for (name, values) in &candidates {
            values.iter().for_each(|value| add(&[(name, value)]));
        }
        // The statement of a query depends on the order, the grouping and the range, on the presence of a filter or search
        // text, and on the cursor, so each of the latter is combined with every word of the former; a period by name is read
        // like `timeRange`. Switches and the words of a list are bound to the same statement. The filters are a list of all
        // accounts and the state of pending rows, which no total has.
        let chosen = |wanted| crossed(&parameters, &candidates, wanted);
        let texts = chosen(|parameter| parameter.name == "merchantQuery");
        let accounts = chosen(|parameter| parameter.name == "accountIds");
        let combined = chosen(|parameter| parameter.json_text || parameter.name == "pending")
            .chain(texts.filter(|(_, text)| text.text == other.word))
            .chain(accounts.filter(|(_, list)| list.nonexistent.is_some() && list.text.contains(',')));
        for (name, value) in combined {
            for (other, word) in chosen(|parameter| {
                !parameter.list && words(parameter).is_some() && parameter.name != "period"
            }) {
                add(&[(name, value), (other, word)]);
            }
        }
        let picks = proptest::collection::vec((proptest::bool::ANY, 0..1_000_usize), candidates.len());
        for _ in 0..if candidates.is_empty() { 0 } else { combinations } {
            let picks = picks.new_tree(&mut runner).expect("a strategy without rejections").current();
            let chosen: Vec<(&str, &Candidate)> = candidates
                .iter()
                .zip(picks)
                .filter(|(_, (taken, _))| *taken)
                .map(|((name, values), (_, number))| (*name, &values[number % values.len()]))
                .collect();
            add(&chosen);
        }
    }
    requests
}

/// The values of the parameters that `wanted` selects, each with the name of its parameter.
fn crossed<'a>(
    parameters: &'a [Declaration],
    candidates: &'a [(&'static str, Vec<Candidate>)],
    wanted: fn(&Declaration) -> bool,
) -> impl Iterator<Item = (&'static str, &'a Candidate)> {
    let chosen = parameters.iter().zip(candidates).filter(move |(parameter, _)| wanted(parameter));
    chosen.flat_map(|(_, (name, values))| values.iter().map(move |value| (*name, value)))
}

/// Values of one parameter, chosen by its JSON Schema.
fn candidates(parameter: &Declaration, own: &Tenant, other: &Tenant, cursors: &[Value]) -> Vec<Candidate> {
    let schema = &parameter.schema;
    let mut candidates = match (schema["type"].as_str(), schema["format"].as_str()) {
        _ if words(parameter).is_some() => chosen_words(&words(parameter).unwrap_or_default(), own, other),
        (Some("boolean"), _) => vec![Candidate::plain("true"), Candidate::plain("false")],
        (Some("integer"), _) => integers(schema, other),
        (Some("number"), _) => ["minimum", "maximum"]
            .iter()
            .filter_map(|bound| schema.get(bound))
            .map(|n| Candidate::plain(n.to_string()))
            .collect(),
        (Some("object"), _) => positions(own, other, cursors),
        (_, Some("date")) => {
            ["2026-11-21", "2026-11-07", "2026-10-22", "2025-12-01"].map(Candidate::plain).to_vec()
        }
        (_, Some("uuid")) => identifiers(own, other),
        _ => {
            // An answer to a word that names nothing has the nearest names, so no other word has the same answer. It is
            // compared with the answer in a database without the other tenant.
            let account = format!("savings {}", own.word);
            ["rent", "cafe", "checking", &account, &own.word, &other.word].map(Candidate::plain).to_vec()
        }
    };
    if parameter.list {
        let all = |text: fn(&Candidate) -> &str| candidates.iter().map(text).collect::<Vec<_>>().join(",");
        candidates.push(Candidate::foreign(
            all(|value| &value.text),
            all(|value| value.nonexistent.as_deref().unwrap_or(&value.text)),
        ));
    }
    // Of the values that are bound to one statement, an ordinary test run sends the first, and those of the other tenant.
    if parameter.list || words(parameter).is_none() {
        let (mut own_values, own_values_max) = (0, tests::cases(1, usize::MAX));
        candidates.retain(|value| {
            let is_own = value.nonexistent.is_none() && !value.text.contains(&other.word);
            own_values += usize::from(is_own);
            !is_own || own_values <= own_values_max
        });
    }
    candidates.push(Candidate::plain(text(&parameter.example)));
    candidates
}

fn chosen_words(allowed: &[&str], own: &Tenant, other: &Tenant) -> Vec<Candidate> {
    if allowed.len() <= WORDS_MAX {
        return allowed.iter().map(|word| Candidate::plain(*word)).collect();
    }
    let mut words: Vec<Candidate> = allowed.iter().take(2).map(|word| Candidate::plain(*word)).collect();
    for (number, nonexistent) in UNUSED_CATEGORIES.iter().enumerate() {
        let (own, other) = (own.categories[number].as_str(), other.categories[number].as_str());
        if allowed.contains(&other) {
            words.extend([Candidate::plain(own), Candidate::foreign(other, nonexistent.as_str())]);
        }
    }
    words
}

fn integers(schema: &Value, other: &Tenant) -> Vec<Candidate> {
    let bound = |name: &str| schema[name].as_i64();
    let (min, max) = (bound("minimum").unwrap_or(0), bound("maximum").unwrap_or(i64::MAX));
    let mut integers: Vec<Candidate> =
        [min, max].iter().map(|number| Candidate::plain(number.to_string())).collect();
    let amount = other.household.transactions[0].amount_cents;
    if (min..max).contains(&amount) {
        integers.push(Candidate::foreign(amount.to_string(), (amount + 1).to_string()));
    }
    integers
}

fn identifiers(own: &Tenant, other: &Tenant) -> Vec<Candidate> {
    let of =
        |tenant: &Tenant| [tenant.household.accounts[0], tenant.household.transactions[0].transaction_id];
    let owned = of(own).map(|id| Candidate::plain(id.to_string()));
    let foreign =
        of(other).map(|id| Candidate::foreign(id.to_string(), nonexistent_neighbor(id).to_string()));
    owned.into_iter().chain(foreign).collect()
}

/// Cursors at rows of `own`, at rows of `other`, and cursors that `other` received.
fn positions(own: &Tenant, other: &Tenant, cursors: &[Value]) -> Vec<Candidate> {
    let position = |date: &str, id: Uuid| serde_json::json!({ "date": date, "id": id }).to_string();
    let mut positions = Vec::new();
    for number in [0, own.household.transactions.len() / 2] {
        let row = |tenant: &Tenant| {
            let row = &tenant.household.transactions[number];
            (row.date.to_string(), row.transaction_id)
        };
        let ((date, id), (others_date, others_id)) = (row(own), row(other));
        positions.push(Candidate::plain(position(&date, id)));
        positions.push(Candidate::foreign(
            position(&others_date, others_id),
            position(&others_date, nonexistent_neighbor(others_id)),
        ));
    }
    for cursor in cursors {
        let id: Uuid = cursor["id"].as_str().and_then(|id| id.parse().ok()).expect("a cursor has an id");
        let date = cursor["date"].as_str().expect("a cursor has a date");
        positions.push(Candidate::foreign(position(date, id), position(date, nonexistent_neighbor(id))));
    }
    positions
}
