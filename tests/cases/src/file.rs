//! A file of cases: reading, comparing with the received outcomes, and writing these.

use std::path::{Path, PathBuf};

use crate::case::{Case, Section, decoded, encoded, joined};

/// Runs every case of the files of a folder and panics with all differences. `sections` names the sections that a case
/// may have, `outcome` returns the text that the case must expect.
pub fn check(folder: &Path, sections: &[&str], mut outcome: impl FnMut(&Case) -> String) {
    let blesses = std::env::var_os("PASSBOOK_TEST_BLESS").is_some();
    let mut differences = String::new();
    for path in files(folder) {
        let text = std::fs::read_to_string(&path).expect("the file is readable");
        let file = CaseFile::parse(&text);
        assert!(!file.cases.is_empty(), "{} has no cases", path.display());
        let mut written = file.head.clone();
        for stored in &file.cases {
            let known = |section: &Section| section.name == "text" || sections.contains(&&*section.name);
            let unknown = stored.case.sections.iter().find(|section| !known(section));
            assert!(unknown.is_none(), "{}: {}: {unknown:?}", path.display(), stored.name);
            let received = stored.received(&mut outcome);
            if received != stored.expectation {
                let place = format!("{}:{}: {}", path.display(), stored.line, stored.name);
                differences += &format!("\n{place}\n{}", difference(&stored.expectation, &received));
            }
            written += &format!("\n{}--- {}\n{received}", stored.input, stored.last_section);
        }
        if blesses && written != text {
            std::fs::write(&path, written).expect("the file is writable");
        }
    }
    assert!(
        blesses || differences.is_empty(),
        "{differences}\nPASSBOOK_TEST_BLESS=1 writes the received outcomes."
    );
}

/// Returns the files of a folder by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no files", folder.display());
    files
}

struct CaseFile {
    /// The lines before the first case.
    head: String,
    cases: Vec<StoredCase>,
}

struct StoredCase {
    name: String,
    line: usize,
    case: Case,
    /// The lines of the case before its last section, as written.
    input: String,
    /// `expected` or `each`.
    last_section: String,
    expectation: String,
}

impl CaseFile {
    fn parse(text: &str) -> CaseFile {
        let lines: Vec<&str> = text.lines().collect();
        let mut starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with("=== ")).collect();
        starts.push(lines.len());
        let head = &lines[..starts[0]];
        let common = sections(head).1;
        let cases = starts.windows(2).map(|bounds| {
            let (start, end) = (bounds[0], bounds[1]);
            StoredCase::parse(start + 1, &lines[start..end], &common)
        });
        CaseFile { head: joined(head), cases: cases.collect() }
    }
}

impl StoredCase {
    fn parse(line: usize, lines: &[&str], common: &[Section]) -> StoredCase {
        let name = lines[0].trim_start_matches("=== ").to_owned();
        let last = lines.iter().rposition(|line| line.starts_with("--- "));
        let last = last.unwrap_or_else(|| panic!("{name}: must have a section `expected` or `each`"));
        let last_section = lines[last].trim_start_matches("--- ").to_owned();
        assert!(["expected", "each"].contains(&&*last_section), "{name}: must end with its expectation");
        let remarks = lines[1..last].iter().take_while(|line| line.starts_with("# ")).count();
        let (text, mut of_case) = sections(&lines[1 + remarks..last]);
        let is_replaced = |section: &Section| of_case.iter().any(|of_case| of_case.name == section.name);
        let others: Vec<Section> = common.iter().filter(|section| !is_replaced(section)).cloned().collect();
        of_case.extend(others);
        StoredCase {
            name,
            line,
            case: Case { text: decoded(&text), sections: of_case },
            input: joined(&lines[..last]),
            last_section,
            expectation: joined(&lines[last + 1..]),
        }
    }

    /// Returns the outcome of the case as its last section states it.
    fn received(&self, outcome: &mut impl FnMut(&Case) -> String) -> String {
        let mut outcome = |case: &Case| encoded(&joined(&outcome(case).lines().collect::<Vec<_>>()));
        if self.last_section == "expected" {
            return outcome(&self.case);
        }
        let texts = self.expectation.lines().filter(|line| !line.starts_with(' '));
        let each = texts.map(|text| {
            let received = outcome(&Case { text: decoded(text), ..self.case.clone() });
            let indented: String = received.lines().map(|line| format!("    {line}\n")).collect();
            format!("{text}\n{indented}")
        });
        each.collect()
    }
}

/// Returns the text before the first section, and the sections.
fn sections(lines: &[&str]) -> (String, Vec<Section>) {
    let mut starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with("--- ")).collect();
    starts.push(lines.len());
    let sections = starts
        .windows(2)
        .map(|bounds| Section::parse(&lines[bounds[0]]["--- ".len()..], &lines[bounds[0] + 1..bounds[1]]));
    (joined(&lines[..starts[0]]), sections.collect())
}

/// Returns the lines that differ, between the lines that both texts begin and end with.
fn difference(expected: &str, received: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), received.lines().collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let tails = old[start..].iter().rev().zip(new[start..].iter().rev());
    let end = tails.take_while(|(old, new)| old == new).count();
    let marked = |mark: char, lines: &[&str]| -> String {
        lines.iter().map(|line| format!("{mark} {line}\n")).collect()
    };
    let before = &old[start.saturating_sub(3)..start];
    marked(' ', before)
        + &marked('-', &old[start..old.len() - end])
        + &marked('+', &new[start..new.len() - end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "About.\n--- text\n<{text}>\n--- unit cm\n\n=== one\n# A remark.\na⟨U+000D⟩\n--- unit m\n--- expected\n1\n\n=== two\n--- each\n⟨x×3⟩\n    2\ny\n";

    #[test]
    fn case_has_its_text_its_sections_and_those_of_the_file() {
        let file = CaseFile::parse(FILE);
        let [one, two] = &file.cases[..] else { panic!("the file has two cases") };
        assert_eq!((one.name.as_str(), one.line, one.expectation.as_str()), ("one", 6, "1\n"));
        assert_eq!((one.case.text().as_str(), one.case.value("unit")), ("<a\r>\n", Some("m")));
        assert_eq!(two.case.value("unit"), Some("cm"));
        let received = two.received(&mut |case| case.text());
        assert_eq!(received, "⟨x×3⟩\n    <xxx>\ny\n    <y>\n");
        assert_eq!(one.received(&mut |_| "b\t\r\n\n".to_owned()), "b⟨U+0009⟩\n");
    }

    #[test]
    fn difference_shows_the_lines_that_differ() {
        assert_eq!(difference("a\nb\nc\n", "a\nd\ne\nc\n"), "  a\n- b\n+ d\n+ e\n");
        assert_eq!(difference("a\na\n", "a\n"), "  a\n- a\n");
    }
}
