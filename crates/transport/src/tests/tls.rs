//! TLS: the negotiated protocol, and the replacement of the certificate.

use std::path::Path;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::*;
use crate::{Certificate, CertificateError};

const CHAIN: &str = "chain.pem";
const KEY: &str = "key.pem";

/// Writes a new certificate with its key into the folder. Returns the certificate.
fn write_certificate(folder: &Path) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    std::fs::write(folder.join(CHAIN), cert.pem()).expect("the folder is writable");
    std::fs::write(folder.join(KEY), signing_key.serialize_pem()).expect("the folder is writable");
    cert.der().clone()
}

async fn server(certificate: &Certificate) -> Server {
    let certificate = Some(certificate.clone());
    Server::start_with(Options { limits: generous(), certificate, ..Options::default() }).await
}

/// Connects with a client that trusts only this certificate and offers these protocols.
async fn connect(
    server: &Server,
    trusted: &CertificateDer<'static>,
    protocols: &[&str],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).expect("a certificate");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let mut config = config.expect("the versions").with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let name = ServerName::try_from("localhost").expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, server.connect().await).await
}

#[tokio::test]
async fn handshake_selects_http2_if_the_client_offers_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let trusted = write_certificate(folder.path());
    let certificate =
        Certificate::read(&folder.path().join(CHAIN), &folder.path().join(KEY)).expect("a pair");
    let server = server(&certificate).await;
    for (offered, selected) in [
        (["h2", "http/1.1"].as_slice(), Some(b"h2".as_slice())),
        (&["http/1.1"], Some(b"http/1.1")),
        (&[], None),
    ] {
        let stream = connect(&server, &trusted, offered).await.expect("the handshake succeeds");
        assert_eq!(stream.get_ref().1.alpn_protocol(), selected);
    }
    let mut stream = connect(&server, &trusted, &["http/1.1"]).await.expect("the handshake succeeds");
    stream.write_all(b"GET / HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n").await.expect("written");
    let mut received = String::new();
    stream.read_to_string(&mut received).await.expect("a response");
    assert!(received.ends_with("hello 127.0.0.1"), "{received}");
}

#[tokio::test]
async fn new_certificate_serves_new_connections_without_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = write_certificate(folder.path());
    let certificate =
        Certificate::read(&folder.path().join(CHAIN), &folder.path().join(KEY)).expect("a pair");
    let server = server(&certificate).await;
    assert!(!certificate.reload().expect("nothing is wrong"));
    let new = write_certificate(folder.path());
    assert!(certificate.reload().expect("the new files are valid"));
    assert!(connect(&server, &new, &[]).await.is_ok());
    assert!(connect(&server, &old, &[]).await.is_err());
}

#[tokio::test]
async fn unusable_files_leave_the_certificate_in_use() {
    let folder = tempfile::tempdir().expect("a folder");
    let trusted = write_certificate(folder.path());
    let (chain, key) = (folder.path().join(CHAIN), folder.path().join(KEY));
    let certificate = Certificate::read(&chain, &key).expect("a pair");
    let server = server(&certificate).await;
    let old_key = std::fs::read(&key).expect("the key");
    write_certificate(folder.path());
    std::fs::write(&key, old_key).expect("written");
    assert!(matches!(certificate.reload(), Err(CertificateError::Key { .. })));
    std::fs::write(&chain, "").expect("written");
    assert!(matches!(certificate.reload(), Err(CertificateError::Empty { .. })));
    std::fs::remove_file(&chain).expect("removed");
    assert!(matches!(certificate.reload(), Err(CertificateError::File { .. })));
    assert!(connect(&server, &trusted, &[]).await.is_ok());
}

#[tokio::test]
async fn handshake_that_does_not_begin_is_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    write_certificate(folder.path());
    let certificate =
        Certificate::read(&folder.path().join(CHAIN), &folder.path().join(KEY)).expect("a pair");
    let limits = Limits { head: SHORT, ..generous() };
    let server =
        Server::start_with(Options { limits, certificate: Some(certificate), ..Options::default() }).await;
    assert!(end(&mut server.connect().await).await.is_empty());
}
