//! Pages of Meta's campaigns, of which some are deleted in between.

use crate::world::{World, id_of};
use serde_json::Value;

#[tokio::test]
async fn a_campaign_deleted_between_two_pages_hides_no_other() {
    for deleted in ["Fourth", "Fifth"] {
        let world = World::connected("beta_ads").await;
        let mut ids = Vec::new();
        for name in ["First", "Second", "Third", "Fourth", "Fifth"] {
            ids.push((name, id_of(&world.create("beta_ads", name).await)));
        }
        let names = |page: &Value| -> Vec<String> {
            let listed = page["unified"].as_array().expect("a list").iter();
            listed.map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
        };
        let first = world.ask("GET", "/v1/campaigns?limit=2").expect(200).await.json();
        assert_eq!(names(&first), ["Fifth", "Fourth"]);
        let (_, id) = ids.iter().find(|(name, _)| *name == deleted).expect("the campaign");
        world.ask("DELETE", &format!("/v1/campaigns/{id}")).expect(204).await;
        let cursor = first["pagination"]["next_cursor"].as_str().expect("more campaigns");
        let rest = world.ask("GET", &format!("/v1/campaigns?limit=9&cursor={cursor}")).expect(200).await.json();
        assert_eq!(names(&rest), ["Third", "Second", "First"], "without {deleted}");
    }
}
