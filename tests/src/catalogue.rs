//! The operations of the catalogue with their parameters on each surface.

use std::future::Future;
use std::pin::Pin;

use passbook_domain::access::Credential;
use passbook_domain::category::{Category, CategoryGroup};
use passbook_domain::scope::Surface;
use passbook_operations::catalogue::{Visitor, visit};
use passbook_operations::form::{Declaration, Form};
use passbook_operations::{CatalogueEntry, Error, Operation, Service, Spec};
use serde_json::Value;

use crate::http::query;

/// An operation of the catalogue with its declared parameters.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Identifier, path, scope and tool of the operation.
    pub spec: Spec,
    /// Parameters of the REST route.
    pub parameters: Vec<Declaration>,
    /// Parameters of the tool.
    pub tool_parameters: Vec<Declaration>,
}

impl Listed {
    /// Returns the query strings of the REST route: none, and one with the example of each parameter.
    pub fn query_strings(&self) -> Vec<String> {
        let example = |parameter: &Declaration| query(&[(parameter.name, &text(&parameter.example))]);
        let examples = self.parameters.iter().map(|parameter| format!("?{}", example(parameter)));
        std::iter::once(String::new()).chain(examples).collect()
    }
}

/// Returns a value as text in a query string.
pub fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns all operations of the catalogue.
pub fn listed() -> Vec<Listed> {
    let listed = |entry: CatalogueEntry| Listed {
        spec: entry.spec,
        parameters: entry.declarations(Surface::Rest),
        tool_parameters: entry.declarations(Surface::Mcp),
    };
    CatalogueEntry::all().into_iter().map(listed).collect()
}

/// Returns all operations that are offered as tools, each with the tool's name.
pub fn tools() -> Vec<(&'static str, Listed)> {
    listed().into_iter().filter_map(|listed| Some((listed.spec.tool?.name, listed))).collect()
}

/// Returns the words of a parameter whose values are known without data; none for other parameters. The schemas of categories and
/// groups list no words, because names are values too.
pub fn words(parameter: &Declaration) -> Option<Vec<&str>> {
    match parameter.name {
        "categories" => Some(Category::wire_strings().collect()),
        "categoryGroups" => Some(CategoryGroup::ALL.iter().map(|group| group.as_str()).collect()),
        _ => Some(parameter.schema["enum"].as_array()?.iter().filter_map(Value::as_str).collect()),
    }
}

/// A call of an operation, with its error if it fails.
type Call<'a> = Pin<Box<dyn Future<Output = (Spec, Option<Error>)> + 'a>>;

struct Calls<'a> {
    service: &'a Service,
    credential: &'a Credential,
    calls: Vec<Call<'a>>,
}

impl Visitor for Calls<'_> {
    fn visit<O: Operation>(&mut self) {
        let (service, credential) = (self.service, self.credential);
        self.calls.push(Box::pin(async move {
            let params = O::read(&mut Form::new(&[]));
            (O::SPEC, service.call::<O>(credential, params).await.err())
        }));
    }
}

/// Calls every operation without parameters. Returns each with its error if it fails.
pub async fn call_all(service: &Service, credential: &Credential) -> Vec<(Spec, Option<Error>)> {
    let mut all = Calls { service, credential, calls: Vec::new() };
    visit(&mut all);
    let mut results = Vec::new();
    for call in all.calls {
        results.push(call.await);
    }
    results
}
