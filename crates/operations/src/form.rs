//! Forms: parameters by name, as any adapter received them, read with every fault noted.
//!
//! An operation names each parameter once, when it reads it. The same reading over an empty form yields the
//! declarations that documents and tool schemas are made of, so they cannot differ from what is read.

use domain::Invalid;
use domain::bounded::Bounded;
use domain::scope::Surface;
use serde_json::{Value, json};

use crate::error::Error;
use crate::parameter::Parameter;

/// The most items of a list.
pub const LIST_ITEMS_MAX: usize = 100;
/// The most characters of a received value that a fault repeats.
const RECEIVED_CHARACTERS_MAX: usize = 80;
/// The shortest word that may be a token: longer than a UUID.
const TOKEN_CHARACTERS_MIN: usize = 38;

/// One parameter as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// Text: of a query string, or a scalar of a JSON object.
    Text(String),
    /// Items of a JSON array.
    Items(Vec<String>),
    /// Something that could not be read at all, such as a bad percent-encoding, and the rule it broke.
    Unreadable(String),
}

/// A parameter that broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "ParameterFault")]
pub struct Fault {
    /// The parameter.
    pub parameter: String,
    /// The rule, and what was received.
    pub message: String,
    /// Every allowed value, where the rule is a closed list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<&'static str>,
}

/// A parameter as an operation declares it.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub description: &'static str,
    /// JSON Schema of one value.
    pub schema: Value,
    /// Whether it is a list: comma-separated in a query string, an array in JSON.
    pub list: bool,
    /// Whether in a query string it is JSON text.
    pub json_text: bool,
    /// The value when it is left out.
    pub default: Option<Value>,
    /// A value that works.
    pub example: Value,
}

/// How many rows a page may have: at most `MAX`, and fewer for a tool, whose answers a model has to read.
#[derive(Clone, Copy, Debug)]
pub struct PageSizes<const MAX: i64> {
    /// When nothing is said.
    pub default: Bounded<1, MAX>,
    /// When nothing is said to a tool.
    pub tool_default: Bounded<1, MAX>,
    /// At most, of a tool.
    pub tool_max: Bounded<1, MAX>,
}

/// Received parameters being read by one operation.
#[derive(Debug)]
pub struct Form<'a> {
    given: &'a [(String, Given)],
    surface: Surface,
    declarations: Vec<Declaration>,
    faults: Vec<Fault>,
    cursor_faults: Vec<Fault>,
}

impl<'a> Form<'a> {
    /// A form over received parameters, in the order received, repetitions included; with the limits of REST.
    pub fn new(given: &'a [(String, Given)]) -> Form<'a> {
        Form {
            given,
            surface: Surface::Rest,
            declarations: Vec::new(),
            faults: Vec::new(),
            cursor_faults: Vec::new(),
        }
    }

    /// The same form with the limits of a surface.
    pub fn through(self, surface: Surface) -> Form<'a> {
        Form { surface, ..self }
    }

    /// What the parameters came through. Limits may depend on it, meanings never.
    pub fn surface(&self) -> Surface {
        self.surface
    }

    /// A parameter that may be left out.
    pub fn optional<P: Parameter>(&mut self, name: &'static str, description: &'static str) -> Option<P> {
        self.declare::<P>(name, description, false, None);
        let text = self.single(name)?;
        self.parsed(name, &text)
    }

    /// A parameter with a default.
    pub fn or_default<P: Parameter>(
        &mut self,
        name: &'static str,
        description: &'static str,
        default: P,
    ) -> P {
        self.declare::<P>(name, description, false, Some(default.to_json()));
        let text = self.single(name);
        text.and_then(|text| self.parsed(name, &text)).unwrap_or(default)
    }

    /// The number of rows on a page, within the surface's limits.
    pub fn page_size<const MAX: i64>(
        &mut self,
        name: &'static str,
        description: &'static str,
        sizes: PageSizes<MAX>,
    ) -> Bounded<1, MAX> {
        let (default, max) = match self.surface {
            Surface::Rest => (sizes.default, MAX),
            Surface::Mcp => (sizes.tool_default, sizes.tool_max.get()),
        };
        self.declare::<Bounded<1, MAX>>(name, description, false, Some(default.to_json()));
        if let Some(declared) = self.declarations.last_mut() {
            declared.schema["maximum"] = json!(max);
            declared.example = json!(default.get());
        }
        let Some(text) = self.single(name) else { return default };
        let size = Bounded::parse(&text).ok().filter(|size: &Bounded<1, MAX>| size.get() <= max);
        size.unwrap_or_else(|| {
            let rule = format!("must be a whole number from 1 to {max}; received {:?}", shortened(&text));
            self.refuse(name, &Invalid::new(rule));
            default
        })
    }

