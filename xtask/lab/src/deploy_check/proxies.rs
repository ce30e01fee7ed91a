//! Checks the configurations of nginx and Caddy in `docs/deployment.md` with these programs.

use std::path::Path;

use crate::command::{create_folder, print_line, read, run_quietly, write};
use crate::debian;

const PAGE: &str = "docs/deployment.md";

/// Checks both configurations. The programs are unpacked and not installed, because an installation would start servers.
pub(super) fn check(root: &Path) -> Result<(), String> {
    let (page, tools) = (read(&root.join(PAGE))?, root.join("target/tools"));
    let folder = tools.join("proxies");
    create_folder(&folder.join("logs"))?;
    let caddy = debian::unpack("caddy", "usr/bin/caddy", &tools)?;
    let file = folder.join("Caddyfile").display().to_string();
    write(Path::new(&file), block(&page, "Caddyfile")?)?;
    let home = [("HOME", folder.clone())];
    run_quietly(&caddy, &["validate", "--adapter", "caddyfile", "--config", &file], &home)?;

    let nginx = debian::unpack("nginx", "usr/sbin/nginx", &tools)?;
    let file = folder.join("nginx.conf").display().to_string();
    let (pid, log) = (folder.join("nginx.pid"), folder.join("error.log"));
    let server = without_certificates(block(&page, "nginx")?);
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {name};\n"))
        .concat();
    let http = format!("access_log off;\n{folders}{server}");
    let text = format!("pid {};\nevents {{}}\nhttp {{\n{http}\n}}\n", pid.display());
    write(Path::new(&file), &text)?;
    let (prefix, log) = (folder.display().to_string(), log.display().to_string());
    run_quietly(&nginx, &["-t", "-e", &log, "-p", &prefix, "-c", &file], &[])?;
    print_line(&format!("{PAGE}: nginx and Caddy accept their configurations"));
    Ok(())
}

/// Returns the block with a note.
fn block<'p>(page: &'p str, note: &str) -> Result<&'p str, String> {
    let (_, rest) =
        page.split_once(&format!("<!-- {note} -->\n```")).ok_or(format!("{PAGE}: no block {note}"))?;
    let text = rest.split_once('\n').and_then(|(_, text)| text.split_once("\n```"));
    text.map(|(text, _)| text).ok_or(format!("{PAGE}: the block {note} has no end"))
}

/// Returns the configuration on a port without TLS, because its certificate does not exist.
fn without_certificates(nginx: &str) -> String {
    let lines = nginx.lines().filter(|line| !line.trim().starts_with("ssl_certificate"));
    lines.collect::<Vec<&str>>().join("\n").replace("listen 443 ssl;", "listen 127.0.0.1:8443;")
}
