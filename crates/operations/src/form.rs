//! Forms: an operation reads its request parameters from a form, which collects every fault.
//!
//! An operation names each parameter once, when it reads the parameter. Reading a form of [`Form::describing`] yields the
//! declarations from which OpenAPI and the tool schemas are made, so documents and behaviour cannot differ.
//!
//! A struct with derived `Deserialize` and `JsonSchema` would stop at the first fault, so that a caller with three mistakes
//! needs three requests. Its messages would not list the allowed values, and the two derives could disagree about a
//! default or a bound.

mod declaration;
mod parsing;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::hash::Hash;

use jiff::civil::Date;
use passbook_domain::Invalid;
use passbook_domain::bounded::Bounded;
use passbook_domain::names::{NameKind, Resolved};
use passbook_domain::scope::Surface;
use passbook_input::{Fault, Faults, excerpt};
use serde_json::json;
use uuid::Uuid;

use crate::error::{Error, ParameterFault};
use crate::names::{Answer, Answers, RequestNames, Wanted};
use crate::parameter::{JsonFault, NameText, Parameter, whole_number_from};
use crate::parameter_value::ParameterValue;

use parsing::{Items, json_fault, rule_fault, text_fault};

pub use declaration::{Declaration, PageSizes};

/// Maximum number of items of a list parameter.
pub const LIST_ITEMS_MAX: usize = 100;

/// Maximum number of faults that a response lists. Further faults are counted.
pub const FAULTS_MAX: usize = 20;

/// The received request parameters of one call, from which an operation reads.
#[derive(Debug)]
pub struct Form<'a> {
    received: &'a [(String, ParameterValue)],
    surface: Surface,
    /// Names of the declared parameters.
    names: Vec<&'static str>,
    /// Declarations of the parameters; `None` for a request, which needs no schemas.
    declarations: Option<Vec<Declaration>>,
    faults: Faults,
    cursor_faults: Faults,
    /// The answers of the ledger for the request.
    answers: &'a Answers,
    request_names: RequestNames,
}

/// No answer of the ledger.
static NO_ANSWERS: Answers = Answers { names: Vec::new(), income: None };

impl<'a> Form<'a> {
    /// Creates a form with the limits of REST. `received` contains names and values in the order received, repetitions
    /// included.
    pub fn new(received: &'a [(String, ParameterValue)]) -> Form<'a> {
        Form {
            received,
            surface: Surface::Rest,
            names: Vec::new(),
            declarations: None,
            faults: Faults::with_limit(FAULTS_MAX),
            cursor_faults: Faults::with_limit(FAULTS_MAX),
            answers: &NO_ANSWERS,
            request_names: RequestNames::default(),
        }
    }

    /// Creates an empty form that collects the declarations of the parameters.
    pub fn describing() -> Form<'a> {
        Form { declarations: Some(Vec::new()), ..Form::new(&[]) }
    }

