//! Tests of the notice of a create.

use super::*;

fn form() -> Vec<(String, String)> {
    let fields = [("name", "Spring"), ("goal", "LEADS"), ("idempotency_key", "k"), ("list", "status=PAUSED")];
    let targets = [("targets", "ALPHA:1"), ("targets", "BETA:2")];
    fields.iter().chain(&targets).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn results(second: &str) -> Notice {
    let json = format!(
        r#"[{{"target":{{"platform":"ALPHA","organization_id":"1"}},"status":"created","campaign":{{}}}},
            {{"target":{{"platform":"BETA","organization_id":"2"}},"status":"{second}","error":{{"message":"Too low."}}}}]"#
    );
    notice(CreateResponse::Results(serde_json::from_str(&json).unwrap()), &["ALPHA:1", "BETA:2"], &form())
}

fn refusal(status: u16, code: &str, message: &str, is_retryable: bool) -> Notice {
    let refusal = Refusal { status, message: message.to_owned(), details: Vec::new(), request_id: "r".to_owned() };
    notice(
        CreateResponse::Refused { refusal, key: KeyState::of(status, code, is_retryable) },
        &["ALPHA:1", "BETA:2"],
        &form(),
    )
}

fn lines(notice: &Notice) -> Vec<String> {
    notice.details.iter().map(|detail| format!("{} {}", detail.field, detail.message)).collect()
}

fn targets(notice: &Notice) -> Vec<&str> {
    notice.values.iter().filter(|(name, _)| name == "targets").map(|(_, value)| value.as_str()).collect()
}

#[test]
fn a_create_everywhere_is_a_success() {
    let created = CreateResponse::Results(vec![TargetResult::created("ALPHA:1"), TargetResult::created("ZETA:t2_b")]);
    let notice = notice(created, &[], &form());
    assert!(notice.is_success && notice.values.is_empty());
    assert_eq!(notice.message, "“Spring” is created. It is paused: nothing is spent until you activate it.");
    assert_eq!(lines(&notice), ["Google Ads: 1 created, and paused", "Reddit: t2_b created, and paused"]);
}

#[test]
fn after_a_partial_failure_the_form_names_the_rest_as_a_new_request() {
    let notice = results("failed");
    assert!(!notice.is_success);
    assert_eq!(lines(&notice), ["Google Ads: 1 created, and paused", "Meta: 2 not created: Too low."]);
    assert_eq!((targets(&notice), notice.value("idempotency_key")), (vec!["BETA:2"], None));
    assert_eq!((notice.value("name"), notice.value("list")), (Some("Spring"), None));
}

#[test]
fn after_an_unknown_outcome_the_form_is_the_same_request() {
    for notice in [results("unknown"), refusal(504, "", "No response.", true), refusal(500, "", "Our fault.", false)] {
        assert!(!notice.is_success && notice.message.contains("Send the form below again as it is"), "{notice:?}");
        assert_eq!((targets(&notice), notice.value("idempotency_key")), (vec!["ALPHA:1", "BETA:2"], Some("k")));
    }
    assert_eq!(lines(&results("unknown"))[1], "Meta: 2 not known yet: Too low.");
}

#[test]
fn a_refused_form_keeps_its_key_until_the_key_has_an_answer() {
    for (status, code, is_retryable, key) in [
        (400, "BAD_REQUEST", false, Some("k")),
        (429, "RATE_LIMITED", true, Some("k")),
        (409, "CONFLICT", true, Some("k")),
        (409, "CONFLICT", false, Some("k")),
        (422, "CONFLICT", false, None),
        (422, "PLATFORM_ERROR", false, None),
    ] {
        assert_eq!(refusal(status, code, "No.", is_retryable).value("idempotency_key"), key, "{status} {code}");
    }
}

#[test]
fn accounts_have_names_instead_of_numbers() {
    let notice = refusal(400, "BAD_REQUEST", "targets[1]: start_at is not offered; goal is required", false);
    assert_eq!(notice.message, "Meta: 2: start_at is not offered; goal is required");
}

#[test]
fn long_reasons_leave_room_for_the_form() {
    let long = TargetResult {
        status: Status::Unknown,
        error: Some(TargetError { message: "é".repeat(500) }),
        ..TargetResult::created("BETA:1203004005006001")
    };
    let notice = notice(CreateResponse::Results(vec![long; 10]), &[], &form());
    assert!(serde_json::to_vec(&notice).unwrap().len() <= MAX_JSON);
    assert_eq!(notice.value("idempotency_key"), Some("k"));
}
