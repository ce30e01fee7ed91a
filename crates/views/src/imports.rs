//! Reads the import and export statements of a module.
//!
//! The modules are formatted by biome: a statement at the top level starts in the first column, an import ends with
//! `';`, and no import renames what it imports. The tests of this file check these assumptions for every module.

/// Returns the names of the modules that a module imports, relative to the folder of all files.
pub(crate) fn imported(name: &str, text: &str) -> Vec<String> {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let sources = statements(text).filter_map(|statement| {
        let (_, source) = statement.rsplit_once(" from '")?;
        Some(source.trim_end().trim_end_matches("';").to_owned())
    });
    sources.map(|source| resolve(folder, &source)).collect()
}

/// Returns a module without its imports, its `export` keywords and the comments that fill whole lines.
///
/// A licence text starts with `/*!` and stays.
pub(crate) fn plain_script(text: &str) -> String {
    let mut script = String::with_capacity(text.len());
    let (mut in_import, mut in_comment) = (false, false);
    for line in text.lines() {
        let start = line.trim_start();
        if in_import || line.starts_with("import ") {
            in_import = !line.ends_with("';");
        } else if in_comment || (start.starts_with("/**") && is_only_comment(start)) {
            in_comment = !line.ends_with("*/");
        } else if !start.is_empty() && !start.starts_with("//") {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script
}

/// Returns false if code follows a comment in the same line, as in the types of parameters.
fn is_only_comment(line: &str) -> bool {
    line.split_once("*/").is_none_or(|(_, code)| code.is_empty())
}

/// Returns each import statement as one line.
fn statements(text: &str) -> impl Iterator<Item = String> {
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        let mut statement = lines.find(|line| line.starts_with("import "))?.to_owned();
        while !statement.ends_with("';") {
            statement.push_str(lines.next()?);
        }
        Some(statement)
    })
}

/// Resolves `./name` and `../folder/name` against a folder.
fn resolve(folder: &str, source: &str) -> String {
    match (source.strip_prefix("./"), source.strip_prefix("../")) {
        (Some(name), _) => format!("{folder}/{name}"),
        (None, Some(path)) => path.to_owned(),
        (None, None) => source.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{Kind, MODULES, Module};

    fn scripts() -> impl Iterator<Item = &'static Module> {
        MODULES.iter().filter(|module| module.kind == Kind::Script)
    }

    #[test]
    fn imports_are_read_in_one_line_and_in_several() {
        let text =
            "import { a } from './a.js';\nimport {\n  b,\n  c,\n} from '../vendor/b.js';\nconst d = 1;\n";
        assert_eq!(imported("modules/x.js", text), ["modules/a.js", "vendor/b.js"]);
    }

    #[test]
    fn plain_script_has_neither_imports_nor_exports_nor_comments() {
        let text = "/*! licence */\nimport {\n  b,\n} from './b.js';\n\n/** Text. */\nexport const a = 1;\n\
                    /**\n * Text.\n */\nexport function c() {\n  // why\n  return 'https://x';\n}\n";
        assert_eq!(
            plain_script(text),
            "/*! licence */\nconst a = 1;\nfunction c() {\n  return 'https://x';\n}\n"
        );
    }

    #[test]
    fn code_after_a_comment_stays() {
        let text = "const a = (\n  /** @type {string} */ id,\n  /** @type {number} */\n  step,\n) => id;\n";
        assert_eq!(plain_script(text), "const a = (\n  /** @type {string} */ id,\n  step,\n) => id;\n");
    }

    #[test]
    fn every_import_is_of_an_earlier_module_and_renames_nothing() {
        let mut earlier: Vec<&str> = Vec::new();
        for module in scripts() {
            for name in imported(module.name, module.text) {
                assert!(earlier.contains(&name.as_str()), "{} imports {name}", module.name);
            }
            for statement in statements(module.text) {
                assert!(!statement.contains(" as "), "{}: {statement}", module.name);
                assert!(statement.starts_with("import { "), "{}: {statement}", module.name);
            }
            earlier.push(module.name);
        }
    }

    #[test]
    fn every_export_is_a_declaration_in_the_first_column() {
        for module in scripts() {
            for line in module.text.lines().filter(|line| line.trim_start().starts_with("export")) {
                let declared =
                    ["export function ", "export async function ", "export const ", "export class "];
                assert!(declared.iter().any(|start| line.starts_with(start)), "{}: {line}", module.name);
            }
        }
    }

    #[test]
    fn top_level_names_are_unique_over_all_modules() {
        let mut names: Vec<(String, &str)> = Vec::new();
        for module in scripts() {
            for name in plain_script(module.text).lines().flat_map(declared_names) {
                let other = names.iter().find(|(known, _)| *known == name);
                assert_eq!(other, None, "{} declares {name} too", module.name);
                names.push((name, module.name));
            }
        }
        assert!(names.iter().any(|(name, _)| name == "scaleLinear"), "names of d3 are read");
    }

    /// Returns the names that a line declares at the top level.
    fn declared_names(line: &str) -> Vec<String> {
        let starts = ["async function ", "function ", "const ", "let ", "var ", "class "];
        let Some(rest) = starts.iter().find_map(|start| line.strip_prefix(start)) else { return Vec::new() };
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        match rest.strip_prefix('{').and_then(|names| names.split_once('}')) {
            Some((names, _)) => names.split(',').map(|name| name.trim().to_owned()).collect(),
            None => vec![rest.chars().take_while(|c| is_name(*c)).collect()],
        }
    }
}
