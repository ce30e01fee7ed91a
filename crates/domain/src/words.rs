//! Closed vocabularies: an enum, its wire words, and its schema, written once.

/// Declares an enum whose variants are words on the wire. The words are listed beside the variants so that a
/// search for either finds the other.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* #[doc = concat!("`", $word, "`")] $variant),+ }

        impl $name {
            /// Every value, in the order of the contract.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// Reads a word. Refused, with the allowed words, unless it is exactly one of them.
            pub fn parse(text: &str) -> Result<$name, $crate::invalid::Invalid> {
                match text {
                    $($word => Ok($name::$variant),)+
                    _ => Err($crate::invalid::Invalid::not_one_of(Self::ALL.iter().map(|value| value.as_str()))),
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
                let words: Vec<&str> = Self::ALL.iter().map(|value| value.as_str()).collect();
                schemars::json_schema!({ "type": "string", "enum": words })
            }
        }
    };
}

pub(crate) use words;
