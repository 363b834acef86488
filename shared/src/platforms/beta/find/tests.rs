use crate::platforms::beta::sample::SAMPLE;
use crate::platforms::beta::tests::parameter;
use crate::platforms::fake::Fake;
use crate::platforms::laws::{Set, with};

#[tokio::test]
async fn all_pages_of_all_listable_states_are_read() {
    let found = with(SAMPLE.made(9, 10), &[Set("/status", "\"ACTIVE\"")]);
    let pages = [SAMPLE.page(vec![], Some("c=1&")), SAMPLE.page(vec![found], None)];
    let fake = Fake::answering(pages.to_vec());
    let found = SAMPLE.search(&fake).await.unwrap();
    assert_eq!((found[0].remote_id.as_str(), found[0].total_spend_amount), ("9", None), "it may have spent");
    for request in fake.requests() {
        let path = "GET /v26.0/act_111222333/campaigns?fields=id%2Caccount_id";
        assert!(request.line.starts_with(path), "{}", request.line);
        let states = r#"["ACTIVE","PAUSED","IN_PROCESS","WITH_ISSUES","ARCHIVED"]"#;
        assert_eq!(parameter(&request, "effective_status").as_deref(), Some(states));
        assert_eq!(parameter(&request, "limit").as_deref(), Some("200"));
    }
}

#[tokio::test]
async fn a_row_without_an_account_belongs_to_the_requested_one() {
    let silent = with(SAMPLE.made(9, 10), &[Set("/account_id", "null")]);
    assert_eq!(SAMPLE.found(vec![SAMPLE.page(vec![silent], None)]).await.unwrap(), ["9"]);
}
