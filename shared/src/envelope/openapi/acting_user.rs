//! The parameters that name the user for whom a request acts. Each operation that acts for one has them.

use super::ordered_json::{OrderedJson, reference};
use crate::routes::{ForUser, ROUTES};

/// The parameter of the query. An operation that says more about it lists its own.
const IN_QUERY: &str = "external_ref";

/// Adds the header and the parameter to the operations that act for a user.
pub(super) fn add_user_parameters(paths: &mut OrderedJson) {
    let OrderedJson::Object(paths) = paths else { return };
    for (path, operations) in paths {
        let OrderedJson::Object(operations) = operations else { continue };
        for (method, operation) in operations {
            if acts_for_users(method, path) {
                add_to_operation(operation);
            }
        }
    }
}

fn acts_for_users(method: &str, path: &str) -> bool {
    let is_it = |route: &str| route.strip_prefix("/v1") == Some(path);
    let mut routes = ROUTES.iter().filter(|route| is_it(route.path) && route.method.eq_ignore_ascii_case(method));
    routes.any(|route| route.endpoint.for_user() == ForUser::Acts)
}

fn add_to_operation(operation: &mut OrderedJson) {
    let mut parameters = operation.child("parameters").items().to_vec();
    let lists_its_own = parameters.iter().any(|parameter| parameter.text_at("name") == IN_QUERY);
    parameters.push(reference("parameters", "ActingUser"));
    if !lists_its_own {
        parameters.push(reference("parameters", "ActingUserInQuery"));
    }
    let parameters = OrderedJson::Array(parameters);
    let OrderedJson::Object(members) = operation else { return };
    match members.iter_mut().find(|(name, _)| name == "parameters") {
        Some((_, listed)) => *listed = parameters,
        None => {
            let before = |(name, _): &(String, OrderedJson)| name == "requestBody" || name == "responses";
            let at = members.iter().position(before).unwrap_or(members.len());
            members.insert(at, ("parameters".to_owned(), parameters));
        }
    }
}
