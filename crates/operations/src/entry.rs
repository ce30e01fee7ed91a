//! Operations without their types: for adapters that need text in and JSON out, and no operation in particular.

use domain::access::Credential;
use domain::ports::BoxFuture;
use domain::scope::Surface;

use crate::catalogue::{Visitor, visit};
use crate::error::Error;
use crate::form::{Declaration, Form, Given};
use crate::operation::{Operation, Spec};
use crate::service::Service;

type Call =
    for<'a> fn(&'a Service, &'a Credential, &'a [(String, Given)]) -> BoxFuture<'a, Result<Vec<u8>, Error>>;

/// One operation of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its facts.
    pub spec: Spec,
    declarations: fn(Surface) -> Vec<Declaration>,
    call: Call,
}

impl Entry {
    /// The entry of an operation.
    pub fn of<O: Operation>() -> Entry {
        Entry { spec: O::SPEC, declarations: declarations::<O>, call: call::<O> }
    }

    /// Every operation, in the order of the contract.
    pub fn all() -> Vec<Entry> {
        struct Entries(Vec<Entry>);
        impl Visitor for Entries {
            fn visit<O: Operation>(&mut self) {
                self.0.push(Entry::of::<O>());
            }
        }
        let mut entries = Entries(Vec::new());
        visit(&mut entries);
        entries.0
    }

    /// Its parameters, with the limits of a surface.
    pub fn declarations(&self, surface: Surface) -> Vec<Declaration> {
        (self.declarations)(surface)
    }

    /// Reads the parameters as received, runs the operation, and writes its result as JSON: the payload of every
    /// surface, member for member.
    ///
    /// # Errors
    /// Those of [`Service::answer`].
    pub async fn answer(
        &self,
        service: &Service,
        credential: &Credential,
        given: &[(String, Given)],
    ) -> Result<Vec<u8>, Error> {
        (self.call)(service, credential, given).await
    }
}

fn declarations<O: Operation>(surface: Surface) -> Vec<Declaration> {
    let mut form = Form::new(&[]).through(surface);
    O::read(&mut form);
    form.declarations().to_vec()
}

#[expect(
    clippy::disallowed_methods,
    reason = "`Entry::answer`, the only caller, is disallowed outside the pipeline"
)]
fn call<'a, O: Operation>(
    service: &'a Service,
    credential: &'a Credential,
    given: &'a [(String, Given)],
) -> BoxFuture<'a, Result<Vec<u8>, Error>> {
    Box::pin(async move {
        let output = service.answer::<O>(credential, given).await?;
        serde_json::to_vec(&output).map_err(|source| Error::Internal(Box::new(source)))
    })
}
