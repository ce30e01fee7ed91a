//! What the twins ask: every operation of the catalogue, with every value that its parameters' schemas suggest, and
//! with combinations of them. Among the values are identifiers, cursors, texts, amounts and categories of the other.

use operations::form::Declaration;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use serde_json::Value;
use tests::catalogue::{Listed, listed};
use tests::http::query;
use tests::tenant_pair::{Tenant, UNUSED_CATEGORIES, nonexistent_neighbor};
use uuid::Uuid;

use crate::catalogue::text;

/// Words of a closed list that are all asked for; of a longer one, the ones that matter.
const WORDS_MAX: usize = 8;
/// A word as long as the twins' that no row has.
const NOBODYS_WORD: &str = "marigold";

/// A request of one twin.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    /// The operation's id.
    pub(super) operation: &'static str,
    /// Its path.
    pub(super) path: &'static str,
    /// Parameters in plain text.
    pub(super) parameters: Vec<(&'static str, String)>,
    /// Where a value is the other's: the same with a value that is nobody's in its place.
    pub(super) nonexistent_neighbor: Option<Vec<(&'static str, String)>>,
}

impl Ask {
    /// Path and query.
    pub(super) fn target(&self) -> String {
        target(self.path, &self.parameters)
    }

    /// The request for what is nobody's.
    pub(super) fn for_nobodys(&self) -> Option<Ask> {
        let parameters = self.nonexistent_neighbor.clone()?;
        Some(Ask { parameters, nonexistent_neighbor: None, ..self.clone() })
    }
}

fn target(path: &str, parameters: &[(&str, String)]) -> String {
    if parameters.is_empty() {
        return path.to_owned();
    }
    let pairs: Vec<(&str, &str)> = parameters.iter().map(|(name, text)| (*name, text.as_str())).collect();
    format!("{path}?{}", query(&pairs))
}

/// A value to try.
#[derive(Clone, Debug)]
struct Try {
    text: String,
    /// What is nobody's, where this is the other's.
    nonexistent_neighbor: Option<String>,
}

impl Try {
    fn plain(text: impl Into<String>) -> Try {
        Try { text: text.into(), nonexistent_neighbor: None }
    }

    fn foreign(text: impl Into<String>, nonexistent_neighbor: impl Into<String>) -> Try {
        Try { text: text.into(), nonexistent_neighbor: Some(nonexistent_neighbor.into()) }
    }
}

/// Every request of `own`, who has got hold of the other's identifiers and cursors.
pub(super) fn asks(own: &Tenant, other: &Tenant, cursors: &[Value], combinations: usize) -> Vec<Ask> {
    let mut runner = TestRunner::deterministic();
    let mut asks = Vec::new();
    for Listed { spec, parameters, .. } in listed() {
        let tries: Vec<(&'static str, Vec<Try>)> = parameters
            .iter()
            .map(|parameter| (parameter.name, tries(parameter, own, other, cursors)))
            .collect();
        let mut add = |chosen: &[(&'static str, &Try)]| {
            let all = |text: fn(&Try) -> &str| {
                chosen.iter().map(|(name, value)| (*name, text(value).to_owned())).collect::<Vec<_>>()
            };
            let foreign = chosen.iter().any(|(_, value)| value.nonexistent_neighbor.is_some());
            asks.push(Ask {
                operation: spec.id,
                path: spec.path,
                parameters: all(|value| &value.text),
                nonexistent_neighbor: foreign
                    .then(|| all(|value| value.nonexistent_neighbor.as_deref().unwrap_or(&value.text))),
            });
        };
        add(&[]);
        for (name, values) in &tries {
            values.iter().for_each(|value| add(&[(name, value)]));
        }
        // A cursor means something under an order or a range only.
        for (name, cursor) in crossed(&parameters, &tries, |parameter| parameter.json_text) {
            for (other, word) in crossed(&parameters, &tries, |parameter| parameter.schema["enum"].is_array())
            {
                add(&[(name, cursor), (other, word)]);
            }
        }
        let picks = proptest::collection::vec((proptest::bool::ANY, 0..1_000_usize), tries.len());
        for _ in 0..if tries.is_empty() { 0 } else { combinations } {
            let picks = picks.new_tree(&mut runner).expect("a strategy without rejections").current();
            let chosen: Vec<(&str, &Try)> = tries
                .iter()
                .zip(picks)
                .filter(|(_, (taken, _))| *taken)
                .map(|((name, values), (_, number))| (*name, &values[number % values.len()]))
                .collect();
            add(&chosen);
        }
    }
    asks
}

/// The values of the parameters that are wanted, each with its parameter's name.
fn crossed<'a>(
    parameters: &'a [Declaration],
    tries: &'a [(&'static str, Vec<Try>)],
    wanted: fn(&Declaration) -> bool,
) -> impl Iterator<Item = (&'static str, &'a Try)> {
    let chosen = parameters.iter().zip(tries).filter(move |(parameter, _)| wanted(parameter));
    chosen.flat_map(|(_, (name, values))| values.iter().map(move |value| (*name, value)))
}

