//! `CONTRIBUTING.md`: the example of a commit follows the rule of the page, and every named command of
//! `cargo xtask` and `cargo lab` exists.

/// Maximum length of the subject of a commit, in characters.
const SUBJECT_CHARACTERS_MAX: usize = 72;

#[test]
fn example_commit_follows_the_rule_of_the_page() {
    let page = tests::documents::text("CONTRIBUTING.md");
    let blocks = tests::documents::blocks::read("CONTRIBUTING.md", page);
    let [commit] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    let mut lines = commit.text.lines();
    let subject = lines.next().expect("a subject");
    assert!(subject.contains(": ") && subject.chars().count() <= SUBJECT_CHARACTERS_MAX, "{subject}");
    assert_eq!(lines.next(), Some(""), "an empty line separates subject and body");
    assert!(page.contains(&format!("{SUBJECT_CHARACTERS_MAX} characters")), "the page states the limit");
}

#[test]
fn named_commands_of_xtask_and_lab_exist() {
    for (program, main) in [("xtask", "xtask/src/main.rs"), ("lab", "xtask/lab/src/main.rs")] {
        let usage = std::fs::read_to_string(tests::root().join(main)).expect("the program is read");
        let (start, mut named) = (format!("`cargo {program} "), 0);
        for (path, text) in tests::documents::documents() {
            for command in text.split(&start).skip(1).filter_map(|rest| rest.split(['`', ' ']).next()) {
                named += 1;
                assert!(usage.contains(&format!("[\"{command}\"")), "{path}: cargo {program} {command}");
            }
        }
        assert!(named > 5, "{named} commands of {program}");
    }
}