    /// Returns the form with the limits of `surface`.
    #[must_use]
    pub fn with_surface(self, surface: Surface) -> Form<'a> {
        Form { surface, ..self }
    }

    /// Returns the form with what the ledger has answered for names of the request.
    #[must_use]
    pub(crate) fn with_answers(self, answers: &'a Answers) -> Form<'a> {
        Form { answers, ..self }
    }

    /// Returns the surface of the request. Limits may depend on the surface; the meaning of a parameter never does.
    pub fn surface(&self) -> Surface {
        self.surface
    }

    /// Reads an optional request parameter.
    pub fn optional<P: Parameter>(&mut self, name: &'static str, description: &'static str) -> Option<P> {
        self.declare(name, || Declaration::new::<P>(name, description));
        self.single(name)
    }

    /// Reads a request parameter that has a default value.
    pub fn or_default<P: Parameter>(
        &mut self,
        name: &'static str,
        description: &'static str,
        default: P,
    ) -> P {
        self.declare(name, || Declaration::new::<P>(name, description).with_default(default.to_json()));
        self.single(name).unwrap_or(default)
    }

    /// Reads the number of rows on a page. Its default and maximum depend on the surface.
    pub fn page_size<const MAX: i64>(
        &mut self,
        name: &'static str,
        description: &'static str,
        sizes: PageSizes<MAX>,
    ) -> Bounded<1, MAX> {
        let (default, max) = match self.surface {
            Surface::Mcp => (sizes.tool_default, sizes.tool_max.get()),
            // REST, and the surfaces of a host, which are for programs too.
            _ => (sizes.default, MAX),
        };
        self.declare(name, || {
            let mut declaration =
                Declaration::new::<Bounded<1, MAX>>(name, description).with_default(default.to_json());
            declaration.schema["maximum"] = json!(max);
            declaration.example = json!(default.get());
            declaration
        });
        let Some(value) = self.received_value(name) else { return default };
        let rule = || Invalid::new(format!("must be a whole number from 1 to {max}"));
        let in_range = |size: &Bounded<1, MAX>| size.get() <= max;
        let size = match value {
            ParameterValue::Text(text) => {
                let size = Bounded::parse(text).ok().filter(in_range);
                size.ok_or_else(|| text_fault::<Bounded<1, MAX>>(name, &rule(), text))
            }
            ParameterValue::Json(json) => {
                let size = whole_number_from(json, 1, max).and_then(|size| {
                    let size = Bounded::new(size).ok().filter(in_range);
                    size.ok_or_else(|| JsonFault::BrokenRule(rule()))
                });
                size.map_err(|fault| json_fault(name, fault, json))
            }
            ParameterValue::Unreadable(rule) => Err(Fault::verbatim(name, rule)),
        };
        size.unwrap_or_else(|fault| {
            self.faults.push(fault);
            default
        })
    }

    /// Reads an optional list parameter of 1 to [`LIST_ITEMS_MAX`] items. An empty item is a fault. In a query string the
    /// items are separated by commas, or the parameter is repeated; both forms together are one list.
    pub fn list<P: Parameter>(&mut self, name: &'static str, description: &'static str) -> Option<Vec<P>> {
        self.declare(name, || Declaration::new::<P>(name, description).into_list());
        self.items(name)
    }

    /// Reads a list parameter that tools accept too, but do not list, because another parameter does the same.
    pub(crate) fn list_for_programs<P: Parameter>(
        &mut self,
        name: &'static str,
        description: &'static str,
    ) -> Option<Vec<P>> {
        match self.surface {
            Surface::Mcp => self.names.push(name),
            _ => self.declare(name, || Declaration::new::<P>(name, description).into_list()),
        }
        self.items(name)
    }

    /// Reads an optional list parameter whose items are names or identifiers of a kind, and returns the identifiers that they
    /// select. Names that the ledger has not answered yet select none.
    pub(crate) fn ids_of(
        &mut self,
        name: &'static str,
        kind: NameKind,
        description: &'static str,
    ) -> Option<Vec<Uuid>> {
        let answers = self.named(name, kind, description)?;
        Some(answers.into_iter().flat_map(|answer| answer.ids).collect())
    }

    /// Reads an optional list parameter whose items name merchants, and returns their identifiers in the same way.
    pub(crate) fn merchants(&mut self, name: &'static str, description: &'static str) -> Option<Vec<String>> {
        let answers = self.named(name, NameKind::Merchant, description)?;
        Some(answers.into_iter().filter_map(|answer| answer.resolved).map(|resolved| resolved.id).collect())
    }

    /// Reads the names in a list parameter, and returns the known answers.
    fn named(
        &mut self,
        name: &'static str,
        kind: NameKind,
        description: &'static str,
    ) -> Option<Vec<Answer>> {
        let given: Vec<NameText> = self.list(name, description)?;
        let mut answers = Vec::new();
        for NameText(given) in given {
            let wanted = Wanted { argument: name, kind, given };
            let known = self.answers.names.iter().find(|answer| answer.wanted == wanted).cloned();
            match wanted.identified().or(known) {
                Some(answer) => {
                    self.request_names.resolved.extend(answer.resolved.clone());
                    answers.push(answer);
                }
                None => self.request_names.wanted.push(wanted),
            }
        }
        Some(answers)
    }

    /// Returns the day of the last income; none if the ledger has not answered yet.
    pub(crate) fn last_income(&mut self) -> Option<Date> {
        let income = self.answers.income.clone();
        self.request_names.wants_income = income.is_none();
        income.map(|income| {
            self.resolve(income.resolved);
            income.date
        })
    }

    /// Records what a name of the request was taken for.
    pub(crate) fn resolve(&mut self, resolved: Resolved) {
        self.request_names.resolved.push(resolved);
    }

    /// Removes and returns the names of the request.
    pub(crate) fn take_names(&mut self) -> RequestNames {
        std::mem::take(&mut self.request_names)
    }

    /// Reads the items of a declared list parameter.
    fn items<P: Parameter>(&mut self, name: &'static str) -> Option<Vec<P>> {
        let items = self.received_items(name)?;
        let count = items.count();
        // An item is parsed only if the list is short enough: the parsing of a long list would cost much more than its
        // reading.
        if count == 0 || count > LIST_ITEMS_MAX {
            let rule = format!("must have 1 to {LIST_ITEMS_MAX} items; received {count}");
            self.faults.push(Fault::verbatim(name, rule));
            return None;
        }
        let mut values = Vec::with_capacity(count);
        let faults_before = self.faults.count();
        for item in items.parsed(name) {
            match item {
                Ok(value) => values.push(value),
                Err(fault) => self.faults.push(fault),
            }
        }
        (self.faults.count() == faults_before).then_some(values)
    }

    /// Returns true if the request has a value for the parameter `name`.
    pub fn is_received(&self, name: &str) -> bool {
        self.received.iter().any(|(received, value)| received == name && !value.is_null())
    }

    /// Records that the value of a parameter breaks a rule. The message does not repeat the received value.
    pub fn reject(&mut self, name: &'static str, invalid: &Invalid) {
        self.faults.push(rule_fault(name, invalid));
    }

    /// Returns the parameters that the operation has declared so far. Empty unless [`Form::describing`] has created the
    /// form.
    pub fn declarations(&self) -> &[Declaration] {
        self.declarations.as_deref().unwrap_or_default()
    }

    /// Records the name of a parameter, and its declaration if this form collects declarations.
    fn declare(&mut self, name: &'static str, declaration: impl FnOnce() -> Declaration) {
        self.names.push(name);
        if let Some(declarations) = &mut self.declarations {
            declarations.push(declaration());
        }
    }

    /// Ends the reading and reports the faults.
    ///
    /// # Errors
    /// Every fault, undeclared parameters included. [`Error::InvalidCursor`] if only the cursor has faults.
    pub fn finish(mut self) -> Result<(), Error> {
        let declared = self.names;
        let message = if declared.is_empty() {
            "is not known: there are no parameters here"
        } else {
            "is not known here"
        };
        for name in distinct(self.received.iter().map(|(name, _)| name.as_str())) {
            if !declared.contains(&name) {
                let fault = || Fault::verbatim(excerpt(name), message).with_allowed(declared.as_slice());
                self.faults.push_with(fault);
            }
        }
        match (self.faults.is_empty(), self.cursor_faults.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err(Error::InvalidCursor(serialised(self.cursor_faults))),
            (false, _) => {
                self.faults.append(self.cursor_faults);
                Err(Error::Invalid(serialised(self.faults)))
            }
        }
    }

    /// Returns the value that was received for the parameter `name`. A repeated name is a fault.
    fn received_value(&mut self, name: &'static str) -> Option<&'a ParameterValue> {
        let values = self.received.iter().filter(|(received, _)| received == name).map(|(_, value)| value);
        let mut values = values.filter(|value| !value.is_null());
        let value = values.next()?;
        if values.next().is_some() {
            self.reject(name, &Invalid::new("must be given once; it is repeated"));
            return None;
        }
        Some(value)
    }

    /// Returns the items that were received for the list parameter `name`. A repeated JSON value is a fault.
    fn received_items(&mut self, name: &'static str) -> Option<Items<'a>> {
        let received = self.received;
        let values = || received.iter().filter(|(received, _)| received == name).map(|(_, value)| value);
        let mut texts = Vec::new();
        for value in values() {
            match value {
                ParameterValue::Text(text) => texts.push(text.as_str()),
                ParameterValue::Unreadable(rule) => {
                    self.faults.push(Fault::verbatim(name, rule));
                    return None;
                }
                ParameterValue::Json(_) => match self.received_value(name)? {
                    ParameterValue::Json(json) => {
                        let items = Items::from_json(name, json);
                        return items.map_err(|fault| self.faults.push(fault)).ok();
                    }
                    ParameterValue::Text(_) | ParameterValue::Unreadable(_) => return None,
                },
            }
        }
        (!texts.is_empty()).then_some(Items::Texts(texts))
    }

    fn single<P: Parameter>(&mut self, name: &'static str) -> Option<P> {
        let parsed = match self.received_value(name)? {
            ParameterValue::Text(text) => {
                P::parse(text).map_err(|invalid| text_fault::<P>(name, &invalid, text))
            }
            ParameterValue::Json(json) => P::from_json(json).map_err(|fault| json_fault(name, fault, json)),
            ParameterValue::Unreadable(rule) => {
                self.faults.push(Fault::verbatim(name, rule));
                return None;
            }
        };
        let faults = if P::JSON_TEXT { &mut self.cursor_faults } else { &mut self.faults };
        parsed.map_err(|fault| faults.push(fault)).ok()
    }
}

fn serialised(faults: Faults) -> Vec<ParameterFault> {
    faults.into_iter().map(ParameterFault::from).collect()
}

/// Returns the values without repetitions, in the order of their first occurrence. Takes linear time.
fn distinct<T: Copy + Eq + Hash>(values: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let mut found = HashSet::new();
    values.filter(move |value| found.insert(*value))
}
