//! The commands that install PostgreSQL on this system, for error messages.

use std::path::Path;

const OS_RELEASE: &str = "/etc/os-release";
const FALLBACK: &str = "the package manager of this system";

/// The programs to install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Programs {
    /// The server, with `postgres` and `initdb`.
    Server,
    /// The clients, such as `psql`.
    Client,
}

/// Returns the command that installs the server, chosen by `/etc/os-release`.
pub(crate) fn command() -> String {
    for_this_system(Programs::Server)
}

/// Returns the command that installs the client programs, such as `psql`, on this system.
#[must_use]
pub fn client_install_command() -> String {
    for_this_system(Programs::Client)
}

fn for_this_system(programs: Programs) -> String {
    if cfg!(target_os = "macos") {
        // The package contains the server and the clients.
        return "brew install postgresql@18".to_owned();
    }
    let description = std::fs::read_to_string(Path::new(OS_RELEASE)).unwrap_or_default();
    for_system(&description, programs).to_owned()
}

/// Returns the command for the distribution in `ID`, else for the first known distribution in `ID_LIKE`.
fn for_system(description: &str, programs: Programs) -> &'static str {
    let family = value(description, "ID_LIKE");
    let names = std::iter::once(value(description, "ID")).chain(family.split_whitespace());
    let version = value(description, "VERSION_ID");
    let command = |name| match programs {
        Programs::Server => known(name, version),
        Programs::Client => known_client(name),
    };
    names.filter_map(command).next().unwrap_or(FALLBACK)
}

fn known_client(name: &str) -> Option<&'static str> {
    match name {
        "debian" | "ubuntu" => Some("apt-get install postgresql-client"),
        "fedora" | "rhel" | "centos" | "rocky" | "almalinux" => Some("dnf install postgresql"),
        "alpine" => Some("apk add postgresql-client"),
        "arch" => Some("pacman -S postgresql-libs"),
        "suse" | "opensuse" => Some("zypper install postgresql"),
        _ => None,
    }
}

fn known(name: &str, version: &str) -> Option<&'static str> {
    // The default PostgreSQL package of RHEL 8 and 9 is older than the oldest supported version.
    let has_modules = version.starts_with('8') || version.starts_with('9');
    match name {
        "debian" | "ubuntu" => Some("apt-get install postgresql"),
        "rhel" | "centos" | "rocky" | "almalinux" if has_modules => {
            Some("dnf module install postgresql:16/server")
        }
        "fedora" | "rhel" | "centos" | "rocky" | "almalinux" => Some("dnf install postgresql-server"),
        "alpine" => Some("apk add postgresql"),
        "arch" => Some("pacman -S postgresql"),
        "suse" | "opensuse" => Some("zypper install postgresql-server"),
        _ => None,
    }
}

fn value<'text>(description: &'text str, key: &str) -> &'text str {
    let of_key = |line: &'text str| line.strip_prefix(key)?.strip_prefix('=');
    description.lines().find_map(of_key).unwrap_or_default().trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(description: &str, expected: &str) {
        assert_eq!(for_system(description, Programs::Server), expected, "{description}");
    }

    #[test]
    fn command_depends_on_the_distribution() {
        check("NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nID=debian\n", "apt-get install postgresql");
        check("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "apt-get install postgresql");
        check("ID=fedora\nVERSION_ID=41\n", "dnf install postgresql-server");
        let rocky = "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n";
        check(&format!("{rocky}VERSION_ID=\"9.4\""), "dnf module install postgresql:16/server");
        check(&format!("{rocky}VERSION_ID=\"10.0\""), "dnf install postgresql-server");
        check("ID=alpine\nVERSION_ID=3.20.1\n", "apk add postgresql");
        check("ID=manjaro\nID_LIKE=arch\n", "pacman -S postgresql");
        check("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "zypper install postgresql-server");
    }

    #[test]
    fn client_package_depends_on_the_distribution() {
        for (description, expected) in [
            ("ID=debian\n", "apt-get install postgresql-client"),
            ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "apt-get install postgresql-client"),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\nVERSION_ID=\"9.4\"", "dnf install postgresql"),
            ("ID=alpine\n", "apk add postgresql-client"),
            ("ID=manjaro\nID_LIKE=arch\n", "pacman -S postgresql-libs"),
            ("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "zypper install postgresql"),
            ("ID=plan9\n", FALLBACK),
        ] {
            assert_eq!(for_system(description, Programs::Client), expected, "{description}");
        }
    }

    #[test]
    fn unknown_distribution_gets_a_general_text() {
        check("", FALLBACK);
        check("ID=plan9\nID_LIKE=\n", FALLBACK);
    }
}
