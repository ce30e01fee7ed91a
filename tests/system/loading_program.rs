//! The program of `docs/loading-data.md`, in Python, converts an export to a bundle, and a bundle deletes rows of it.

use tests::database::Database;
use tests::documents::blocks;
use tests::documents::shell::Folder;

const ADMIN: &[&str] = &["passbook-admin"];

#[tokio::test]
async fn export_is_converted_and_its_rows_are_deleted_as_shown() {
    let (page, _) =
        tests::documents::text("docs/loading-data.md").split_once("\n## Beancount\n").expect("the section");
    let blocks = blocks::read("docs/loading-data.md", page);
    let [bundle, csv, program, convert, deletion, removed] = [
        "file bundle.json",
        "file export.csv",
        "file csv_to_bundle.py",
        "run with Python",
        "file deletion.json",
        "printed for the deletion",
    ]
    .map(|note| blocks::noted(&blocks, note));
    let database = Database::fresh().await;
    let folder = Folder::create();
    let writer = database.connect(passbook_schema::WRITER).await;
    let writer_url =
        format!("export PASSBOOK_ADMIN_DATABASE_URL='{}'\n", database.url(passbook_schema::WRITER));
    let run = |script: &str| folder.done(&format!("{writer_url}{script}"), ADMIN);
    // The export belongs to an account of the bundle.
    folder.write("bundle.json", bundle.text);
    run("passbook-admin load bundle.json");
    folder.write("export.csv", csv.text);
    folder.write("csv_to_bundle.py", program.text);
    for (inserted, unchanged) in [("4", "0"), ("0", "4")] {
        let loaded = run(convert.text);
        let line =
            loaded.lines().find(|line| line.starts_with("transactions")).expect("a line for each table");
        let counts: Vec<&str> = line.split_whitespace().collect();
        assert_eq!((counts[1], counts[3]), (inserted, unchanged), "{loaded}");
    }
    assert_eq!(
        rows(&writer, "from passbook.transactions where date between '2026-11-12' and '2026-11-14'").await,
        [
            "2026-11-12 EXPENSE COFFEE 450 CARD 4411 CAFE DE LA GARE (Café de la Gare)",
            "2026-11-12 EXPENSE COFFEE 450 CARD 4411 CAFE DE LA GARE (Café de la Gare)",
            "2026-11-13 EXPENSE RENT 95000 RENT NOVEMBER",
            "2026-11-14 INCOME OTHER_INCOME 20000 MUM, BIRTHDAY",
        ]
    );

    folder.write("deletion.json", deletion.text);
    for dry_run in [" --dry-run", ""] {
        let delete = format!("{writer_url}passbook-admin load deletion.json --user ada@example.org{dry_run}");
        let deleted = folder.run(&delete, ADMIN);
        assert!(deleted.status.success(), "{deleted:?}");
        let output = String::from_utf8_lossy(&deleted.stderr).replace("dry run: nothing was stored\n", "");
        assert_eq!(output, removed.text, "{}", removed.place());
    }
}

/// The transactions that a clause selects, as `date type category cents title (merchant)`.
async fn rows(writer: &tokio_postgres::Client, clause: &str) -> Vec<String> {
    let row = "concat_ws(' ', date, type, category, amount_cents, title, '(' || merchant_name || ')')";
    let query = format!("select {row} {clause} order by date");
    let rows = writer.query(&query, &[]).await.expect("the writer may read");
    rows.iter().map(|row| row.get(0)).collect()
}
