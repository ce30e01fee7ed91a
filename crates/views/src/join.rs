//! Joins modules into one script and style sheets into one, so that a page needs few requests.

use crate::imports::{imported, plain_script};
use crate::module::{Kind, MODULES, Module, module};

/// Returns the modules with these names and those that they import, in the order of the table, as one script.
pub(crate) fn joined_script(entries: &[&str]) -> String {
    let mut needed: Vec<String> = entries.iter().map(|&name| name.to_owned()).collect();
    let mut index = 0;
    while let Some(module) = needed.get(index).and_then(|name| module(name)) {
        for name in imported(module.name, module.text) {
            if !needed.contains(&name) {
                needed.push(name);
            }
        }
        index += 1;
    }
    let is_needed = |module: &&Module| needed.iter().any(|name| name == module.name);
    MODULES.iter().filter(is_needed).map(|module| plain_script(module.text)).collect()
}

/// Returns every style sheet, except those with these names, as one.
pub(crate) fn joined_style(omitted: &[&str]) -> String {
    let is_part = |module: &&Module| module.kind == Kind::Style && !omitted.contains(&module.name);
    MODULES.iter().filter(is_part).map(|module| module.text).collect()
}
