//! The catalogue: the only list of all operations of Passbook, and the operations that an adapter serves.

#[cfg(test)]
mod tests;

use passbook_domain::Invalid;
use passbook_domain::access::Credential;
use passbook_domain::ports::BoxFuture;
use passbook_domain::scope::{Scope, Surface};
use schemars::Schema;
use schemars::generate::{SchemaGenerator, SchemaSettings};

use crate::error::Error;
use crate::form::{Declaration, Form};
use crate::operation::{Operation, Spec};
use crate::parameter_value::ParameterValue;
use crate::service::Service;

/// Code that runs once for each operation, with the operation's types.
pub trait Visitor {
    /// Runs the code for the operation `O`.
    fn visit<O: Operation>(&mut self);
}

/// Calls the visitor for every operation of Passbook, in the order of the contract.
pub fn visit(visitor: &mut impl Visitor) {
    visitor.visit::<crate::me::Me>();
    visitor.visit::<crate::transactions::Transactions>();
    visitor.visit::<crate::cashflow_summary::CashflowSummary>();
    visitor.visit::<crate::spending_summary::SpendingSummary>();
    visitor.visit::<crate::spending_categories::SpendingCategories>();
    visitor.visit::<crate::top_merchants::TopMerchants>();
    visitor.visit::<crate::recurring_payments::RecurringPayments>();
    visitor.visit::<crate::budget_summary::BudgetSummary>();
    visitor.visit::<crate::budget_categories::BudgetCategories>();
    visitor.visit::<crate::banks_status::BanksStatus>();
    visitor.visit::<crate::portfolio::Portfolio>();
    visitor.visit::<crate::portfolio_history::PortfolioHistory>();
    visitor.visit::<crate::preferences::Preferences>();
}

type Execute = for<'a> fn(
    &'a Service,
    &'a Credential,
    &'a [(String, ParameterValue)],
) -> BoxFuture<'a, Result<Vec<u8>, Error>>;

/// One operation of a catalogue, without its Rust types.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueEntry {
    /// Identifier, path, scope and descriptions of the operation.
    pub spec: Spec,
    declarations: fn(Surface) -> Vec<Declaration>,
    result_schema: fn(&mut SchemaGenerator) -> Schema,
    tool_result_schema: fn(SchemaSettings) -> Schema,
    execute: Execute,
}

impl CatalogueEntry {
    /// Creates the entry of an operation.
    pub fn new<O: Operation>() -> CatalogueEntry {
        CatalogueEntry {
            spec: O::SPEC,
            declarations: declarations::<O>,
            result_schema: |generator| generator.subschema_for::<O::Output>(),
            tool_result_schema: |settings| settings.into_generator().into_root_schema_for::<O::ToolOutput>(),
            execute: Service::execute::<O>,
        }
    }

    /// Returns every operation of Passbook, in the order of the contract. [`Catalogue`] adds the operations of a host.
    pub fn all() -> Vec<CatalogueEntry> {
        struct Entries(Vec<CatalogueEntry>);
        impl Visitor for Entries {
            fn visit<O: Operation>(&mut self) {
                self.0.push(CatalogueEntry::new::<O>());
            }
        }
        let mut entries = Entries(Vec::new());
        visit(&mut entries);
        entries.0
    }

    /// Returns the parameters that the operation declares, with the limits that apply on `surface`.
    pub fn declarations(&self, surface: Surface) -> Vec<Declaration> {
        (self.declarations)(surface)
    }

