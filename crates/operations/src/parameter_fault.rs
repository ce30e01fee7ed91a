//! The serialised form of a fault of a parameter.

use passbook_input::Fault;

/// A parameter that broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct ParameterFault {
    /// The parameter.
    pub parameter: String,
    /// The rule, and what was received.
    pub message: String,
    /// Every allowed value, where the rule is a closed list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<&'static str>,
}

/// The place of the fault is the name of the parameter.
impl From<Fault> for ParameterFault {
    fn from(fault: Fault) -> ParameterFault {
        ParameterFault { message: fault.message(), parameter: fault.place, allowed: fault.allowed }
    }
}
