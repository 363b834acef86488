//! Calls by https. `localhost.pem` is a certificate for localhost that has signed itself, valid until 2120, and its key.

use super::*;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

const PEM: &[u8] = include_bytes!("localhost.pem");

fn certificate() -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(PEM).unwrap()
}

/// The port of an endpoint that answers one request. Its thread returns the first bytes of the request, unless TLS fails.
fn tls_endpoint() -> (u16, JoinHandle<std::io::Result<String>>) {
    let key = PrivateKeyDer::from_pem_slice(PEM).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate()], key).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        let (stream, _) = listener.accept()?;
        let mut stream = StreamOwned::new(ServerConnection::new(Arc::new(config)).unwrap(), stream);
        let mut request = [0; 4096];
        let count = stream.read(&mut request)?;
        stream.write_all(OK.as_bytes())?;
        stream.flush()?;
        Ok(String::from_utf8_lossy(&request[..count]).into_owned())
    });
    (port, thread)
}

/// A client that trusts the certificate of the endpoint.
fn trusting_client() -> PublicClient {
    let mut roots = RootCertStore::empty();
    roots.add(certificate()).unwrap();
    PublicClient::build(UrlPolicy::new(local(), None), scripted(&[&["127.0.0.1"]]), roots).unwrap()
}

#[tokio::test]
async fn an_endpoint_with_a_valid_certificate_is_called_by_https() {
    let (port, thread) = tls_endpoint();
    let response = post(&trusting_client(), &format!("https://localhost:{port}/events")).await.unwrap();
    assert_eq!((response.status, &response.body[..]), (StatusCode::OK, &b"fine"[..]));
    let request = thread.join().unwrap().unwrap();
    assert!(request.starts_with("POST /events HTTP/1.1\r\n"), "{request}");
}

#[tokio::test]
async fn a_certificate_of_an_unknown_root_or_another_host_is_refused() {
    for (client, host) in [(local_client(), "localhost"), (trusting_client(), "127.0.0.1")] {
        let (port, thread) = tls_endpoint();
        assert_eq!(post(&client, &format!("https://{host}:{port}/")).await, Err(PublicFailure::Tls), "{host}");
        assert!(thread.join().unwrap().is_err(), "{host}: the endpoint has read a request");
    }
}
