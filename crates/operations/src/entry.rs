//! Catalogue entries: operations without their Rust types, for adapters that handle all operations alike.

use domain::access::Credential;
use domain::ports::BoxFuture;
use domain::scope::Surface;

use crate::catalogue::{Visitor, visit};
use crate::error::Error;
use crate::form::{Declaration, Form};
use crate::operation::{Operation, Spec};
use crate::parameter_value::ParameterValue;
use crate::service::Service;

type Call = for<'a> fn(
    &'a Service,
    &'a Credential,
    &'a [(String, ParameterValue)],
) -> BoxFuture<'a, Result<Vec<u8>, Error>>;

/// One operation of the catalogue, without its Rust types.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Identifier, path, scope and descriptions of the operation.
    pub spec: Spec,
    declarations: fn(Surface) -> Vec<Declaration>,
    call: Call,
}

impl Entry {
    /// Creates the entry of an operation.
    pub fn new<O: Operation>() -> Entry {
        Entry { spec: O::SPEC, declarations: declarations::<O>, call: call::<O> }
    }

    /// Returns every operation, in the order of the contract.
    pub fn all() -> Vec<Entry> {
        struct Entries(Vec<Entry>);
        impl Visitor for Entries {
            fn visit<O: Operation>(&mut self) {
                self.0.push(Entry::new::<O>());
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

    /// Reads the received request parameters, runs the operation and serialises the result as JSON: for a credential of
    /// the tool server the result of the tool.
    ///
    /// # Errors
    /// Those of [`Service::execute`].
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
    let mut form = Form::new(&[]).with_surface(surface);
    O::read(&mut form);
    form.declarations().to_vec()
}

#[expect(
    clippy::disallowed_methods,
    reason = "`Entry::execute`, the only caller, is disallowed outside the pipeline"
)]
fn call<'a, O: Operation>(
    service: &'a Service,
    credential: &'a Credential,
    received: &'a [(String, ParameterValue)],
) -> BoxFuture<'a, Result<Vec<u8>, Error>> {
    Box::pin(async move {
        let output = service.execute::<O>(credential, received).await?;
        let json = match credential.surface() {
            Some(Surface::Mcp) => serde_json::to_vec(&O::ToolOutput::from(output)),
            Some(Surface::Rest) | None => serde_json::to_vec(&output),
        };
        json.map_err(|source| Error::Internal(Box::new(source)))
    })
}
