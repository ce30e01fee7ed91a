//! Compares the objects of the database with those that the migrations create. Additional objects are accepted, except
//! `security definer` functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::error::Error;
use crate::finding::{Finding, Remedy};
use crate::row::{Row, Rows};

/// The objects that the migrations create, one a line: kind, relation or function, name and definition, separated by
/// tabs. A test compares the file with a migrated database; `cargo xtask bless` rewrites it.
const EXPECTED: &str = include_str!("../../data/objects.tsv");
/// Start of the complete definition of a function. Only the functions on which tenant isolation depends have one.
const FUNCTION_DEFINITION: &str = "CREATE OR REPLACE FUNCTION ";
/// End of the definition of a column that cannot be null.
const NOT_NULL: &str = " not null";
/// End of the definition of an index that PostgreSQL does not use, because its creation failed.
const INVALID: &str = " (invalid)";
/// End of the definition of a trigger that PostgreSQL does not run.
const DISABLED: &str = " (disabled)";
/// The settings of a function, in its definition.
const SETTINGS: &str = " set ";

/// An object of the schemas `passbook` and `passbook_read`.
#[derive(Clone, Copy, Debug)]
struct Object<'a> {
    kind: &'a str,
    /// The table, view or function with its schema; of a column, constraint, index or trigger its table or view.
    relation: &'a str,
    /// Name inside the relation. Empty for a table, a view and a function.
    name: &'a str,
    definition: &'a str,
}

/// An object of the examined database.
#[derive(Clone, Copy, Debug)]
struct Found<'a> {
    object: Object<'a>,
    /// True for a `security definer` function.
    is_definer: bool,
    /// True for a function that a deployment has replaced, which is allowed.
    is_replaced: bool,
    /// True if the role of the connection may select from the view or execute the function.
    usable: bool,
}

/// The objects of the examined database.
#[derive(Debug)]
pub(super) struct Objects<'a> {
    found: Vec<Found<'a>>,
}

impl<'a> Object<'a> {
    /// Reads a line of the list of expected objects.
    fn parse(line: &'a str) -> Option<Object<'a>> {
        let mut parts = line.splitn(4, '\t');
        Some(Object {
            kind: parts.next()?,
            relation: parts.next()?,
            name: parts.next()?,
            definition: parts.next()?,
        })
    }

    fn key(&self) -> (&'a str, &'a str, &'a str) {
        (self.kind, self.relation, self.name)
    }

    fn is_relation(&self) -> bool {
        matches!(self.kind, "table" | "view")
    }

    /// Returns the name of an index with its schema, which is that of its table.
    fn index_name(&self) -> String {
        let schema = self.relation.split('.').next().unwrap_or_default();
        format!("{schema}.{}", self.name)
    }

    /// Returns the action that creates the missing object.
    fn remedy_if_missing(&self) -> Remedy {
        let Object { relation, name, definition, .. } = self;
        match self.kind {
            "index" | "trigger" => Remedy::Statement((*definition).to_owned()),
            "constraint" => {
                Remedy::Statement(format!("alter table {relation} add constraint {name} {definition}"))
            }
            "function" if definition.starts_with(FUNCTION_DEFINITION) => {
                Remedy::Statement((*definition).to_owned())
            }
            _ => Remedy::Restore,
        }
    }

    /// Returns the action that gives the object its expected definition.
    fn remedy_if_changed(&self, found: &Found<'_>) -> Remedy {
        let Object { relation, name, definition, .. } = self;
        let present = found.object.definition;
        let statement = match self.kind {
            "index" if present.ends_with(INVALID) => format!("reindex index {}", self.index_name()),
            "index" => format!("drop index {}; {definition}", self.index_name()),
            "trigger" if present.ends_with(DISABLED) => {
                format!("alter table {relation} enable trigger {name}")
            }
            "trigger" => format!("drop trigger {name} on {relation}; {definition}"),
            "constraint" => {
                format!("alter table {relation} drop constraint {name}, add constraint {name} {definition}")
            }
            "column" if definition.strip_suffix(NOT_NULL) == Some(present) => {
                format!("alter table {relation} alter column {name} set not null")
            }
            "function" if definition.starts_with(FUNCTION_DEFINITION) => (*definition).to_owned(),
            "function" if found.is_definer => format!("alter function {relation} security invoker"),
            "function" if present.split(SETTINGS).next() == Some(definition) => {
                format!("alter function {relation} reset all")
            }
            _ => return Remedy::Restore,
        };
        Remedy::Statement(statement)
    }

    /// Returns the statement that lets the reader use the object.
    fn grant(&self) -> String {
        if self.kind == "function" {
            format!("grant execute on function {} to passbook_reader", self.relation)
        } else {
            format!("grant select on {} to passbook_reader", self.relation)
        }
    }
}

impl fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Object { kind, relation, name, .. } = self;
        match *kind {
            "index" | "trigger" => write!(f, "{kind} {name} on {relation}"),
            _ if name.is_empty() => write!(f, "{kind} {relation}"),
            _ => write!(f, "{kind} {name} of {relation}"),
        }
    }
}

