//! The operations that an adapter serves: those of Passbook, and those of a host beside them or instead of some.

#[cfg(test)]
mod tests;

use passbook_domain::Invalid;
use passbook_domain::scope::Scope;

use crate::catalogue_entry::CatalogueEntry;
use crate::operation::Operation;

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
