//! Resolves the paths of a crate's files to modules, and finds the circles between the modules.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::file::{SourceFile, UsedPath};

/// Maximum number of re-exports that are followed one after the other. A longer sequence is a circle of re-exports.
const REEXPORTS_MAX: usize = 8;

/// The path of a module from the root of its crate. The path of the root is empty.
type ModulePath = Vec<String>;

/// The modules of a crate: one per file.
#[derive(Debug, Default)]
pub(super) struct Modules {
    files: BTreeMap<ModulePath, (String, SourceFile)>,
}

/// An import that is part of a circle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: ModulePath,
    pub(super) to: ModulePath,
    /// Path of the file that contains the module `from`.
    pub(super) file: String,
    /// Number of the line in which `from` first imports `to`.
    pub(super) line: usize,
}

impl Modules {
    /// Reads the root file and each file that a `mod name;` reaches from there. `text_of` returns the text of the file
    /// with a path.
    pub(super) fn read<'a>(root: &str, text_of: impl Fn(&str) -> Option<&'a str>) -> Modules {
        let mut modules = Modules::default();
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut open = vec![(ModulePath::new(), root.to_owned())];
        while let Some((path, file)) = open.pop() {
            let Some(text) = text_of(&file) else { continue };
            let source = SourceFile::parse(text);
            for (scope, name) in &source.modules {
                let child = [&path[..], scope, std::slice::from_ref(name)].concat();
                let stem = format!("{folder}/{}", child.join("/"));
                open.push((child, format!("{stem}.rs")));
            }
            modules.files.insert(path, (file, source));
        }
        modules
    }

    /// Returns the circles, the shortest first. A circle is the list of its imports in order. No two circles share an
    /// import, and every set of modules that depend on each other has at least one circle.
    pub(super) fn circles(&self) -> Vec<Vec<Edge>> {
        let edges = self.edges();
        let mut found: BTreeSet<Vec<Edge>> = BTreeSet::new();
        for edge in edges.values().flat_map(BTreeMap::values) {
            if let Some(back) = shortest_path(&edges, &edge.to, &edge.from) {
                let mut circle = back;
                circle.push(edge.clone());
                let first =
                    circle.iter().enumerate().min_by_key(|(_, edge)| &edge.from).map_or(0, |(at, _)| at);
                circle.rotate_left(first);
                found.insert(circle);
            }
        }
        let mut circles: Vec<Vec<Edge>> = found.into_iter().collect();
        circles.sort_by_key(Vec::len);
        let mut reported = BTreeSet::new();
        circles.retain(|circle| {
            let is_new = circle.iter().all(|edge| !reported.contains(edge));
            if is_new {
                reported.extend(circle.iter().cloned());
            }
            is_new
        });
        circles
    }

    fn edges(&self) -> BTreeMap<ModulePath, BTreeMap<ModulePath, Edge>> {
        let mut edges: BTreeMap<ModulePath, BTreeMap<ModulePath, Edge>> = BTreeMap::new();
        for (from, (file, source)) in &self.files {
            for (to, line) in self.used(from, source) {
                if to != *from {
                    let edge = Edge { from: from.clone(), to: to.clone(), file: file.clone(), line };
                    let known =
                        edges.entry(from.clone()).or_default().entry(to).or_insert_with(|| edge.clone());
                    known.line = known.line.min(line);
                }
            }
        }
        edges
    }

    /// Returns the modules that a file uses, each with the number of the line that uses it.
    fn used(&self, from: &[String], source: &SourceFile) -> Vec<(ModulePath, usize)> {
        let mut used = Vec::new();
        for import in &source.imports {
            let name_is_used = import.name.as_ref().is_some_and(|name| source.words.contains(name));
            if import.is_reexport && !name_is_used {
                continue;
            }
            match self.resolve(from, &import.path, 0) {
                // The name of an imported module is no import yet. The paths that start with this name are checked one
                // by one.
                Some(Target::Module(_)) if import.name.is_some() => {}
                Some(Target::Module(path) | Target::Item(path)) => used.push((path, import.path.line)),
                None => {}
            }
        }
        for path in &source.paths {
            if let Some(Target::Module(module) | Target::Item(module)) = self.resolve(from, path, 0) {
                used.push((module, path.line));
            }
        }
        used.into_iter().map(|(module, line)| (self.file_of(module), line)).collect()
    }

    /// Returns the innermost module around `module` that has a file of its own.
    fn file_of(&self, mut module: ModulePath) -> ModulePath {
        while !self.files.contains_key(&module) && !module.is_empty() {
            module.pop();
        }
        module
    }

    /// Returns the module or item of this crate that a path names; `None` if the path names something in another crate.
    fn resolve(&self, file: &[String], path: &UsedPath, depth: usize) -> Option<Target> {
        if depth > REEXPORTS_MAX {
            return None;
        }
        let mut module = [file, &path.scope].concat();
        let mut segments = path.segments.as_slice();
        match segments.first()?.as_str() {
            "crate" => module.clear(),
            "self" => {}
            "super" => {
                module.pop()?;
            }
            _ => return self.descend(module, segments, depth, false),
        }
        segments = &segments[1..];
        while segments.first().is_some_and(|segment| segment == "super") {
            module.pop()?;
            segments = &segments[1..];
        }
        self.descend(module, segments, depth, true)
    }

    /// Follows the segments from a module on. A first name that the module does not know belongs to another crate,
    /// unless the path is `anchored` in this one.
    fn descend(
        &self,
        module: ModulePath,
        segments: &[String],
        depth: usize,
        anchored: bool,
    ) -> Option<Target> {
        let Some((name, rest)) = segments.split_first() else { return Some(Target::Module(module)) };
        if self.has_module(&module, name) {
            return self.descend([&module[..], std::slice::from_ref(name)].concat(), rest, depth, true);
        }
        if let Some(target) = self.imported(&module, name, rest, depth) {
            return Some(target);
        }
        (anchored || self.defines(&module, name)).then_some(Target::Item(module))
    }

    /// Returns the target of a name that a module imports or re-exports.
    fn imported(&self, module: &[String], name: &str, rest: &[String], depth: usize) -> Option<Target> {
        let file = self.file_of(module.to_vec());
        let scope = &module[file.len()..];
        let (_, source) = self.files.get(&file)?;
        if source.items.contains(&(scope.to_vec(), name.to_owned())) {
            return None;
        }
        for import in source.imports.iter().filter(|import| import.path.scope == scope) {
            let named = import.name.as_deref() == Some(name);
            if !named && import.name.is_some() {
                continue;
            }
            match self.resolve(&file, &import.path, depth + 1)? {
                Target::Module(target) if named => return self.descend(target, rest, depth + 1, true),
                Target::Item(target) if named => return Some(Target::Item(target)),
                Target::Module(target) if self.has_module(&target, name) || self.defines(&target, name) => {
                    let segments = [&[name.to_owned()], rest].concat();
                    return self.descend(target, &segments, depth + 1, true);
                }
                _ => {}
            }
        }
        None
    }

    fn has_module(&self, module: &[String], name: &str) -> bool {
        self.contains(module, name, |source| &source.modules)
    }

    fn defines(&self, module: &[String], name: &str) -> bool {
        self.contains(module, name, |source| &source.items)
    }

    fn contains(
        &self,
        module: &[String],
        name: &str,
        names: impl Fn(&SourceFile) -> &BTreeSet<(Vec<String>, String)>,
    ) -> bool {
        let file = self.file_of(module.to_vec());
        let scope = module[file.len()..].to_vec();
        self.files.get(&file).is_some_and(|(_, source)| names(source).contains(&(scope, name.to_owned())))
    }
}

/// The thing that a path names.
enum Target {
    Module(ModulePath),
    /// An item that this module defines.
    Item(ModulePath),
}

fn shortest_path(
    edges: &BTreeMap<ModulePath, BTreeMap<ModulePath, Edge>>,
    from: &ModulePath,
    to: &ModulePath,
) -> Option<Vec<Edge>> {
    let mut open = VecDeque::from([(from, Vec::new())]);
    let mut seen = BTreeSet::from([from]);
    while let Some((module, path)) = open.pop_front() {
        if module == to {
            return Some(path);
        }
        for edge in edges.get(module).into_iter().flat_map(BTreeMap::values) {
            if seen.insert(&edge.to) {
                open.push_back((&edge.to, [&path[..], std::slice::from_ref(edge)].concat()));
            }
        }
    }
    None
}
