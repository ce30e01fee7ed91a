//! The ways to copy a database.

use std::path::Path;
use std::process::{Command, Stdio};

use super::cluster::{Cluster, DATABASE};

/// A way to copy the database from one cluster to another, which is empty.
pub(super) struct CopyMethod {
    pub(super) name: &'static str,
    pub(super) copy: fn(&Cluster, &Cluster, &Path, &Path),
}

/// Every way to copy a database. The paths are the programs of the oldest PostgreSQL and a folder for files.
pub(super) const METHODS: [CopyMethod; 2] = [
    CopyMethod { name: "pg_dump and psql", copy: copy_with_pg_dump },
    CopyMethod { name: "backup and restore", copy: copy_with_backup },
];

/// Copies roles and database as `docs/schema.md` describes.
fn copy_with_pg_dump(from: &Cluster, to: &Cluster, programs: &Path, folder: &Path) {
    let (roles, dump) = (folder.join("roles.sql"), folder.join("passbook.sql"));
    let file = |path: &Path| format!("--file={}", path.display());
    let run = |program: &str, arguments: &[&str]| run(Command::new(programs.join(program)).args(arguments));
    run("pg_dumpall", &["--roles-only", "--dbname", &from.url("postgres"), &file(&roles)]);
    run("pg_dump", &[&file(&dump), &from.url(DATABASE)]);
    let errors = run("psql", &["--quiet", &file(&roles), &to.url("postgres")]);
    let unexpected = errors.lines().find(|line| !line.ends_with("role \"postgres\" already exists"));
    assert_eq!(unexpected, None);
    run("psql", &["--quiet", "--command", "create database passbook", &to.url("postgres")]);
    let strict = ["--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction"];
    run("psql", &[&strict[..], &[&file(&dump), &to.url(DATABASE)]].concat());
}

/// Copies the rows as `docs/operating.md` describes, and lets the reader log in.
fn copy_with_backup(from: &Cluster, to: &Cluster, programs: &Path, folder: &Path) {
    let backup = folder.join("passbook.tar.gz");
    let admin = |cluster: &Cluster, arguments: &[&str]| {
        let mut command = Command::new(tests::binary("passbook-admin"));
        run(command.args(arguments).arg(&backup).env("PASSBOOK_ADMIN_DATABASE_URL", cluster.url(DATABASE)));
    };
    let psql = |statement: &str, database: &str| {
        let arguments = ["--quiet", "--command", statement, &to.url(database)];
        run(Command::new(programs.join("psql")).args(arguments));
    };
    admin(from, &["backup", "--force"]);
    psql("create database passbook", "postgres");
    admin(to, &["restore"]);
    psql("alter role passbook_reader login", DATABASE);
}

/// Runs a program that must succeed. Returns its standard error.
fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {errors}");
    errors
}
