//! Two features at a time, where no other test has both: held dates, a monthly budget, a time, an approval, a limit, a
//! stop, a dry run, a bulk change and a removal. The table in `tests/README.md` has a test for each pair.

mod bulk;
mod dry_run;
mod held;
mod keys;
mod stop;

use super::Stage;
use serde_json::{Value, json};

/// Why a canceled change was canceled.
async fn why_canceled(stage: &Stage, id: &Value) -> String {
    let change = stage.change(id.as_str().expect("an id")).await;
    assert_eq!(change["state"], json!("canceled"), "{change}");
    change["error"]["message"].as_str().expect("a reason").to_owned()
}
