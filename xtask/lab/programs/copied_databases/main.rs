//! Copies the database of the demo household to other PostgreSQL clusters, and compares every response of REST before
//! and after. `cargo lab clients dump` starts this program.
//!
//! Usage: `copied_databases OLD_BIN FOLDER`: the folder with the programs of the oldest supported PostgreSQL, and a
//! folder for the clusters. The second target is the newest PostgreSQL, which is downloaded into the folder.

mod cluster;
mod methods;
mod responses;

use std::path::PathBuf;

use cluster::{Cluster, fill};
use methods::METHODS;
use responses::responses;

/// The lowest number of compared responses with status 200.
const SUCCEEDED_MIN: usize = 40;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the report of this program is its output")]
async fn main() {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let usage = "usage: copied_databases OLD_BIN FOLDER";
    let (old, folder) = (arguments.next().expect(usage), arguments.next().expect(usage));
    let newest = passbook_embedded::fetch(&folder.join("newest"), std::env::var_os("PATH").as_deref()).await;
    let newest = newest.expect("the newest PostgreSQL is downloaded");
    let source = Cluster::start(&folder.join("source"), &old).await;
    let token = fill(&source).await;
    let before = responses(&source, &token).await;
    let succeeded = before.iter().filter(|(_, text)| text.starts_with("200 ")).count();
    assert!(succeeded >= SUCCEEDED_MIN, "{succeeded} of {} responses have status 200", before.len());
    let from = source.version().await;
    for (number, method) in METHODS.iter().enumerate() {
        for (name, programs) in [("old", &old), ("new", &newest)] {
            let place = folder.join(format!("target-{number}-{name}"));
            let target = Cluster::start(&place, programs).await;
            (method.copy)(&source, &target, &old, &folder);
            let after = responses(&target, &token).await;
            assert_same(&before, &after);
            println!(
                "{}, {from} to {}: {} responses are byte-identical",
                method.name,
                target.version().await,
                after.len()
            );
            target.server.stop().await.expect("the cluster stops");
        }
    }
    source.server.stop().await.expect("the cluster stops");
}

/// Compares the responses. An error response contains the identifier of its request, so only its status is compared.
fn assert_same(before: &[(String, String)], after: &[(String, String)]) {
    assert_eq!(before.len(), after.len());
    for ((target, expected), (_, found)) in before.iter().zip(after) {
        let same = if expected.starts_with("200 ") { expected == found } else { expected[..4] == found[..4] };
        assert!(same, "{target}:\n{expected}\n{found}");
    }
}
