//! Reads the drawing of the packages in `docs/architecture.md`.
//!
//! The drawing is the code block after the line `<!-- a drawing -->`. Each line of it draws the dependencies of one
//! or more packages:
//!
//! ```text
//! bins/server ──► rest, mcp
//!             ┄┄► schema           (a remark)
//! domain      ──► nothing
//! ```
//!
//! A line without a name on the left continues the line above. The arrow says which dependency it is: see [`Kind`].

use std::collections::BTreeMap;

use super::Finding;
use crate::tree::Tree;

/// Path of the document that contains the drawing.
pub(super) const MAP: &str = "docs/architecture.md";
const MARKER: &str = "<!-- a drawing -->";
const RULE: &str = "drawing";
/// Word on the right of an arrow: the package on the left may use every other package.
const ANYTHING: &str = "anything";
/// Word on the right of an arrow: the package on the left uses no package of this workspace.
const NOTHING: &str = "nothing";

/// The kind of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Drawn as `──►`: a dependency in every build.
    Always,
    /// Drawn as `┄┄►`: an optional dependency, used only with a feature.
    Feature,
    /// Drawn as `··►`: a development dependency, used only in tests.
    Tests,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Always, Kind::Feature, Kind::Tests];

    /// Returns the arrow that draws this kind of dependency.
    pub(super) fn arrow(self) -> &'static str {
        match self {
            Kind::Always => "──►",
            Kind::Feature => "┄┄►",
            Kind::Tests => "··►",
        }
    }
}

/// An arrow between two packages, each named by its folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) kind: Kind,
}

/// The packages and arrows of the drawing, each with its line number in the document.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) edges: BTreeMap<Edge, usize>,
    /// Packages on the left of an arrow, each with its line number.
    pub(super) packages: BTreeMap<String, usize>,
    /// Packages that may use every other package.
    pub(super) unrestricted: Vec<String>,
}

impl Drawing {
    /// Reads the drawing. The returned findings name the lines that cannot be read.
    pub(super) fn read(tree: &Tree) -> (Drawing, Vec<Finding>) {
        let text = tree.text(MAP).unwrap_or_default();
        let mut drawing = Drawing::default();
        let mut findings = Vec::new();
        let mut left = Vec::new();
        for (line, content) in block(text) {
            match arrow(content) {
                Some((names, kind, targets)) => {
                    if !names.is_empty() {
                        left = names;
                    }
                    drawing.add(&left, kind, &targets, line);
                }
                None if content.trim().is_empty() => {}
                None => {
                    let advice =
                        "write `package ──► package, package`, with `┄┄►` for a feature and `··►` for tests";
                    findings.push(Finding::new(MAP, line, RULE, advice));
                }
            }
        }
        if drawing.packages.is_empty() {
            let advice = format!("draw the packages in a code block after `{MARKER}`");
            findings.push(Finding::new(MAP, 1, RULE, advice));
        }
        (drawing, findings)
    }

    fn add(&mut self, left: &[String], kind: Kind, targets: &[String], line: usize) {
        for from in left {
            self.packages.entry(from.clone()).or_insert(line);
            for to in targets {
                match to.as_str() {
                    ANYTHING => self.unrestricted.push(from.clone()),
                    NOTHING => {}
                    to => {
                        let edge = Edge { from: from.clone(), to: to.to_owned(), kind };
                        self.edges.entry(edge).or_insert(line);
                    }
                }
            }
        }
    }
}

/// Returns the lines of the drawing with their line numbers.
fn block(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let mut after = lines.skip_while(|(_, line)| line.trim() != MARKER).skip(1);
    let opened = after.next().is_some_and(|(_, line)| line.starts_with("```"));
    if opened { after.take_while(|(_, line)| !line.starts_with("```")).collect() } else { Vec::new() }
}

/// Returns the names on both sides of the arrow in a line, and the kind of the arrow.
fn arrow(line: &str) -> Option<(Vec<String>, Kind, Vec<String>)> {
    let kind = Kind::ALL.into_iter().find(|kind| line.contains(kind.arrow()))?;
    let (left, right) = line.split_once(kind.arrow())?;
    // A drawn arrow may have more dashes than its shortest form.
    let left = left.trim_end_matches(|c: char| kind.arrow().starts_with(c));
    let right = right.split_once('(').map_or(right, |(names, _remark)| names);
    let targets = names(right);
    (!targets.is_empty()).then(|| (names(left), kind, targets))
}

/// Returns the last path segment of each name in a list that is separated by commas.
fn names(list: &str) -> Vec<String> {
    let names = list.split(',').map(|name| name.trim().rsplit('/').next().unwrap_or_default());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    fn read(drawing: &str) -> (Drawing, Vec<String>) {
        let text = format!("# A\n<!-- a drawing -->\n```text\n{drawing}\n```\n\na ──► ignored\n");
        let (drawing, findings) = Drawing::read(&Tree::of(&[(MAP, &text)]));
        (drawing, lines(&findings))
    }

    #[test]
    fn arrows_groups_and_continued_lines_are_read() {
        let (drawing, findings) = read(
            "bins/a ─────► b, crates/c\n       ┄┄► d   (feature `x`, optional)\n\nb, c ──► nothing\n     ··► d\nt ──► anything",
        );
        assert_eq!(findings, [""; 0]);
        let edges: Vec<(String, usize)> = drawing
            .edges
            .iter()
            .map(|(edge, line)| (format!("{} {} {}", edge.from, edge.kind.arrow(), edge.to), *line))
            .collect();
        let expected = [("a ──► b", 4), ("a ──► c", 4), ("a ┄┄► d", 5), ("b ··► d", 8), ("c ··► d", 8)];
        assert_eq!(edges, expected.map(|(edge, line)| (edge.to_owned(), line)));
        assert_eq!(drawing.packages.into_keys().collect::<Vec<_>>(), ["a", "b", "c", "t"]);
        assert_eq!(drawing.unrestricted, ["t"]);
    }

    #[test]
    fn unreadable_line_and_missing_drawing_are_findings() {
        let advice = "write `package ──► package, package`, with `┄┄►` for a feature and `··►` for tests";
        let (_, findings) = read("a ──► b\na -> c\na ──►");
        let expected = [5, 6].map(|line| format!("{MAP}:{line}: drawing: {advice}"));
        assert_eq!(findings, expected);
        let (_, findings) = Drawing::read(&Tree::of(&[(MAP, "# A\n")]));
        assert_eq!(
            lines(&findings),
            [format!("{MAP}:1: drawing: draw the packages in a code block after `{MARKER}`")]
        );
    }
}