    /// Returns the JSON Schema of the result, and adds the types that it names to the definitions of `generator`.
    pub fn result_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.result_schema)(generator)
    }

    /// Returns the JSON Schema of the result as a tool, with its own definitions.
    pub fn tool_result_schema(&self, settings: SchemaSettings) -> Schema {
        (self.tool_result_schema)(settings)
    }

    /// Reads the received request parameters, runs the operation and serialises the result as JSON: for a credential of
    /// the tool server the result of the tool.
    ///
    /// # Errors
    /// [`Error::Invalid`] or [`Error::InvalidCursor`] with every fault of the parameters, and the errors of
    /// [`Service::call`]. The ledger is queried only if every parameter is valid.
    pub fn execute<'a>(
        &self,
        service: &'a Service,
        credential: &'a Credential,
        received: &'a [(String, ParameterValue)],
    ) -> BoxFuture<'a, Result<Vec<u8>, Error>> {
        (self.execute)(service, credential, received)
    }
}

fn declarations<O: Operation>(surface: Surface) -> Vec<Declaration> {
    let mut form = Form::describing().with_surface(surface);
    O::read(&mut form);
    form.declarations().to_vec()
}

/// The operations that an adapter serves. The default has every operation of Passbook.
///
/// ```no_run
/// # use passbook_operations as operations;
/// use passbook_operations::Catalogue;
/// use passbook_operations::preferences::Preferences;
///
/// # fn main() -> Result<(), passbook_domain::Invalid> {
/// // Only two operations of Passbook. `with` adds an operation of the host in the same way.
/// let catalogue = Catalogue::default().only(&["me", "top_merchants"])?.with::<Preferences>()?;
/// assert_eq!(catalogue.entries().len(), 3);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Catalogue {
    entries: Vec<CatalogueEntry>,
}

impl Default for Catalogue {
    fn default() -> Catalogue {
        Catalogue { entries: CatalogueEntry::all() }
    }
}

impl Catalogue {
    /// Returns the operations, in the order in which documents list them.
    pub fn entries(&self) -> &[CatalogueEntry] {
        &self.entries
    }

    /// Keeps only the operations with these identifiers, in the order of the catalogue.
    ///
    /// # Errors
    /// The catalogue has no operation with one of the identifiers.
    pub fn only(mut self, ids: &[&str]) -> Result<Catalogue, Invalid> {
        if let Some(unknown) = ids.iter().find(|id| !self.entries.iter().any(|entry| entry.spec.id == **id)) {
            return Err(Invalid::new(format!("must be operations of the catalogue; received {unknown:?}")));
        }
        self.entries.retain(|entry| ids.contains(&entry.spec.id));
        Ok(self)
    }

    /// Adds an operation at the end, or in place of the operation with the same identifier.
    ///
    /// # Errors
    /// The path does not start with `/`, has a query or a template, or another operation has the path or the tool name.
    pub fn with<O: Operation>(mut self) -> Result<Catalogue, Invalid> {
        let entry = CatalogueEntry::new::<O>();
        let spec = entry.spec;
        if !spec.path.starts_with('/') || spec.path.contains(['?', '#', '{', '%']) {
            let rule = "must have a path that starts with / and has no query, template or escape";
            return Err(Invalid::new(format!("{}: {rule}; received {:?}", spec.id, spec.path)));
        }
        let tool = |entry: &CatalogueEntry| entry.spec.tool.map(|tool| tool.name);
        for other in self.entries.iter().filter(|other| other.spec.id != spec.id) {
            if other.spec.path == spec.path || (tool(other).is_some() && tool(other) == tool(&entry)) {
                let (own, other) = (spec.id, other.spec.id);
                return Err(Invalid::new(format!(
                    "{own}: must have a path and a tool name of its own; {other} has them"
                )));
            }
        }
        match self.entries.iter_mut().find(|other| other.spec.id == spec.id) {
            Some(replaced) => *replaced = entry,
            None => self.entries.push(entry),
        }
        Ok(self)
    }

    /// Returns the scopes that the host has defined for its operations, each once.
    pub fn host_scopes(&self) -> Vec<Scope> {
        let mut scopes: Vec<Scope> = Vec::new();
        for scope in self.entries.iter().filter_map(|entry| entry.spec.scope) {
            if matches!(scope, Scope::Host(_)) && !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
        scopes
    }
}
