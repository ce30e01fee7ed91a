//! Finds the declarations, imports and paths in one Rust file.

use std::collections::BTreeSet;

use super::tokens::{Token, tokens};

/// The declarations, imports and paths of a Rust file. A scope is the list of inline modules around a statement.
#[derive(Debug, Default)]
pub(super) struct SourceFile {
    /// Scope and name of each module that the file declares, inline or as a file.
    pub(super) modules: BTreeSet<(Vec<String>, String)>,
    /// Scope and name of each item that the file defines.
    pub(super) items: BTreeSet<(Vec<String>, String)>,
    pub(super) imports: Vec<Import>,
    /// Paths of two or more segments that occur outside `use` statements.
    pub(super) paths: Vec<UsedPath>,
    /// Words that occur outside `use` statements. A re-exported name among them is used by the file itself.
    pub(super) words: BTreeSet<String>,
}

/// One name that a `use` statement brings into scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) path: UsedPath,
    /// Name that the statement brings into scope; `None` for `*`.
    pub(super) name: Option<String>,
    pub(super) is_reexport: bool,
}

/// A path as the file contains it, such as `crate::money::Cents`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UsedPath {
    pub(super) scope: Vec<String>,
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
}

impl SourceFile {
    pub(super) fn parse(text: &str) -> SourceFile {
        let mut reader =
            Reader { tokens: &tokens(text), at: 0, scope: Vec::new(), file: SourceFile::default() };
        reader.file_body();
        reader.file
    }
}

/// Keywords that come before the name of an item.
const ITEMS: [&str; 9] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"];

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    /// The inline modules around the current token, each with the depth of braces at its start.
    scope: Vec<(String, usize)>,
    file: SourceFile,
}

impl Reader<'_> {
    fn file_body(&mut self) {
        let mut depth = 0_usize;
        let mut public = false;
        while let Some(token) = self.tokens.get(self.at) {
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    if self.scope.last().is_some_and(|(_, start)| *start == depth) {
                        self.scope.pop();
                    }
                }
                "pub" => {
                    public = true;
                    self.visibility();
                    continue;
                }
                "use" => {
                    self.use_statement(public);
                    public = false;
                    continue;
                }
                "mod" => self.module(depth),
                word if ITEMS.contains(&word) => {
                    let name = usize::from(self.text(1) == "!") + 1;
                    let item = (self.scope_names(), self.text(name).to_owned());
                    self.file.items.insert(item);
                }
                _ => {}
            }
            public = false;
            self.path();
        }
    }

    fn text(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text.as_str())
    }

    fn scope_names(&self) -> Vec<String> {
        self.scope.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Skips `pub` and a restriction such as `pub(in crate::a)`.
    fn visibility(&mut self) {
        self.at += 1;
        if self.text(0) == "(" && ["crate", "super", "self", "in"].contains(&self.text(1)) {
            while !["", ")"].contains(&self.text(0)) {
                self.at += 1;
            }
            self.at += 1;
        }
    }

    fn module(&mut self, depth: usize) {
        let name = self.text(1).to_owned();
        match self.text(2) {
            "{" => {
                self.file.modules.insert((self.scope_names(), name.clone()));
                self.scope.push((name, depth));
            }
            ";" => {
                self.file.modules.insert((self.scope_names(), name));
            }
            _ => {}
        }
    }

    /// Reads one token, or the whole path that starts at the token.
    fn path(&mut self) {
        let Some(first) = self.tokens.get(self.at) else { return };
        let follows = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let continues = follows.is_some_and(|before| ["::", "."].contains(&before.text.as_str()));
        if !first.is_word() || continues {
            self.at += 1;
            return;
        }
        self.file.words.insert(first.text.clone());
        let mut segments = vec![first.text.clone()];
        while self.text(1) == "::" && self.tokens.get(self.at + 2).is_some_and(Token::is_word) {
            segments.push(self.text(2).to_owned());
            self.at += 2;
        }
        self.at += 1;
        if segments.len() > 1 {
            self.file.paths.push(UsedPath { scope: self.scope_names(), segments, line: first.line });
        }
    }

    fn use_statement(&mut self, is_reexport: bool) {
        self.at += 1;
        if self.text(0) == "::" {
            // A path that starts with `::` begins with the name of a crate, so it never names a module of this crate.
            while !["", ";"].contains(&self.text(0)) {
                self.at += 1;
            }
            return;
        }
        self.use_tree(&[], is_reexport);
    }

    /// Reads a tree of imports such as `a::{b, c as d, *}` up to the `,`, `}` or `;` behind the tree.
    fn use_tree(&mut self, prefix: &[String], is_reexport: bool) {
        let mut segments = prefix.to_vec();
        let line = self.tokens.get(self.at).map_or(0, |token| token.line);
        let mut name = None;
        let mut is_glob = false;
        loop {
            match self.text(0).to_owned().as_str() {
                "" | "," | "}" | ";" => break,
                "::" => {}
                "*" => is_glob = true,
                "as" => {
                    name = Some(self.text(1).to_owned());
                    self.at += 1;
                }
                "{" => {
                    self.at += 1;
                    while !["", "}", ";"].contains(&self.text(0)) {
                        self.use_tree(&segments, is_reexport);
                        if self.text(0) == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    return;
                }
                "self" if !prefix.is_empty() => {}
                word => segments.push(word.to_owned()),
            }
            self.at += 1;
        }
        let name = if is_glob { None } else { name.or_else(|| segments.last().cloned()) };
        let path = UsedPath { scope: self.scope_names(), segments, line };
        self.file.imports.push(Import { path, name, is_reexport });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_trees_are_read_name_by_name() {
        let file = SourceFile::parse(
            "use crate::a::{self, b::{C as D, E}, f::*};\npub(crate) use super::g;\nuse ::std::fmt;",
        );
        let found: Vec<String> = file
            .imports
            .iter()
            .map(|import| {
                let name = import.name.as_deref().unwrap_or("*");
                let mark = if import.is_reexport { " re-exported" } else { "" };
                format!("{}: {} as {name}{mark}", import.path.line, import.path.segments.join("::"))
            })
            .collect();
        assert_eq!(
            found,
            [
                "1: crate::a as a",
                "1: crate::a::b::C as D",
                "1: crate::a::b::E as E",
                "1: crate::a::f as *",
                "2: super::g as g re-exported",
            ]
        );
    }

    #[test]
    fn paths_items_and_modules_are_found_in_their_scope() {
        let file = SourceFile::parse(
            "mod a;\nmod b {\n    fn f() { super::a::g::<u8>(x.y::<z::W>()) }\n}\npub(in crate::c) struct S(crate::d::T);\n",
        );
        let inner = vec!["b".to_owned()];
        assert_eq!(file.modules, BTreeSet::from([(vec![], "a".to_owned()), (vec![], "b".to_owned())]));
        assert_eq!(file.items, BTreeSet::from([(inner, "f".to_owned()), (vec![], "S".to_owned())]));
        let paths: Vec<String> =
            file.paths.iter().map(|path| format!("{:?} {}", path.scope, path.segments.join("::"))).collect();
        assert_eq!(paths, ["[\"b\"] super::a::g", "[\"b\"] z::W", "[] crate::d::T"]);
    }
}
