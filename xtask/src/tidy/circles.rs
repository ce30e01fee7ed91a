//! Finds import circles between the modules of a crate.
//!
//! A module is one file; inline modules belong to the file around them. Module `a` imports module `b` if a `use`
//! statement or a path in the code of `a` names an item that `b` defines. Re-exports are followed to the defining
//! module. These are not imports:
//!
//! * `mod b;`, so a parent may declare a child that uses the parent's items;
//! * a re-export (`pub use`, `pub(crate) use`), unless the same file uses the name;
//! * anything behind `#[cfg(test)]`.
//!
//! The rule makes no exception for parents and children: a parent that calls its child, while the child uses an item
//! that the parent defines, is a circle. The remedy is to move the shared item into a module of its own.

mod file;
mod graph;
mod tokens;

use super::Finding;
use crate::tree::Tree;
use graph::{Edge, Modules};

const RULE: &str = "import-circle";
/// Root files of a crate, from which its modules are read.
const ROOTS: [&str; 2] = ["src/lib.rs", "src/main.rs"];

/// Returns one finding per circle.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.texts_in("", "/Cargo.toml").map(|(path, _)| path.trim_end_matches("Cargo.toml"));
    let roots = manifests.flat_map(|folder| ROOTS.map(|root| format!("{folder}{root}")));
    let roots: Vec<String> = roots.filter(|root| tree.text(root).is_some()).collect();
    let modules = roots.iter().map(|root| Modules::read(root, |path| tree.text(path)));
    modules.flat_map(|modules| modules.circles()).map(|circle| finding(&circle)).collect()
}

fn finding(circle: &[Edge]) -> Finding {
    let names: Vec<String> = circle.iter().chain(circle.first()).map(|edge| name(&edge.from)).collect();
    let imports: Vec<String> = circle.iter().map(|edge| format!("{}:{}", edge.file, edge.line)).collect();
    let advice = format!(
        "break the circle {} ({}): move the shared item into a module of its own",
        names.join(" → "),
        imports.join(", ")
    );
    let (path, line) = circle.first().map_or(("", 1), |edge| (edge.file.as_str(), edge.line));
    Finding::new(path, line, RULE, advice)
}

fn name(module: &[String]) -> String {
    if module.is_empty() { "crate".to_owned() } else { module.join("::") }
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(String, &str)> =
            files.iter().map(|(path, text)| (format!("crates/x/src/{path}.rs"), *text)).collect();
        let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        files.push(("crates/x/Cargo.toml", ""));
        let found = lines(&check(&Tree::of(&files)));
        found.into_iter().map(|line| line.replace("crates/x/src/", "")).collect()
    }

    fn finding(at: &str, circle: &str) -> String {
        format!(
            "{at}: import-circle: break the circle {circle}: move the shared item into a module of its own"
        )
    }

    #[test]
    fn siblings_that_import_each_other_are_a_circle() {
        let found = findings(&[
            ("lib", "mod a;\nmod b;\n"),
            ("a", "use crate::b::B;\npub struct A(B);\n"),
            ("b", "\nfn f() -> super::a::A {}\npub struct B;\n"),
        ]);
        assert_eq!(found, [finding("a.rs:1", "a → b → a (a.rs:1, b.rs:2)")]);
    }

    #[test]
    fn circle_through_a_third_module_is_found() {
        let found = findings(&[
            ("lib", "mod a;\nmod b;\nmod c;"),
            ("a", "use crate::b::B;\npub struct A;"),
            ("b", "use crate::c;\npub struct B(c::C);"),
            ("c", "use crate::a::A;\npub struct C(A);"),
        ]);
        assert_eq!(found, [finding("a.rs:1", "a → b → c → a (a.rs:1, b.rs:2, c.rs:1)")]);
    }

    #[test]
    fn parent_and_child_that_use_each_other_are_a_circle() {
        let parent = "mod child;\npub struct Shared;\npub fn run() { child::run() }\n";
        let child = "use super::Shared;\npub fn run() -> Shared { Shared }\n";
        let expected = [finding("a.rs:3", "a → a::child → a (a.rs:3, a/child.rs:1)")];
        assert_eq!(findings(&[("lib", "mod a;"), ("a", parent), ("a/child", child)]), expected);
        let expected = [finding("lib.rs:3", "crate → child → crate (lib.rs:3, child.rs:1)")];
        assert_eq!(findings(&[("lib", parent), ("child", child)]), expected);
    }

    #[test]
    fn declarations_and_reexports_are_not_imports() {
        let child = "use super::Shared;\npub struct Child(Shared);\n";
        let parent = "mod child;\npub use child::Child;\npub struct Shared;\n";
        assert_eq!(findings(&[("lib", parent), ("child", child)]), [""; 0]);
        // If a file uses a name that it also re-exports, the re-export is an import.
        let used = format!("{parent}fn f() -> Child {{}}\n");
        assert_eq!(findings(&[("lib", &used), ("child", child)]).len(), 1);
    }

    #[test]
    fn reexports_are_followed_to_the_defining_module() {
        let library = "mod a;\nmod b;\npub use a::A;\npub use b::*;\n";
        let to_each_other = [
            ("lib", library),
            ("a", "use crate::B;\npub struct A(B);\n"),
            ("b", "use crate::A;\npub struct B(A);\n"),
        ];
        assert_eq!(findings(&to_each_other), [finding("a.rs:1", "a → b → a (a.rs:1, b.rs:1)")]);
        let one_way =
            [("lib", library), ("a", "use crate::B;\npub struct A(B);\n"), ("b", "pub struct B;\n")];
        assert_eq!(findings(&one_way), [""; 0]);
    }

    #[test]
    fn tests_comments_and_other_crates_are_left_out() {
        let found = findings(&[
            ("lib", "mod a;\nmod b;"),
            ("a", "use crate::b::B;\nuse other::b::X;\npub struct A;\n"),
            ("b", "// crate::a::A\npub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n"),
        ]);
        assert_eq!(found, [""; 0]);
    }
}
