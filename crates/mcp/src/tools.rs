//! The tools, by walking the catalogue: whatever is offered as one, and nothing else.

use domain::scope::Surface;
use operations::catalogue::{self, Visitor};
use operations::form::{Declaration, Given};
use operations::{Entry, Error, Operation};
use web::Caller;

use crate::descriptor::Descriptor;

/// Something that can be called.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) declared: Vec<Declaration>,
    wrapper: Option<&'static str>,
    entry: Entry,
}

impl Tool {
    /// The payload of a call: a JSON object, serialised once.
    pub(crate) async fn call(&self, caller: &Caller, given: &[(String, Given)]) -> Result<String, Error> {
        let payload = caller.execute(&self.entry, given).await?;
        let payload = String::from_utf8(payload).expect("JSON is UTF-8");
        Ok(match self.wrapper {
            None => payload,
            Some(name) => format!("{{\"{name}\":{payload}}}"),
        })
    }
}

/// Every tool, in the order of the catalogue.
#[derive(Default)]
pub(crate) struct Tools {
    tools: Vec<Tool>,
    descriptors: Vec<Descriptor>,
}

impl Tools {
    /// The tools of the catalogue.
    pub(crate) fn of_catalogue() -> Tools {
        let mut tools = Tools::default();
        catalogue::visit(&mut tools);
        tools
    }

    /// The tool of a name.
    pub(crate) fn named(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// Every descriptor, as a JSON array.
    pub(crate) fn list(&self) -> String {
        serde_json::to_string(&self.descriptors).expect("a descriptor is plain data")
    }
}

impl Visitor for Tools {
    fn visit<O: Operation>(&mut self) {
        let Some(tool) = O::SPEC.tool else { return };
        let entry = Entry::of::<O>();
        let declared = entry.declarations(Surface::Mcp);
        self.descriptors.push(Descriptor::of::<O>(&tool, &declared));
        self.tools.push(Tool { name: tool.name, declared, wrapper: tool.wrapper, entry });
    }
}
