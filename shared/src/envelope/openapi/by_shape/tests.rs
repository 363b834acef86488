//! What is in the document of a shape, and what is not. `tests/openapi` compares its examples with its schemas.

use super::super::build;
use super::unused::add_references;
use super::*;
use std::collections::BTreeSet;

fn documents() -> [(Shape, Shape, OrderedJson); 2] {
    let full = build();
    [(Shape::Flat, Shape::Enveloped), (Shape::Enveloped, Shape::Flat)]
        .map(|(own, other)| (own, other, in_shape(&full, own)))
}

fn schemas(document: &OrderedJson) -> &[(String, OrderedJson)] {
    document.child("components").child("schemas").members()
}

/// The operations with their ids, and whether each lists the header that chooses the shape.
fn operations(document: &OrderedJson) -> impl Iterator<Item = (&str, bool, &OrderedJson)> {
    document.child("paths").members().iter().flat_map(|(_, item)| item.members()).map(|(_, operation)| {
        let mut parameters = operation.child("parameters").items().iter();
        let has_choice = parameters.any(|parameter| parameter.text_at("$ref") == SHAPE_PARAMETER);
        (operation.text_at("operationId"), has_choice, operation)
    })
}

#[test]
fn the_document_of_a_shape_has_every_operation_and_no_dangling_reference() {
    let full = build();
    let ids = |document: &OrderedJson| operations(document).map(|(id, ..)| id.to_owned()).collect::<Vec<_>>();
    for (shape, _, document) in documents() {
        assert_eq!(ids(&document), ids(&full), "{shape:?}");
        let mut used = BTreeSet::new();
        add_references(&document, &document, &mut used);
        for path in used {
            let members: Vec<&str> = path.trim_start_matches("#/").split('/').collect();
            assert!(document.at(&members).is_some(), "{shape:?}: {path} leads nowhere");
        }
    }
}

#[test]
fn no_choice_between_the_shapes_is_left() {
    for (shape, _, document) in documents() {
        for (name, schema) in schemas(&document) {
            assert!(!is_union_of_shapes(alternatives(schema)), "{shape:?}: {name}");
            assert!(!OF_BOTH.iter().any(|(of_both, _)| of_both == name), "{shape:?}: {name}");
            let values = schema.child("enum").items().iter().filter_map(OrderedJson::text).collect::<Vec<_>>();
            let has_both = values.contains(&"flat") && values.contains(&"enveloped");
            assert!(!has_both || ["DocumentShape", "PayloadShape"].contains(&name.as_str()), "{shape:?}: {name}");
        }
        for (id, has_choice, operation) in operations(&document) {
            let responses = operation.child("responses").members();
            let names_shape = |(_, response): &(String, OrderedJson)| response.text_at("$ref").contains("/Either");
            assert!(has_choice || !responses.iter().any(names_shape), "{shape:?}: {id}");
        }
    }
}

#[test]
fn an_operation_with_a_shape_leads_to_no_component_of_the_other() {
    for (shape, other, document) in documents() {
        for (id, has_choice, operation) in operations(&document) {
            let mut used = BTreeSet::new();
            add_references(operation, &document, &mut used);
            let names = used.iter().filter_map(|path| path.strip_prefix(SCHEMAS));
            let foreign: Vec<&str> = names.filter(|name| schema_shape(name) == Some(other)).collect();
            // A change has the same error codes in both shapes.
            let allowed: &[&str] = if shape == Shape::Flat { &["EnvelopedErrorCode"] } else { &[] };
            assert!(!has_choice || foreign.iter().all(|name| allowed.contains(name)), "{shape:?} {id}: {foreign:?}");
        }
    }
}

#[test]
fn the_other_shapes_requests_and_responses_are_gone() {
    let [(_, _, flat), (_, _, enveloped)] = documents();
    let has = |document: &OrderedJson, name: &str| schemas(document).iter().any(|(known, _)| known == name);
    for name in ["Create", "Update", "CampaignList", "BulkRequest", "Intents"] {
        let [own, other] = [format!("Flat{name}"), format!("Enveloped{name}")];
        assert!(has(&flat, &own) && !has(&flat, &other), "{name}");
        assert!(has(&enveloped, &other) && !has(&enveloped, &own), "{name}");
    }
    for (name, _) in NAMED_OTHERWISE {
        assert_eq!(has(&flat, name), name == "Event", "{name}");
        assert!(has(&enveloped, name), "{name}");
    }
    let statuses = |document: &OrderedJson| {
        let create = document.at(&["paths", "/campaigns", "post", "responses"]).unwrap();
        create.members().iter().any(|(status, _)| status == "207")
    };
    assert!(!statuses(&flat) && statuses(&enveloped), "only targets are 207");
}

#[test]
fn the_header_that_chooses_the_shape_is_required_and_has_one_value() {
    for (shape, _, document) in documents() {
        let parameter = document.at(&["components", "parameters", "Shape"]).unwrap();
        assert_eq!(parameter.text_at("name"), "X-API-Shape");
        assert_eq!(serde_json::to_string(parameter.child("required")).unwrap(), "true");
        assert_eq!(parameter.child("schema").text_at("default"), shape.as_str());
        let named = parameter.child("schema").child("allOf").items().first().unwrap();
        let values = named.resolved(&document).child("enum");
        assert_eq!(serde_json::to_string(values).unwrap(), format!("[\"{}\"]", shape.as_str()));
    }
}

/// An alternative without a shape in a union of shapes would be in neither document.
#[test]
fn every_alternative_of_a_union_of_shapes_has_a_shape() {
    let full = build();
    let unions = schemas(&full).iter().filter(|(_, schema)| is_union_of_shapes(alternatives(schema)));
    let mut count = 0;
    for (name, schema) in unions {
        let shapes = alternatives(schema).iter().map(|item| schema_name(item).and_then(schema_shape));
        assert!(shapes.into_iter().all(|shape| shape.is_some()), "{name}");
        count += 1;
    }
    assert!(count >= 14, "{count}");
}

#[test]
fn no_description_speaks_of_the_choice() {
    let full = serde_json::to_string(&build()).unwrap();
    for said in CHOICE {
        assert!(full.contains(said), "nothing says {said:?} any more");
    }
    for (shape, _, document) in documents() {
        let text = serde_json::to_string(&document).unwrap();
        assert!(CHOICE.iter().all(|said| !text.contains(said)) && !text.contains("Two shapes"), "{shape:?}");
    }
}
