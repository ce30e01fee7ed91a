//! Tables of test cases in text files: a line for each case, and below it an indented line for each of its values.

/// Returns the cases of a table with their values. Lines that start with `#` are remarks.
pub fn rows(table: &str) -> Vec<(&str, Vec<&str>)> {
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("    ") {
            Some(value) => rows.last_mut().expect("a case is above its values").1.push(value),
            None => rows.push((line, Vec::new())),
        }
    }
    rows
}
