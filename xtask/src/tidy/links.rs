//! Finds links within the repository whose file, or whose heading in that file, does not exist.

use std::collections::BTreeSet;

use super::Finding;
use crate::tree::Tree;

/// Finds the dead links of a document.
pub(super) fn check_file(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, target) in links(text) {
        if target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let linked = if file.is_empty() { Some(path.to_owned()) } else { resolve(path, file) };
        let Some(linked) = linked.filter(|linked| tree.contains(linked)) else {
            let advice = format!("correct the link: {file} does not exist");
            findings.push(Finding::new(path, line, "dead-link", advice));
            continue;
        };
        let has_anchors = !anchor.is_empty() && linked.ends_with(".md");
        if has_anchors && !anchors(tree.text(&linked).unwrap_or_default()).contains(anchor) {
            let advice = format!("correct the anchor: {linked} has no heading for #{anchor}");
            findings.push(Finding::new(path, line, "dead-anchor", advice));
        }
    }
    findings
}

/// Line number and target of each link.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    prose(text).flat_map(|(number, line)| {
        let targets = line.split("](").skip(1).filter_map(|after| after.split([')', ' ']).next());
        targets.filter(|target| !target.is_empty()).map(move |target| (number, target))
    })
}

/// The numbered lines outside fenced code blocks.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The anchors of a document: the slugs of its headings, and its explicit `<a id="…">`.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(text) {
        if let Some(heading) = heading(line) {
            let slug = slug(heading);
            // GitHub numbers headings that repeat, starting with 1 at the second.
            let numbered = (1..).map(|number| format!("{slug}-{number}"));
            let free = std::iter::once(slug.clone()).chain(numbered).find(|slug| !anchors.contains(slug));
            anchors.extend(free);
        }
        let explicit = line.split("<a id=\"").skip(1).filter_map(|after| after.split('"').next());
        anchors.extend(explicit.map(str::to_owned));
    }
    anchors
}

/// The text of a heading: 1 to 6 `#`, a space, and the text.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    if (1..=6).contains(&level) { text.strip_prefix(' ') } else { None }
}

/// GitHub's anchor of a heading: the rendered text in lower case, with hyphens for spaces, without punctuation except
/// hyphens and underscores.
fn slug(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading.trim();
    // The address of a link is not part of the rendered text.
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let letters = text.chars().flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c });
    letters.filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
}

/// The target of a link as a path from the root. `None` for a target outside the repository.
fn resolve(document: &str, target: &str) -> Option<String> {
    let mut folders: Vec<&str> = document.split('/').collect();
    folders.pop();
    for part in target.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(folders.pop()?),
            part => folders.push(part),
        }
    }
    Some(folders.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn links_to_missing_files_are_found() {
        let text = "[a](schema.md) [b](../README.md) [c](https://example.org#x)\n[e](gone.md#x)\n```\nx[0](gone)\n```\n[f](../../up.md)\n";
        let tree = Tree::of(&[("docs/a.md", text), ("docs/schema.md", ""), ("README.md", "")]);
        assert_eq!(
            lines(&check_file(&tree, "docs/a.md", text)),
            [
                "docs/a.md:2: dead-link: correct the link: gone.md does not exist",
                "docs/a.md:6: dead-link: correct the link: ../../up.md does not exist",
            ]
        );
    }

    #[test]
    fn anchors_without_a_heading_are_found() {
        let text = "# First page\n[a](#first-page) [b](#gone)\n[c](b.md#set-up) [d](b.md#in-code)\n[e](../src/x.rs#L3)\n";
        let other = "## Set up\n```sh\n# In code\n```\n";
        let tree = Tree::of(&[("docs/a.md", text), ("docs/b.md", other), ("src/x.rs", "")]);
        assert_eq!(
            lines(&check_file(&tree, "docs/a.md", text)),
            [
                "docs/a.md:2: dead-anchor: correct the anchor: docs/a.md has no heading for #gone",
                "docs/a.md:3: dead-anchor: correct the anchor: docs/b.md has no heading for #in-code",
            ]
        );
    }

    #[test]
    fn anchors_follow_the_rule_of_github() {
        let text = "# Grants: what a token may `read_all`\n## 1. Tokens & clients\n## [Map](map.md)\n### Map\n#no heading\n<a id=\"here\"></a>\n";
        let expected = ["1-tokens--clients", "grants-what-a-token-may-read_all", "here", "map", "map-1"]
            .map(str::to_owned);
        assert_eq!(anchors(text), BTreeSet::from(expected));
    }
}