    /// A list that may be left out: 1 to [`LIST_ITEMS_MAX`] items, none empty.
    pub fn list<P: Parameter>(&mut self, name: &'static str, description: &'static str) -> Option<Vec<P>> {
        self.declare::<P>(name, description, true, None);
        let items = match self.one(name)? {
            Given::Text(text) => text.split(',').map(str::to_owned).collect(),
            Given::Items(items) => items,
            Given::Unreadable(rule) => {
                self.refuse(name, &Invalid::new(rule));
                return None;
            }
        };
        if items.is_empty() || items.len() > LIST_ITEMS_MAX {
            let rule =
                Invalid::new(format!("must have 1 to {LIST_ITEMS_MAX} items; received {}", items.len()));
            self.refuse(name, &rule);
            return None;
        }
        items.iter().map(|item| self.item(name, item)).collect::<Vec<Option<P>>>().into_iter().collect()
    }

    /// Notes that a parameter broke a rule, without repeating its value.
    pub fn refuse(&mut self, name: &'static str, invalid: &Invalid) {
        self.faults.push(Fault {
            parameter: name.to_owned(),
            message: invalid.rule().to_owned(),
            allowed: invalid.allowed().to_vec(),
        });
    }

    /// The parameters declared so far.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// Ends the reading: an error that lists every fault, parameters nobody declared included.
    pub fn finish(mut self) -> Result<(), Error> {
        let known: Vec<&'static str> = self.declarations.iter().map(|declared| declared.name).collect();
        let mut unknown: Vec<&str> = Vec::new();
        for (name, _) in self.given {
            if !known.contains(&name.as_str()) && !unknown.contains(&name.as_str()) {
                unknown.push(name);
            }
        }
        for name in unknown {
            let message = if known.is_empty() {
                "is not known: there are no parameters here"
            } else {
                "is not known here"
            };
            self.faults.push(Fault {
                parameter: shortened(name),
                message: message.to_owned(),
                allowed: known.clone(),
            });
        }
        match (self.faults.is_empty(), self.cursor_faults.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err(Error::InvalidCursor(self.cursor_faults)),
            (false, _) => {
                self.faults.append(&mut self.cursor_faults);
                Err(Error::Invalid(self.faults))
            }
        }
    }

    fn declare<P: Parameter>(
        &mut self,
        name: &'static str,
        description: &'static str,
        list: bool,
        default: Option<Value>,
    ) {
        self.declarations.push(Declaration {
            name,
            description,
            schema: P::schema(),
            list,
            json_text: P::JSON_TEXT,
            default,
            example: P::example(),
        });
    }

    /// The one value given under a name; a repetition is a fault.
    fn one(&mut self, name: &'static str) -> Option<Given> {
        let mut values = self.given.iter().filter(|(given, _)| given == name).map(|(_, value)| value);
        let value = values.next()?.clone();
        if values.next().is_some() {
            self.refuse(name, &Invalid::new("must be given once; it is repeated"));
            return None;
        }
        Some(value)
    }

    fn single(&mut self, name: &'static str) -> Option<String> {
        match self.one(name)? {
            Given::Text(text) => Some(text),
            Given::Items(_) => {
                self.refuse(name, &Invalid::new("must be a single value; received a list"));
                None
            }
            Given::Unreadable(rule) => {
                self.refuse(name, &Invalid::new(rule));
                None
            }
        }
    }

    fn item<P: Parameter>(&mut self, name: &'static str, item: &str) -> Option<P> {
        if item.is_empty() {
            self.refuse(name, &Invalid::new("must not have an empty item"));
            return None;
        }
        self.parsed(name, item)
    }

    fn parsed<P: Parameter>(&mut self, name: &'static str, text: &str) -> Option<P> {
        match P::parse(text) {
            Ok(value) => Some(value),
            Err(invalid) => {
                let message = format!("{}; received {:?}", invalid.rule(), shortened(text));
                let fault =
                    Fault { parameter: name.to_owned(), message, allowed: invalid.allowed().to_vec() };
                if P::JSON_TEXT { &mut self.cursor_faults } else { &mut self.faults }.push(fault);
                None
            }
        }
    }
}

/// What is repeated of a received text: its first characters. A word as long as a token is not: it may be one that was put in the wrong
/// place.
pub fn shortened(text: &str) -> String {
    let part_of_a_word = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    if text.split(|letter| !part_of_a_word(letter)).any(|word| word.len() >= TOKEN_CHARACTERS_MIN) {
        return "(withheld)".to_owned();
    }
    if text.chars().count() <= RECEIVED_CHARACTERS_MAX {
        return text.to_owned();
    }
    text.chars().take(RECEIVED_CHARACTERS_MAX).chain(['…']).collect()
}
