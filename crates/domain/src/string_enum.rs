//! The macros `string_enum!`, which declares an enum with a fixed set of texts in JSON, its parser and its JSON Schema, and
//! `json_schema!`, which gives another type its JSON Schema.

/// Declares an enum whose variants are strings on the wire.
///
/// Generates `ALL`, `as_str`, `parse`, `Display`, `Serialize` and `JsonSchema`. Each wire string stands beside its
/// variant, so a search for either finds both. The schema has the enum's name, which is the name of the component in
/// the OpenAPI document.
///
/// `or Host(HostName)` after the values adds a variant for the names of a host. It is in neither `ALL` nor the schema,
/// and `parse` never returns it.
macro_rules! string_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }
        $(or $(#[$open_doc:meta])* $open:ident($content:ty))?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* #[doc = concat!("`", $text, "`")] $variant,)+ $($(#[$open_doc])* $open($content))? }

        impl $name {
            /// All values of the enum, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Returns the text of the value in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)+ $($name::$open(name) => name.as_str())? }
            }

            /// Parses a wire string. The match is exact: case and white space matter.
            ///
            /// # Errors
            ///
            /// An [`Invalid`](crate::error::Invalid) that lists every allowed string.
            pub fn parse(text: &str) -> Result<$name, $crate::error::Invalid> {
                let named = || Self::ALL.iter().map(|value| value.as_str());
                Self::from_wire(text).ok_or_else(|| $crate::error::Invalid::not_one_of(named()))
            }

            /// Returns the value with this wire string; `None` if there is none.
            pub(crate) fn from_wire(text: &str) -> Option<$name> {
                match text {
                    $($text => Some($name::$variant),)+
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let values: Vec<&str> = Self::ALL.iter().map(|value| value.as_str()).collect();
                schemars::json_schema!({ "type": "string", "enum": values })
            }
        }
    };
}

/// Implements `JsonSchema` for a type by a literal schema: the name of its component in the OpenAPI document, and true if the
/// schema stands in place of each reference to a component.
macro_rules! json_schema {
    ($type:ident, $name:literal, inline: $inline:literal, $schema:tt) => {
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                $inline
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}

pub(crate) use {json_schema, string_enum};
