//! What an endpoint answers, and how a call ends without an answer.

use super::*;

#[tokio::test]
async fn a_request_is_sent_and_its_answer_is_kept() {
    let head = "HTTP/1.1 503 Service Unavailable\r\nretry-after: 120\r\ncontent-length: 4\r\n\r\nbusy";
    let (port, thread) = endpoint(head, b"");
    let response = post(&local_client(), &format!("http://localhost:{port}/events?a=b")).await.unwrap();
    assert_eq!((response.status, response.retry_after.as_deref()), (StatusCode::SERVICE_UNAVAILABLE, Some("120")));
    assert_eq!(response.body, "busy");
    let (request, _) = thread.join().unwrap();
    assert!(request.starts_with("POST /events?a=b HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("content-type: application/json\r\n"), "{request}");
    assert!(request.contains(&format!("host: localhost:{port}\r\n")), "{request}");
}

#[tokio::test]
async fn the_system_resolves_names_too() {
    let (port, _thread) = endpoint(OK, b"");
    let here = PublicClient::new(UrlPolicy::new(local(), None)).unwrap();
    assert_eq!(post(&here, &format!("http://localhost:{port}/")).await.unwrap().body, "fine");
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    let head = "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n";
    let (port, _thread) = endpoint(head, b"");
    let response = post(&local_client(), &format!("http://127.0.0.1:{port}/")).await.unwrap();
    assert_eq!(response.status, StatusCode::FOUND);
}

#[tokio::test]
async fn one_kilobyte_of_an_endless_body_is_kept() {
    let (port, thread) = endpoint("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", &[b'a'; 100]);
    let started = Instant::now();
    let response = post(&local_client(), &format!("http://127.0.0.1:{port}/")).await.unwrap();
    assert_eq!((response.status, &response.body[..]), (StatusCode::OK, &[b'a'; 1_024][..]));
    assert!(started.elapsed() < TIME_LIMIT, "it stops reading before its time is up");
    // The thread ends when the connection does, for which the client needs this one.
    tokio::task::spawn_blocking(|| thread.join().unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_hanging_endpoint_is_given_up_at_the_deadline() {
    let (port, _thread) = endpoint("", b"");
    let limit = Duration::from_millis(300);
    let outcome = post_within(&local_client(), &format!("http://127.0.0.1:{port}/"), limit).await;
    assert_eq!(outcome, Err(PublicFailure::TimedOut));
    // Here the status comes, and half of the body: before the deadline on a busy machine, too.
    let limit = Duration::from_secs(5);
    let (port, _thread) = endpoint("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", b"");
    let response = post_within(&local_client(), &format!("http://127.0.0.1:{port}/"), limit).await.unwrap();
    assert_eq!((response.status, &response.body[..]), (StatusCode::OK, &b"half"[..]));
}

#[tokio::test]
async fn failures_are_named_without_the_url() {
    let (not_http, _thread) = endpoint("SSH-2.0-OpenSSH_9.6\r\n\r\n", b"");
    let (not_tls, _other) = endpoint_of_plain_http();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let known = local_client();
    let unknown = client(local(), &scripted(&[]));
    let empty = client(local(), &scripted(&[&[]]));
    for (client, url, expected) in [
        (&known, format!("http://localhost:{not_http}/canary?canary"), PublicFailure::Broken),
        (&known, format!("https://localhost:{not_tls}/canary?canary"), PublicFailure::Tls),
        (&known, format!("http://localhost:{closed}/canary?canary"), PublicFailure::NotConnected),
        (&unknown, "https://canary.example/".to_owned(), PublicFailure::NotResolved),
        (&empty, "https://canary.example/".to_owned(), PublicFailure::NotResolved),
        (&known, "https://canary@a.example/".to_owned(), PublicFailure::Url(UrlRefusal::UserInfo)),
    ] {
        let failure = post(client, &url).await.unwrap_err();
        assert_eq!(failure, expected, "{url}");
        let shown = format!("{failure} {failure:?}");
        assert!(!shown.contains("canary") && !shown.contains("127.0.0.1"), "{shown}");
    }
}

#[tokio::test]
async fn a_call_ends_after_15_seconds_whatever_its_deadline() {
    let (port, thread) = endpoint("", b"");
    let url = format!("http://127.0.0.1:{port}/");
    let call = tokio::spawn(async move { post_within(&local_client(), &url, Duration::from_secs(3_600)).await });
    let _endpoint = tokio::task::spawn_blocking(|| thread.join().unwrap()).await.unwrap();
    // The endpoint has the request. From here on time passes at once.
    tokio::time::pause();
    let paused = Instant::now();
    assert_eq!(call.await.unwrap(), Err(PublicFailure::TimedOut));
    // A timer ends up to a millisecond late.
    assert!(paused.elapsed() <= TIME_LIMIT + Duration::from_millis(1), "{:?}", paused.elapsed());
}

/// Answers whatever comes first with plain HTTP.
fn endpoint_of_plain_http() -> (u16, JoinHandle<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        stream
    });
    (port, thread)
}
