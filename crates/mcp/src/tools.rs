//! The tools of the server: every operation of the catalogue that is offered as a tool.

use passbook_domain::scope::{Scope, Surface};
use passbook_operations::{Catalogue, CatalogueEntry, Error, ParameterValue};
use passbook_web::Caller;
use serde_json::value::RawValue;

use crate::descriptor::Descriptor;
use crate::message::RawObject;
use crate::pictures::Pictures;

/// A tool that clients can call.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    entry: CatalogueEntry,
}

/// The answer of a tool.
pub(crate) struct Answer {
    /// The payload, a JSON object.
    pub(crate) payload: Box<RawValue>,
    /// The status of the banks, if the payload has totals and the caller may read it.
    pub(crate) banks: Option<Box<RawValue>>,
}

impl Tool {
    /// Runs the operation of the tool. Returns the payload, a JSON object.
    async fn call(&self, caller: &Caller, arguments: &RawObject<'_>) -> Result<Box<RawValue>, Error> {
        let payload = caller.execute(&self.entry, &parameters(arguments)).await?;
        let payload = String::from_utf8(payload).expect("JSON is UTF-8");
        Ok(RawValue::from_string(payload).expect("the payload was serialised as JSON"))
    }

    /// Returns true if the tool answers with totals.
    fn has_totals(&self) -> bool {
        let scope = self.entry.spec.scope;
        [Scope::CashflowRead, Scope::SpendingRead, Scope::BudgetsRead, Scope::PortfolioRead]
            .iter()
            .any(|of_totals| scope == Some(*of_totals))
    }
}

/// Converts the arguments of a tool call to request parameters, in the order received.
fn parameters(arguments: &RawObject<'_>) -> Vec<(String, ParameterValue)> {
    let parameter =
        |(name, value): (&str, &&RawValue)| (name.to_owned(), ParameterValue::Json((*value).to_owned()));
    arguments.iter().map(parameter).collect()
}

/// All tools, in the order of the catalogue.
#[derive(Default)]
pub(crate) struct Tools {
    tools: Vec<Tool>,
    descriptors: Vec<Descriptor>,
}

impl Tools {
    /// Collects the tools of the catalogue, and adds its picture to each tool that has one.
    pub(crate) fn new(catalogue: &Catalogue, pictures: &Pictures) -> Tools {
        let mut tools = Tools::default();
        for entry in catalogue.entries() {
            let Some(tool) = entry.spec.tool else { continue };
            let declarations = entry.declarations(Surface::Mcp);
            let picture = pictures.tool_meta(tool.name);
            tools.descriptors.push(Descriptor::new(&tool, entry, &declarations, picture));
            tools.tools.push(Tool { name: tool.name, entry: *entry });
        }
        tools
    }

    /// Finds a tool by name.
    pub(crate) fn named(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// Calls a tool. The totals of a tool lack the newest transactions of a stale bank, so its status is read with them, where
    /// the ledger has one and the grant allows it.
    pub(crate) async fn call(
        &self,
        tool: &Tool,
        caller: &Caller,
        arguments: &RawObject<'_>,
    ) -> Result<Answer, Error> {
        let payload = tool.call(caller, arguments).await?;
        let banks = self.named("get_connected_banks_status").filter(|_| tool.has_totals());
        let banks = match banks {
            None => None,
            Some(banks) => match banks.call(caller, &RawObject::default()).await {
                Err(Error::InsufficientScope(_) | Error::NotOffered(_)) => None,
                status => Some(status?),
            },
        };
        Ok(Answer { payload, banks })
    }

    /// Returns the descriptors of all tools.
    pub(crate) fn list(&self) -> &[Descriptor] {
        &self.descriptors
    }
}