impl<'a> Objects<'a> {
    /// Reads the rows of the query that lists the objects.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] for a row with an unexpected column.
    pub(super) fn read(rows: &'a Rows) -> Result<Objects<'a>, Error> {
        let read = |row: Row<'a>| {
            let object = Object {
                kind: row.get("kind")?,
                relation: row.get("relation")?,
                name: row.get("name")?,
                definition: row.get("definition")?,
            };
            Ok(Found {
                object,
                is_definer: row.get("is_definer")?,
                is_replaced: row.get("is_replaced")?,
                usable: row.get("usable")?,
            })
        };
        Ok(Objects { found: rows.map(read)? })
    }

    /// Returns true if the view with the schema version exists, may be read, and has a column.
    pub(super) fn has_readable_view_column(&self, column: &str) -> bool {
        let view = "passbook_read.schema_version";
        let exists = |key| self.found.iter().any(|found| found.object.key() == key && found.usable);
        exists(("view", view, "")) && exists(("column", view, column))
    }

    /// Returns a finding for each missing, changed or unusable object, and for each unknown `security definer` function.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let expected: Vec<Object<'static>> = EXPECTED.lines().filter_map(Object::parse).collect();
        let known: BTreeSet<_> = expected.iter().map(Object::key).collect();
        let found: BTreeMap<_, _> = self.found.iter().map(|found| (found.object.key(), found)).collect();
        let relations = self.found.iter().map(|found| &found.object).filter(|object| object.is_relation());
        let relations: BTreeSet<&str> = relations.map(|object| object.relation).collect();
        // The columns, constraints and indexes of a missing table are missing too, and are not listed.
        let is_reported =
            |object: &&Object<'_>| object.name.is_empty() || relations.contains(object.relation);
        let compared = expected.iter().filter(is_reported);
        let mut findings: Vec<Finding> =
            compared.filter_map(|object| finding(object, found.get(&object.key()).copied())).collect();
        let unknown = self.found.iter().filter(|found| !known.contains(&found.object.key()));
        findings.extend(unknown.filter(|found| found.is_definer).map(|found| unknown_definer(found.object)));
        findings
    }
}

/// Writes the objects as the file of expected objects contains them.
impl fmt::Display for Objects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.found.iter().try_for_each(|Found { object, .. }| {
            writeln!(f, "{}\t{}\t{}\t{}", object.kind, object.relation, object.name, object.definition)
        })
    }
}

/// Returns the finding of an expected object; `None` if the database has the object with the same definition.
fn finding(expected: &Object<'_>, found: Option<&Found<'_>>) -> Option<Finding> {
    let (sentence, remedy) = match found {
        None => (format!("the {expected} is missing"), expected.remedy_if_missing()),
        Some(found) if found.object.definition != expected.definition && !found.is_replaced => {
            let (present, wanted) = (found.object.definition, expected.definition);
            let difference = if expected.kind == "column" {
                format!(" ({present} instead of {wanted})")
            } else {
                String::new()
            };
            let sentence =
                format!("the {expected} differs from the one that the migrations created{difference}");
            (sentence, expected.remedy_if_changed(found))
        }
        Some(found) if !found.usable => (
            format!("the role of the connection may not use the {expected}"),
            Remedy::Statement(expected.grant()),
        ),
        Some(_) => return None,
    };
    Some(Finding { sentence, remedy, object: Some(expected.to_string()) })
}

