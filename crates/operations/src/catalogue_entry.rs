//! Catalogue entries: operations without their Rust types, for adapters that handle all operations alike.

use passbook_domain::access::Credential;
use passbook_domain::ports::BoxFuture;
use passbook_domain::scope::Surface;
use schemars::Schema;
use schemars::generate::{SchemaGenerator, SchemaSettings};

use crate::catalogue::{Visitor, visit};
use crate::error::Error;
use crate::form::{Declaration, Form};
use crate::operation::{Operation, Spec};
use crate::parameter_value::ParameterValue;
use crate::service::Service;

/// Size of the buffer for a result, in bytes: a page of 50 transactions has about 20 kB. A larger result grows it.
const RESULT_BYTES_EXPECTED: usize = 32 * 1024;

type Call = for<'a> fn(
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
    call: Call,
}

impl CatalogueEntry {
    /// Creates the entry of an operation.
    pub fn new<O: Operation>() -> CatalogueEntry {
        CatalogueEntry {
            spec: O::SPEC,
            declarations: declarations::<O>,
            result_schema: |generator| generator.subschema_for::<O::Output>(),
            tool_result_schema: |settings| settings.into_generator().into_root_schema_for::<O::ToolOutput>(),
            call: call::<O>,
        }
    }

    /// Returns every operation of Passbook, in the order of the contract. [`Catalogue`](crate::Catalogue) adds the
    /// operations of a host.
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
    pub async fn execute(
        &self,
        service: &Service,
        credential: &Credential,
        received: &[(String, ParameterValue)],
    ) -> Result<Vec<u8>, Error> {
        (self.call)(service, credential, received).await
    }
}

fn declarations<O: Operation>(surface: Surface) -> Vec<Declaration> {
    let mut form = Form::describing().with_surface(surface);
    O::read(&mut form);
    form.declarations().to_vec()
}

fn call<'a, O: Operation>(
    service: &'a Service,
    credential: &'a Credential,
    received: &'a [(String, ParameterValue)],
) -> BoxFuture<'a, Result<Vec<u8>, Error>> {
    Box::pin(async move {
        let output = service.execute::<O>(credential, received).await?;
        match credential.surface() {
            Some(Surface::Mcp) => serialise(&O::ToolOutput::from(output)),
            _ => serialise(&output),
        }
    })
}

fn serialise(result: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    let mut json = Vec::with_capacity(RESULT_BYTES_EXPECTED);
    serde_json::to_writer(&mut json, result).map_err(|source| Error::Internal(Box::new(source)))?;
    Ok(json)
}
