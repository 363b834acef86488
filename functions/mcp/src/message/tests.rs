use super::*;
use serde_json::Value;

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn headers(version: &str, method: &str, name: Option<&str>) -> MessageHeaders {
    MessageHeaders { version: Some(version.to_owned()), method: Some(method.to_owned()), name: name.map(str::to_owned) }
}

fn error(body: &str, headers: &MessageHeaders) -> (i64, u16, Value) {
    let reply = read(body.as_bytes(), headers).map(drop).unwrap_err().reply();
    let body: Value = serde_json::from_str(&reply.message.unwrap()).unwrap();
    (body["error"]["code"].as_i64().unwrap(), reply.status.as_u16(), body["id"].clone())
}

fn style_of(body: &str, headers: &MessageHeaders) -> ProtocolStyle {
    match read(body.as_bytes(), headers).unwrap() {
        Message::Request(request) => request.style,
        Message::Notification => panic!("a notification"),
    }
}

#[test]
fn a_message_tells_its_era() {
    let modern = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    assert_eq!(style_of(&modern, &headers("2026-07-28", "tools/list", None)), ProtocolStyle::SelfDescribing);
    let older = r#"{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":{"progressToken":1}}}"#;
    for headers in
        [MessageHeaders::default(), headers("2025-06-18", "tools/list", None), headers("2025-11-25", "x", None)]
    {
        assert_eq!(style_of(older, &headers), ProtocolStyle::Handshake);
    }
}

#[test]
fn a_notification_has_no_id() {
    let body = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert!(matches!(read(body, &MessageHeaders::default()), Ok(Message::Notification)));
}

#[test]
fn an_ambiguous_body_is_no_message() {
    for body in [
        "",
        "{",
        "NaN",
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"budget_amount":5,"budget_amount":50}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"budget_amount":NaN}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"budget_amount":05}}}"#,
    ] {
        assert_eq!(error(body, &MessageHeaders::default()), (-32700, 400, Value::Null), "{body}");
    }
    for body in
        ["[]", "1", r#"{"id":1.5,"jsonrpc":"2.0","method":"ping"}"#, r#"{"id":null,"jsonrpc":"2.0","method":"a"}"#]
    {
        assert_eq!(error(body, &MessageHeaders::default()), (-32600, 400, Value::Null), "{body}");
    }
    let body = r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#;
    assert_eq!(error(body, &MessageHeaders::default()), (-32600, 400, 7.into()), "the id is known");
}

#[test]
fn a_number_is_read_as_it_is() {
    let body =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"budget_amount":1e400}}}"#;
    assert_eq!(style_of(body, &MessageHeaders::default()), ProtocolStyle::Handshake, "the tool refuses it");
}

#[test]
fn headers_must_repeat_the_body() {
    let list = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    let call = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_limits",{META}}}}}"#);
    let without_method = MessageHeaders { method: None, ..headers("2026-07-28", "", None) };
    for (body, headers) in [
        (&list, headers("2025-11-25", "tools/list", None)),
        (&list, MessageHeaders::default()),
        (&list, without_method),
        (&list, headers("2026-07-28", "TOOLS/LIST", None)),
        (&list, headers("2026-07-28", "", None)),
        (&call, headers("2026-07-28", "tools/call", None)),
        (&call, headers("2026-07-28", "tools/call", Some("pause_campaign"))),
        (&call, headers("2026-07-28", "tools/call", Some("=?base64?cGF1c2U=?="))),
    ] {
        assert_eq!(error(body, &headers), (-32020, 400, 1.into()), "{headers:?}");
    }
    for name in ["get_limits", "=?base64?Z2V0X2xpbWl0cw==?="] {
        assert_eq!(style_of(&call, &headers("2026-07-28", "tools/call", Some(name))), ProtocolStyle::SelfDescribing);
    }
}

#[test]
fn an_unknown_version_is_told_the_known_ones() {
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    let unknown = body.replace("2026-07-28", "2030-01-01");
    let reply = read(unknown.as_bytes(), &headers("2030-01-01", "tools/list", None)).map(drop).unwrap_err().reply();
    let message: Value = serde_json::from_str(&reply.message.unwrap()).unwrap();
    assert_eq!(message["error"]["code"], -32022);
    assert_eq!(message["error"]["data"]["supported"], serde_json::json!(["2026-07-28", "2025-11-25", "2025-06-18"]));
    let older = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(error(older, &headers("2024-11-05", "ping", None)).0, -32022);
}

#[test]
fn a_self_describing_message_is_complete() {
    let without_meta = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
    let no_capabilities = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":
        {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    for body in [without_meta, no_capabilities] {
        assert_eq!(error(body, &headers("2026-07-28", "tools/list", None)), (-32602, 400, 1.into()), "{body}");
    }
}
