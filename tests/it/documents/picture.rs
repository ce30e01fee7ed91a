//! `docs/images/terminal.svg`, the picture of the README: the first command, the lines that it prints, the printed query
//! and its answer. The answer comes from a server with the demo household of 2026-11-21. `cargo xtask bless` draws it.
//! Also the sizes of the screenshots, which `cargo lab clients pictures` makes.

use std::fmt::Write as _;
use std::process::Command;

use passbook_server::announce::{Announcement, Page};

use tests::app::App;

use crate::rest::contract::{ORIGIN, compare};

const PICTURE: &str = "docs/images/terminal.svg";
/// Folder of the pictures in the documents.
const IMAGES: &str = "docs/images";
/// Maximum size of a screenshot in bytes, so that a page loads quickly.
const SCREENSHOT_BYTES_MAX: usize = 200_000;
/// Text in place of the token.
const TOKEN: &str = "pbk_…";
/// Characters on a line of the picture.
const COLUMNS: u32 = 108;
/// Width of a character of the font size 14, in pixels. Every usual monospaced font has about this width.
const CHARACTER_WIDTH: f64 = 8.43;
/// Distance of two lines of text, in pixels.
const LINE_HEIGHT: u32 = 20;
/// Distance of the text from the edges, in pixels.
const MARGIN: u32 = 20;
/// Height of the title bar of the drawn window, in pixels.
const BAR_HEIGHT: u32 = 32;

/// A line of the terminal.
enum Line {
    Typed(String),
    Printed(String),
}

#[tokio::test(flavor = "multi_thread")]
async fn picture_of_the_readme_shows_the_commands_and_the_answer_of_a_server() {
    let blocks = tests::documents::blocks_of("README.md");
    let first_command = blocks.first().expect("the first command").text.trim_end();

    let app = App::demo_household().await;
    let token = app.token(passbook_demo::USER_ID).await;
    let announcement = Announcement {
        origin: ORIGIN.to_owned(),
        metrics: None,
        token: Some(TOKEN),
        page: Some(Page { code: Some("…".to_owned()) }),
    };
    let printed = announcement.lines();
    let query = printed.last().and_then(|line| line.strip_prefix("try     ")).expect("the printed query");
    let real = query.replace(&announcement.base_url(), &app.base_url).replace(TOKEN, &token);
    let output = Command::new("sh").args(["-c", &real]).output().expect("a shell");
    assert!(output.status.success(), "{real}: {}", String::from_utf8_lossy(&output.stderr));
    let answer = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(answer.contains("\"expenseTotal\":"), "{answer}");

    let mut lines = vec![Line::Typed(first_command.to_owned())];
    lines.extend(printed.iter().cloned().map(Line::Printed));
    lines.extend([Line::Typed(query.to_owned()), Line::Printed(answer)]);
    let picture = draw(&lines);
    assert!(!picture.contains(&token), "the picture must not contain the token");
    std::fs::create_dir_all(tests::root().join(IMAGES)).expect("the folder exists");
    compare(PICTURE, &picture);
}

#[test]
fn screenshots_are_small_and_shown_by_a_document() {
    let documents = tests::documents::documents();
    let mut screenshots = 0;
    for entry in std::fs::read_dir(tests::root().join(IMAGES)).expect("the folder exists") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8").to_owned();
        if !name.ends_with(".png") {
            continue;
        }
        screenshots += 1;
        let picture = std::fs::read(&path).expect("the file is readable");
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        assert!(picture.len() <= SCREENSHOT_BYTES_MAX, "{name} has {} bytes", picture.len());
        let shown = format!("images/{name})");
        assert!(documents.values().any(|text| text.contains(&shown)), "no document shows {name}");
    }
    assert_eq!(screenshots, 3);
}

/// Draws the lines as text in a window. Long lines are wrapped.
fn draw(lines: &[Line]) -> String {
    let columns = usize::try_from(COLUMNS).expect("a small number");
    let mut rows: Vec<(bool, String)> = Vec::new();
    for line in lines {
        let (typed, text) = match line {
            Line::Typed(command) => (true, format!("$ {command}")),
            Line::Printed(text) => (false, text.clone()),
        };
        let characters: Vec<char> = text.trim_end().chars().collect();
        rows.extend(characters.chunks(columns).map(|row| (typed, row.iter().collect())));
    }
    let width = (f64::from(COLUMNS) * CHARACTER_WIDTH).ceil() + f64::from(2 * MARGIN);
    let baseline = |row: usize| BAR_HEIGHT + u32::try_from(row).expect("a small number") * LINE_HEIGHT + 14;
    let height = baseline(rows.len()) + 6;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n\
         <title>A terminal that starts the demo and queries the totals of the last month</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d2330\"/>\n\
         <circle cx=\"22\" cy=\"16\" r=\"5\" fill=\"#56b4e9\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"14\" xml:space=\"preserve\">\n"
    );
    for (index, (typed, row)) in rows.iter().enumerate() {
        let y = baseline(index);
        let colour = if *typed { "#8fd3a8" } else { "#e6e9ef" };
        writeln!(svg, "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{colour}\">{}</text>", escaped(row))
            .expect("writing to a string succeeds");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
