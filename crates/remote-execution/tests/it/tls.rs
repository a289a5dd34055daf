//! Encrypted connections, with a certificate that `openssl` makes.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use rres_remote_execution::{Client, Config};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::config;
use crate::server::Server;

/// Runs `openssl`; `None` if there is none.
fn openssl(dir: &Path, arguments: &str) -> Option<()> {
    let output = Command::new("openssl").args(arguments.split_whitespace()).current_dir(dir).output().ok()?;
    assert!(output.status.success(), "openssl {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    Some(())
}

/// Makes an authority, and a certificate for this machine by it.
fn certificates(dir: &Path) -> Option<TlsAcceptor> {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2";
    openssl(dir, &format!("req -x509 {key} -keyout ca.key -out ca.pem -subj /CN=test-authority"))?;
    openssl(dir, &format!("req {key} -keyout key.pem -out request.pem -subj /CN=127.0.0.1"))?;
    fs::write(dir.join("extensions"), "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n").unwrap();
    openssl(
        dir,
        "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions -out cert.pem",
    )?;
    let certificate = CertificateDer::from_pem_file(dir.join("cert.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(dir.join("key.pem")).unwrap();
    let builder =
        ServerConfig::builder_with_provider(Arc::new(default_provider())).with_safe_default_protocol_versions();
    let mut config = builder.unwrap().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    Some(TlsAcceptor::from(Arc::new(config)))
}

#[test]
fn a_private_authority_is_trusted_if_it_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let Some(tls) = certificates(dir.path()) else {
        assert!(std::env::var_os("RRES_REQUIRE_TOOLS").is_none_or(|of| of != "1"), "no openssl");
        eprintln!("skipped: no openssl");
        return;
    };
    let server = Server::start_with(Some(tls));
    let mut config: Config = config(&server);
    let plain = Client::open(&config).unwrap().named("x").unwrap_err();
    assert!(plain.to_string().contains("GetCapabilities"), "{plain}");

    config.address = config.address.replace("grpc://", "grpcs://");
    let fault = Client::open(&config).unwrap().named("x").unwrap_err().to_string();
    assert!(fault.contains("certificate"), "{fault}");
    config.ca = Some(dir.path().join("ca.pem"));
    let client = Client::open(&config).unwrap();
    let digest = client.put(vec![7; 3_000_000]).unwrap();
    assert!(client.get(&digest, 3_000_000).unwrap().is_some());

    for (file, why) in [("ca.key", "expected PEM"), ("absent", "No such file")] {
        config.ca = Some(dir.path().join(file));
        let fault = Client::open(&config).unwrap_err();
        assert!(fault.contains(file) && fault.contains(why), "{fault}");
    }
}
