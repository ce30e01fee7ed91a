//! `CONTRIBUTING.md`: the example of a commit follows the rule of the page, and every named command of `cargo xtask`
//! exists.

/// Maximum length of the subject of a commit, in characters.
const SUBJECT_CHARACTERS_MAX: usize = 72;

#[test]
fn example_commit_follows_the_rule_of_the_page() {
    let documents = super::documents();
    let page = &documents["CONTRIBUTING.md"];
    let blocks = super::blocks::read("CONTRIBUTING.md", page);
    let [commit] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    let mut lines = commit.text.lines();
    let subject = lines.next().expect("a subject");
    assert!(subject.contains(": ") && subject.chars().count() <= SUBJECT_CHARACTERS_MAX, "{subject}");
    assert_eq!(lines.next(), Some(""), "an empty line separates subject and body");
    assert!(page.contains(&format!("{SUBJECT_CHARACTERS_MAX} characters")), "the page states the limit");
}

#[test]
fn commands_of_xtask_in_root_documents_exist() {
    let usage =
        std::fs::read_to_string(xtask::root().join("xtask/src/main.rs")).expect("the program is read");
    let mut named = 0;
    for (path, text) in super::documents() {
        for command in text.split("`cargo xtask ").skip(1).filter_map(|rest| rest.split(['`', ' ']).next()) {
            named += 1;
            assert!(usage.contains(&format!("[\"{command}\"")), "{path}: {command}");
        }
    }
    assert!(named > 10, "{named}");
}
