//! Errors at the start: ports, data folders and missing options.

use crate::gateway_process::GatewayProcess;
use crate::process::{run, run_error, text};
use std::net::TcpListener;
use std::path::Path;

#[test]
fn the_error_for_a_port_in_use_names_the_port_and_the_option() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let error = run_error(&["--sandbox", "--memory", "--json", "--port", &port, "--sandbox-port", "0"]);
    assert!(error.contains(&port) && error.contains("--port 0"), "{error}");
    let error = run_error(&["--sandbox", "--memory", "--json", "--port", "0", "--sandbox-port", &port]);
    assert!(error.contains(&port) && error.contains("--sandbox-port"), "{error}");
}

#[test]
fn a_second_gateway_on_a_folder_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let _first = GatewayProcess::on(folder.path());
    let error = run_error(&["--sandbox", "--json", "--port", "0", "--sandbox-port", "0", "--data", data]);
    assert!(error.contains(data) && error.contains("in use"), "{error}");
}

#[test]
fn the_error_for_an_invalid_file_names_it_and_leaves_it_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let start = |data: &Path| {
        run_error(&["--sandbox", "--json", "--port", "0", "--sandbox-port", "0", "--data", data.to_str().unwrap()])
    };
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(start(&file.join("data")).contains("file/data"));
    assert!(start(&file).contains("file"));
    for name in ["secrets.json", "demo-key", "dynamodb.sqlite", "sandbox.json"] {
        let data = folder.path().join(name.replace('.', "-of-"));
        std::fs::create_dir(&data).unwrap();
        std::fs::write(data.join(name), "this is neither a secret nor a key nor a database\n".repeat(100)).unwrap();
        let error = start(&data);
        assert!(error.contains(name), "{error}");
        assert!(std::fs::read_to_string(data.join(name)).unwrap().starts_with("this is neither"), "{name}");
    }
}

#[test]
fn the_error_without_a_sandbox_names_the_options() {
    let output = run(&["--memory"]);
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("--sandbox ") && error.contains("--sandbox-url URL"), "{error}");
}