/// Returns the finding of a `security definer` function that the migrations did not create. Such a function could show
/// rows of all users.
fn unknown_definer(function: Object<'_>) -> Finding {
    Finding::new(
        format!("the {function} is security definer and is not one of Passbook's"),
        Remedy::Statement(format!(
            "alter function {0} security invoker, or move it to a schema of your own: alter function {0} set schema …",
            function.relation
        )),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(line: &'static str) -> Object<'static> {
        Object::parse(line).expect("four fields")
    }

    fn found(line: &'static str) -> Found<'static> {
        Found { object: object(line), is_definer: false, is_replaced: false, usable: true }
    }

    /// The texts of the finding of an expected object.
    fn texts(expected: &'static str, found: Option<Found<'static>>) -> Option<String> {
        finding(&object(expected), found.as_ref()).map(|finding| finding.to_string())
    }

    #[test]
    fn every_line_of_the_expected_objects_has_four_fields() {
        let lines: Vec<&str> = EXPECTED.lines().collect();
        let parsed: Vec<Object<'_>> = lines.iter().filter_map(|line| Object::parse(line)).collect();
        assert_eq!(parsed.len(), lines.len());
        for kind in ["table", "view", "column", "constraint", "index", "function"] {
            assert!(parsed.iter().any(|object| object.kind == kind), "{kind}");
        }
    }

    #[test]
    fn missing_objects_are_named_with_a_statement_or_the_backup() {
        for (expected, text) in [
            ("view\ts.v\t\t", "the view s.v is missing: restore the database from a backup"),
            ("column\ts.t\tc\ttext", "the column c of s.t is missing: restore the database from a backup"),
            ("index\ts.t\ti\tSTATEMENT", "the index i on s.t is missing: STATEMENT"),
            (
                "constraint\ts.t\tk\tCHECK (x)",
                "the constraint k of s.t is missing: alter table s.t add constraint k CHECK (x)",
            ),
        ] {
            assert_eq!(texts(expected, None).as_deref(), Some(text));
            assert_eq!(texts(expected, Some(found(expected))), None);
        }
    }

    #[test]
    fn changed_objects_are_named_with_a_statement_or_the_backup() {
        for (expected, present, text) in [
            (
                "column\ts.t\tc\ttext not null",
                "column\ts.t\tc\ttext",
                "(text instead of text not null): alter table s.t alter column c set not null",
            ),
            (
                "column\ts.t\tc\ttext",
                "column\ts.t\tc\tinteger",
                "(integer instead of text): restore the database from a backup",
            ),
            ("index\ts.t\ti\tD", "index\ts.t\ti\tD (invalid)", "created: reindex index s.i"),
            ("index\ts.t\ti\tD", "index\ts.t\ti\tE", "created: drop index s.i; D"),
            (
                "constraint\ts.t\tk\tCHECK (x)",
                "constraint\ts.t\tk\tCHECK (x) NOT VALID",
                "created: alter table s.t drop constraint k, add constraint k CHECK (x)",
            ),
            (
                "function\ts.f()\t\treturns text",
                "function\ts.f()\t\treturns text set app.user_id=1",
                "created: alter function s.f() reset all",
            ),
            (
                "function\ts.f()\t\treturns text",
                "function\ts.f()\t\treturns integer",
                "created: restore the database from a backup",
            ),
        ] {
            let text_found = texts(expected, Some(found(present))).expect("a finding");
            assert!(text_found.ends_with(text), "{text_found}");
        }
    }

    #[test]
    fn unusable_object_is_named_with_the_grant() {
        for (expected, grant) in [
            ("view\ts.v\t\t", "grant select on s.v to passbook_reader"),
            ("function\ts.f(text)\t\treturns text", "grant execute on function s.f(text) to passbook_reader"),
        ] {
            let unusable = Found { usable: false, ..found(expected) };
            let text = texts(expected, Some(unusable)).expect("a finding");
            assert!(text.ends_with(grant), "{text}");
        }
    }
}
