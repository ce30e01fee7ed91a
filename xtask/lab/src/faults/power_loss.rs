//! Loss of power under an embedded database. The database is on a file system in a file. A copy of the file is the disk at
//! the moment of the loss: what only the system's cache had is not in it. Needs root and a loop device.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use super::database::Database;
use super::embedded::{Demo, body, expect_body};
use super::setting::Setting;
use crate::command::{create_folder, read, run_quietly, write};

const ROUNDS: usize = 3;
const SIZE: &str = "400M";
/// Time for which a client commits rows, before the loss. It differs from round to round.
const WRITE_TIME: Duration = Duration::from_millis(1_300);
/// Number of rows that the client would commit.
const ROWS: usize = 200_000;
/// Number of copies, of which one must be made while nothing is written.
const COPIES: usize = 20;

/// A mounted file system in a file. Dropping the value unmounts it.
struct Image {
    file: PathBuf,
    folder: PathBuf,
}

impl Image {
    fn mount(file: PathBuf, folder: &Path) -> Result<Image, String> {
        create_folder(folder)?;
        let image = Image { file, folder: folder.to_owned() };
        run_quietly("mount", &["-o", "loop", &text(&image.file), &text(folder)], &[])?;
        run_quietly("chmod", &["711", &text(folder)], &[])?;
        Ok(image)
    }

    /// Copies the file at one moment: the copy equals the file after it was made.
    fn copy(&self, to: &Path) -> Result<(), String> {
        for _ in 0..COPIES {
            run_quietly("cp", &["--sparse=always", &text(&self.file), &text(to)], &[])?;
            if run_quietly("cmp", &["--silent", &text(&self.file), &text(to)], &[]).is_ok() {
                return Ok(());
            }
        }
        Err(format!("{} changes all the time", self.file.display()))
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let _ = run_quietly("umount", &["--lazy", &text(&self.folder)], &[]);
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Commits rows until the power is lost, several times, and counts those that were acknowledged and those that are left.
pub(super) fn run(setting: &Setting<'_>) -> Result<String, String> {
    let (file, folder) = (setting.work.join("disk0"), setting.work.join("power-loss"));
    run_quietly("truncate", &["--size", SIZE, &text(&file)], &[])?;
    run_quietly("mkfs.ext4", &["-q", &text(&file)], &[])?;
    let mut image = match Image::mount(file, &folder) {
        Ok(image) => image,
        Err(problem) => return Ok(format!("not tried: no file system in a file can be mounted. {problem}")),
    };
    let demo = Demo::new(setting, folder.join("data"), "power-loss");
    let (mut committed, mut present, mut lost_files) = (0, 0, 0);
    let mut expected = None;
    for round in 1..=ROUNDS {
        let server = demo.start()?;
        let expected = expected.get_or_insert(body(&server)?);
        expect_body(&server, expected, "after the start")?;
        let settings = setting.work.join("settings");
        let database =
            Database::find(&demo.data.join("demo"), server.process(), &setting.program, &settings)?;
        database.execute("create schema if not exists faults; drop table if exists faults.probe; create table faults.probe (n integer)")?;
        let (statements, acknowledged) = (setting.work.join("rows.sql"), setting.work.join("rows.txt"));
        let insert = |row: usize| format!("insert into faults.probe values ({row}) returning n;\n");
        write(&statements, &(1..=ROWS).map(insert).collect::<String>())?;
        let output = std::fs::File::create(&acknowledged).map_err(|error| error.to_string())?;
        let mut client = database.psql();
        client.arg("-f").arg(&statements).stdin(Stdio::null()).stdout(output).stderr(Stdio::null());
        let mut client = client.spawn().map_err(|error| format!("psql: {error}"))?;
        sleep(WRITE_TIME.mul_f64(round as f64));
        // The last write of nobody who waits for it.
        write(&folder.join(format!("unsynced{round}")), "lost")?;
        database.signal_all("-STOP")?;
        let next = setting.work.join(format!("disk{round}"));
        let copied = image.copy(&next);
        let _ = client.kill().and_then(|()| client.wait());
        let rows = read(&acknowledged)?.lines().count();
        database.signal_all("-KILL")?;
        drop(server);
        copied?;
        drop(image);
        image = Image::mount(next, &folder)?;
        lost_files +=
            usize::from(read(&folder.join(format!("unsynced{round}"))).unwrap_or_default() != "lost");
        let server = demo.start()?;
        expect_body(&server, expected, "after the loss of power")?;
        let database =
            Database::find(&demo.data.join("demo"), server.process(), &setting.program, &settings)?;
        let left = database.query("select count(*) || ' ' || coalesce(max(n), 0) from faults.probe")?;
        let (count, last) = left.split_once(' ').ok_or("no count")?;
        let count: usize = count.parse().map_err(|_| format!("{count} rows"))?;
        if count < rows || count.to_string() != last {
            return Err(format!("{rows} rows were acknowledged, {count} are left, the last is {last}"));
        }
        (committed, present) = (committed + rows, present + count);
        server.stop()?;
    }
    Ok(format!(
        "{ROUNDS} losses: {committed} rows acknowledged, {present} left, household complete; {lost_files} of {ROUNDS} files \
         without fsync lost"
    ))
}
