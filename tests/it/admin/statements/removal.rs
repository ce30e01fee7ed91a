//! `--replace`, `--force` and folders.

use super::writers::{Booking, csv};
use super::{EMAIL, IBAN, Importer, year};

/// The bookings of the year without those with these positions.
fn without(positions: impl Fn(usize) -> bool) -> Vec<Booking> {
    year()
        .into_iter()
        .enumerate()
        .filter(|(number, _)| !positions(*number))
        .map(|(_, booking)| booking)
        .collect()
}

#[tokio::test]
async fn newer_file_removes_rows_only_with_replace() {
    let importer = Importer::new().await;
    let full = importer.file("full.csv", &csv(&year()));
    let newer = importer.file("newer.csv", &csv(&without(|number| number == 40)));
    importer.import(std::slice::from_ref(&full), &["--account", IBAN]);
    let before = importer.rows().await;
    importer.import(std::slice::from_ref(&newer), &["--account", IBAN]);
    assert_eq!(importer.rows().await, before);
    let flags = ["--account", IBAN, "--replace", "--dry-run"];
    let replaced = importer.import(std::slice::from_ref(&newer), &flags);
    assert_eq!(replaced["removed"], 1, "{replaced}");
    assert_eq!(importer.rows().await, before);
    importer.import(std::slice::from_ref(&newer), &flags[..3]);
    assert_eq!(importer.rows().await.len(), before.len() - 1);
    importer.json(&["undo", &newer]);
    assert_eq!(importer.rows().await, before);
}

#[tokio::test]
async fn removal_of_more_than_half_needs_force() {
    let importer = Importer::new().await;
    let full = importer.file("full.csv", &csv(&year()));
    let last = year().len() - 1;
    let ends = importer.file("ends.csv", &csv(&without(|number| number > 0 && number < last)));
    importer.import(&[full], &["--account", IBAN]);
    let before = importer.rows().await;
    let words = ["import", &ends, "--user", EMAIL, "--account", IBAN, "--replace"];
    let rejected = importer.admin(&words).failed(65);
    assert!(rejected.contains("--force"), "{rejected}");
    assert_eq!(importer.rows().await, before);
    let listed = importer.admin(&[&words[..], &["--force"]].concat());
    assert!(listed.code == 0 && listed.stderr.contains("Hausverwaltung Miete"), "{listed:?}");
    assert!(importer.rows().await.len() < before.len() / 2);
    // --force alone means nothing.
    let words = ["import", &ends, "--user", EMAIL, "--force"];
    assert_eq!(importer.admin(&words).code, 64);
}

#[tokio::test]
async fn folders_are_imported_with_the_folders_inside() {
    let importer = Importer::new().await;
    let folder = importer.folder.path().join("bank");
    std::fs::create_dir_all(folder.join("2025")).expect("a folder");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let write = |name: &str, text: &str| std::fs::write(path(name), text).expect("a file");
    let half = year().len() / 2;
    write("1.csv", &csv(&year()[..half]));
    write("2025/2.csv", &csv(&year()[half..]));
    write(".hidden.csv", "no statement");
    let one = importer.file("3.csv", &csv(&year()[half - 5..half + 5]));
    let imported = importer.import(&[path(""), one], &["--account", IBAN]);
    let names: Vec<&str> = imported["files"]
        .as_array()
        .expect("files")
        .iter()
        .filter_map(|file| file["file"].as_str())
        .collect();
    assert_eq!(names, ["1.csv", "2.csv", "3.csv"]);
    let rows = importer.rows().await;
    assert_eq!(rows.len(), year().len());
    // A file with faults in the folder: nothing is stored, and the file is named.
    write("2025/4.csv", "Day;Sum\n1;2\n");
    write("5.csv", &csv(&[super::writers::Booking::new(12, 30, -100, "Kiosk")]));
    let rejected = importer.admin(&["import", &path(""), "--user", EMAIL, "--account", IBAN]).failed(65);
    assert!(rejected.contains("4.csv"), "{rejected}");
    assert_eq!(importer.rows().await, rows);
    // An empty folder is wrong usage.
    std::fs::create_dir(folder.join("empty")).expect("a folder");
    let words = ["import", &path("empty"), "--user", EMAIL, "--account", IBAN];
    assert!(importer.admin(&words).failed(64).contains("contain no files"));
}
