"""Downloads the packages whose sample files are compared, and unpacks them. Writes GnuCash books and prints journals,
of which no package has samples. Nothing of these files is committed.

Usage: samples.py FOLDER CARGO
"""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import debian_readers

# The sample files of mt-940 are absent from the sources of newer releases.
SOURCES = ["ofxparse==0.21", "bankfile==0.2.0", "csv2ofx==0.34.2", "quiffen==4.0.1", "mt-940==4.23.0"]
WHEELS = ["odoo-addon-account-statement-import-camt==19.0.1.0.0.8"]
CRATES = {"mt940": "=1.1.1", "ofx-rs": "=0.2.0"}


def main():
    folder, cargo = Path(sys.argv[1]), sys.argv[2]
    download_packages(folder, cargo)
    # The programs that write these files may have changed since the last run.
    debian_readers.write_books(folder / "books")
    debian_readers.print_journals(folder / "journals")


def download_packages(folder, cargo):
    complete = folder / "complete"
    wanted = repr((SOURCES, WHEELS, CRATES))
    if complete.exists() and complete.read_text() == wanted:
        return
    shutil.rmtree(folder, ignore_errors=True)
    packages = folder / "packages"
    packages.mkdir(parents=True)
    download(packages, SOURCES, ["--no-build-isolation", "--no-binary", ":all:"])
    download(packages, WHEELS, ["--only-binary", ":all:"])
    for archive in packages.iterdir():
        if archive.suffix == ".whl":
            unpack_wheel(archive, folder)
        else:
            with tarfile.open(archive) as opened:
                opened.extractall(folder, filter="data")
    vendor_crates(folder, cargo)
    complete.write_text(wanted)


def download(packages, names, options):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--dest", str(packages), *options, *names], check=True)


def unpack_wheel(archive, folder):
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder / "wheel")
    (folder / "wheel/odoo/addons/account_statement_import_camt").rename(folder / "account_statement_import_camt")


def vendor_crates(folder, cargo):
    """Fetches crates with cargo, for a package that depends on them."""
    package = folder / "crates"
    (package / "src").mkdir(parents=True)
    (package / "src/lib.rs").touch()
    lines = ['[package]', 'name = "samples"', 'version = "0.0.0"', 'edition = "2021"', "[workspace]", "[dependencies]"]
    lines += [f'{name} = "{version}"' for name, version in CRATES.items()]
    (package / "Cargo.toml").write_text("\n".join(lines) + "\n")
    subprocess.run([cargo, "vendor", "--quiet"], cwd=package, check=True, stdout=subprocess.DEVNULL)
    for name in CRATES:
        (package / "vendor" / name).rename(folder / name)
    shutil.rmtree(package)


if __name__ == "__main__":
    main()