/// Values of one parameter, by what its schema says it is.
fn tries(parameter: &Declaration, own: &Tenant, other: &Tenant, cursors: &[Value]) -> Vec<Try> {
    let schema = &parameter.schema;
    let mut tries = match (schema["type"].as_str(), schema["format"].as_str()) {
        _ if schema["enum"].is_array() => words(&schema["enum"], own, other),
        (Some("boolean"), _) => vec![Try::plain("true"), Try::plain("false")],
        (Some("integer"), _) => integers(schema, other),
        (Some("number"), _) => ["minimum", "maximum"]
            .iter()
            .filter_map(|bound| schema.get(bound))
            .map(|n| Try::plain(n.to_string()))
            .collect(),
        (Some("object"), _) => positions(own, other, cursors),
        (_, Some("date")) => {
            ["2026-11-21", "2026-11-07", "2026-10-22", "2025-12-01"].map(Try::plain).to_vec()
        }
        (_, Some("uuid")) => identifiers(own, other),
        _ => {
            let shared = ["rent", "cafe"].map(Try::plain);
            shared
                .into_iter()
                .chain([Try::plain(&own.word), Try::foreign(&other.word, NOBODYS_WORD)])
                .collect()
        }
    };
    if parameter.list {
        let all = |text: fn(&Try) -> &str| tries.iter().map(text).collect::<Vec<_>>().join(",");
        tries.push(Try::foreign(
            all(|value| &value.text),
            all(|value| value.nonexistent_neighbor.as_deref().unwrap_or(&value.text)),
        ));
    }
    tries.push(Try::plain(text(&parameter.example)));
    tries
}

fn words(allowed: &Value, own: &Tenant, other: &Tenant) -> Vec<Try> {
    let allowed: Vec<&str> = allowed.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if allowed.len() <= WORDS_MAX {
        return allowed.into_iter().map(Try::plain).collect();
    }
    let mut words: Vec<Try> = allowed.iter().take(2).map(|word| Try::plain(*word)).collect();
    for (number, nonexistent_neighbor) in UNUSED_CATEGORIES.iter().enumerate() {
        let (own, other) = (own.categories[number].as_str(), other.categories[number].as_str());
        if allowed.contains(&other) {
            words.extend([Try::plain(own), Try::foreign(other, nonexistent_neighbor.as_str())]);
        }
    }
    words
}

fn integers(schema: &Value, other: &Tenant) -> Vec<Try> {
    let bound = |name: &str| schema[name].as_i64();
    let (min, max) = (bound("minimum").unwrap_or(0), bound("maximum").unwrap_or(i64::MAX));
    let mut integers: Vec<Try> = [min, max].iter().map(|number| Try::plain(number.to_string())).collect();
    let amount = other.household.transactions[0].amount_cents;
    if (min..max).contains(&amount) {
        integers.push(Try::foreign(amount.to_string(), (amount + 1).to_string()));
    }
    integers
}

fn identifiers(own: &Tenant, other: &Tenant) -> Vec<Try> {
    let of =
        |tenant: &Tenant| [tenant.household.accounts[0], tenant.household.transactions[0].transaction_id];
    let owned = of(own).map(|id| Try::plain(id.to_string()));
    let foreign = of(other).map(|id| Try::foreign(id.to_string(), nonexistent_neighbor(id).to_string()));
    owned.into_iter().chain(foreign).collect()
}

/// Cursors: at own rows, at the other's, and those that the other was given.
fn positions(own: &Tenant, other: &Tenant, cursors: &[Value]) -> Vec<Try> {
    let position = |date: &str, id: Uuid| serde_json::json!({ "date": date, "id": id }).to_string();
    let mut positions = Vec::new();
    for number in [0, own.household.transactions.len() / 2] {
        let row = |tenant: &Tenant| {
            let row = &tenant.household.transactions[number];
            (row.date.to_string(), row.transaction_id)
        };
        let ((date, id), (others_date, others_id)) = (row(own), row(other));
        positions.push(Try::plain(position(&date, id)));
        positions.push(Try::foreign(
            position(&others_date, others_id),
            position(&others_date, nonexistent_neighbor(others_id)),
        ));
    }
    for cursor in cursors {
        let id: Uuid = cursor["id"].as_str().and_then(|id| id.parse().ok()).expect("a cursor has an id");
        let date = cursor["date"].as_str().expect("a cursor has a date");
        positions.push(Try::foreign(position(date, id), position(date, nonexistent_neighbor(id))));
    }
    positions
}
