//! The control addresses under `/_sandbox/`, for tests and people.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::account::AccountSummary;
use crate::faults::{Fault, Faults, Kind, Operation, Service};
use crate::fields::Fields;
use crate::http::{Pairs, Reply, Request};
use crate::platform::{SpendError, Spent};
use crate::quirks;
use crate::record::Record;
use crate::registry::{self, PLATFORMS};
use crate::state::{Sandbox, World};
use crate::stripe;

/// Faults and latency may wait ten minutes at most.
const LONGEST_MS: u64 = 600_000;
/// An access token may be told to live ten years at most.
const LONGEST_TTL_S: u64 = 315_360_000;
/// What `slow` and `late` wait when nothing is said.
const USUAL_MS: u64 = 1_000;

/// A status and why.
type Refusal = (u16, String);
type Answer = Result<(u16, Value), Refusal>;

const METHODS: &[(&str, &str)] = &[
    ("requests", "GET"),
    ("campaigns", "GET"),
    ("secrets", "GET"),
    ("accounts", "GET, POST"),
    ("access", "POST"),
    ("spend", "POST"),
    ("faults", "POST"),
    ("settings", "POST"),
    ("quirks", "GET, POST"),
    ("reset", "POST"),
];

/// Answers one control request; what it changed is on disk by then.
pub(crate) fn answer(sandbox: &Sandbox, request: &Request) -> Reply {
    let name = request.path.strip_prefix("/_sandbox/").unwrap_or_default();
    let mut world = sandbox.lock();
    let (method, now) = (request.method.as_str(), sandbox.now());
    let of_stripe = stripe::control(&mut world.platforms.stripe, method, name, &request.body, now);
    let outcome = match (method, name) {
        _ if let Some(outcome) = of_stripe => outcome,
        ("GET", "requests") => requests(&world, request),
        ("GET", "campaigns") => campaigns(&world, request, now),
        ("GET", "secrets") => secrets(&mut world, request),
        ("GET", "accounts") => accounts(&world, request),
        ("POST", "accounts") => open_account(&mut world, &request.body),
        ("POST", "access") => access(&mut world, &request.body),
        ("POST", "spend") => spend(&mut world, &request.body, now),
        ("POST", "faults") => faults(&mut world, &request.body),
        ("POST", "settings") => settings(&mut world, &request.body),
        ("GET", "quirks") => show_quirks(&world, request),
        ("POST", "quirks") => switch_quirk(&mut world, &request.body),
        ("POST", "reset") => Ok(reset(&mut world)),
        _ => match METHODS.iter().chain(stripe::METHODS).find(|(known, _)| *known == name) {
            Some((_, methods)) => return wrong_method(methods),
            None => Err((404, format!("no control address {}; / lists them", request.path))),
        },
    };
    let (status, body) = outcome.unwrap_or_else(|(status, why)| (status, json!({ "error": why })));
    let kept = matches!(name, "accounts" | "access" | "spend") || name.starts_with("stripe/");
    if kept && method == "POST" && status < 300 {
        if let Err(failure) = sandbox.save(&world) {
            return failure;
        }
        sandbox.webhooks.notify_one();
    }
    Reply::json(status, &body)
}

fn wrong_method(right: &'static str) -> Reply {
    Reply::json(405, &json!({ "error": format!("this control address takes {right}") })).with("allow", right)
}

fn bad(why: String) -> Refusal {
    (400, why)
}

fn known_platform(word: &str) -> Result<&'static str, Refusal> {
    registry::platform(word)
        .ok_or_else(|| bad(format!("platform \"{word}\" is unknown; it is one of {}", PLATFORMS.join(", "))))
}

fn platform_field(fields: &mut Fields) -> Result<&'static str, Refusal> {
    known_platform(&fields.required("platform").map_err(bad)?)
}

/// A platform, or the payment provider: requests, faults and settings have both.
fn known_receiver(word: &str) -> Result<&'static str, Refusal> {
    registry::receiver(word).ok_or_else(|| {
        let platforms = PLATFORMS.join(", ");
        bad(format!("platform \"{word}\" is unknown; it is one of {platforms}, {}", stripe::WORD))
    })
}

fn receiver_field(fields: &mut Fields) -> Result<&'static str, Refusal> {
    known_receiver(&fields.required("platform").map_err(bad)?)
}

fn in_query(
    request: &Request,
    known: fn(&str) -> Result<&'static str, Refusal>,
) -> Result<Option<&'static str>, Refusal> {
    let query = Pairs::parse(&request.query);
    if let Some(odd) = query.names().find(|name| *name != "platform") {
        return Err(bad(format!("{odd} is not known here")));
    }
    query.get("platform").map(known).transpose()
}

fn requests(world: &World, request: &Request) -> Answer {
    Ok((200, world.record.show(in_query(request, known_receiver)?)))
}

fn campaigns(world: &World, request: &Request, now: Timestamp) -> Answer {
    let wanted = in_query(request, known_platform)?;
    let words = PLATFORMS.iter().filter(|word| wanted.is_none_or(|wanted| wanted == **word));
    let held = words.filter_map(|word| world.platforms.get(word));
    let campaigns: Vec<Value> = held.flat_map(|of| of.campaigns(now)).collect();
    Ok((200, json!({ "campaigns": campaigns })))
}

/// For tests alone: every secret that a platform knows of in this run, the dead ones too, so that they can be searched
/// for where none belongs. What clients made themselves (states, PKCE verifiers) stands in the record of requests.
fn secrets(world: &mut World, request: &Request) -> Answer {
    let wanted = in_query(request, known_platform)?;
    let mut shown = Vec::new();
    for word in PLATFORMS.iter().filter(|word| wanted.is_none_or(|wanted| wanted == **word)) {
        let mut show = |kind: &str, value: &str| shown.push(json!({ "platform": word, "kind": kind, "value": value }));
        if let Some(client) = registry::client(word) {
            show("client_secret", client.secret);
        }
        let issued = world.platforms.get_mut(word).and_then(|of| of.grants()).map(|grants| grants.issued());
        issued.unwrap_or_default().iter().for_each(|(kind, value)| show(kind, value));
    }
    Ok((200, json!({ "secrets": shown })))
}

fn accounts(world: &World, request: &Request) -> Answer {
    let wanted = in_query(request, known_platform)?;
    let words = PLATFORMS.iter().filter(|word| wanted.is_none_or(|wanted| wanted == **word));
    let cards = words.filter_map(|word| Some((*word, world.platforms.get(word)?.accounts())));
    let shown = cards.flat_map(|(word, cards)| cards.into_iter().map(move |card| account(word, &card)));
    Ok((200, json!({ "accounts": shown.collect::<Vec<Value>>() })))
}

fn account(platform: &str, card: &AccountSummary) -> Value {
    let AccountSummary { id, name, currency, time_zone, marks } = card;
    json!({ "platform": platform, "id": id, "name": name, "currency": currency, "time_zone": time_zone, "marks": marks })
}

fn open_account(world: &mut World, body: &str) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let word = platform_field(&mut fields)?;
    let currency = fields.required("currency").map_err(bad)?;
    fields.end().map_err(bad)?;
    let owner = world.platforms.get_mut(word).ok_or_else(|| bad(format!("platform {word}")))?;
    let unknown = || bad(format!("currency \"{currency}\" is none that the platform knows"));
    let AccountSummary { id, name, currency, time_zone, .. } = owner.open_account(&currency).ok_or_else(unknown)?;
    let account = json!({ "id": id, "name": name, "currency": currency, "time_zone": time_zone });
    Ok((201, json!({ "platform": word, "account": account })))
}

fn access(world: &mut World, body: &str) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let word = platform_field(&mut fields)?;
    let account = fields.required("account").map_err(bad)?;
    let access = fields.required("access").map_err(bad)?;
    fields.end().map_err(bad)?;
    let is_lost = match access.as_str() {
        "lost" => true,
        "regained" => false,
        _ => return Err(bad(format!("access \"{access}\" is unknown; it is one of lost, regained"))),
    };
    let owner = world.platforms.get_mut(word).ok_or_else(|| bad(format!("platform {word}")))?;
    if !owner.accounts().iter().any(|card| card.id == account) {
        return Err((404, format!("account {account} is no ad account of {word}")));
    }
    if let Some(grants) = owner.grants() {
        grants.set_access(&account, is_lost);
    }
    Ok((200, json!({ "platform": word, "account": account, "access": access })))
}

fn spend(world: &mut World, body: &str, now: Timestamp) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let word = platform_field(&mut fields)?;
    let campaign = fields.literal("campaign_id").map_err(bad)?;
    let amount = fields.literal("amount").map_err(bad)?;
    fields.end().map_err(bad)?;
    let owner = world.platforms.get_mut(word).ok_or_else(|| bad(format!("platform {word}")))?;
    let Spent { campaign, currency, sum } = owner.spend(&campaign, &amount, now).map_err(|error| match error {
        SpendError::Unknown => (404, format!("campaign_id {campaign} is no campaign of {word}")),
        SpendError::Amount => bad(format!("amount {amount} is no decimal with up to six places that can be added")),
        SpendError::Uncounted(currency) => bad(format!("amount {amount} is no amount that {currency} is counted in")),
    })?;
    Ok((200, json!({ "platform": word, "campaign_id": campaign, "currency": currency, "spent": sum })))
}

fn faults(world: &mut World, body: &str) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let platform = receiver_field(&mut fields)?;
    let service = if platform == stripe::WORD { Service::Payments } else { Service::AdPlatform };
    let operation = Operation::named(service, &fields.required("operation").map_err(bad)?).map_err(bad)?;
    let kind = fields.text("fault").map_err(bad)?;
    let kind = kind.map(|name| Kind::named(service, operation, &name)).transpose().map_err(bad)?;
    let times = fields.number("times", u64::from(u32::MAX)).map_err(bad)?;
    let times = times.ok_or_else(|| bad("times is missing".to_owned()))?;
    let ms = fields.number("ms", LONGEST_MS).map_err(bad)?.unwrap_or(USUAL_MS);
    fields.end().map_err(bad)?;
    if times == 0 {
        world.faults.clear(platform, operation, kind);
    } else {
        let kind = kind.ok_or_else(|| bad("fault is missing".to_owned()))?;
        world.faults.set(Fault { platform, operation, kind, times, ms });
    }
    Ok((200, world.faults.show()))
}

fn settings(world: &mut World, body: &str) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let word = receiver_field(&mut fields)?;
    let ttl = fields.number("access_token_ttl_s", LONGEST_TTL_S).map_err(bad)?;
    if ttl.is_some() && word == stripe::WORD {
        return Err(bad(format!("access_token_ttl_s means nothing to {word}: it has no access tokens")));
    }
    let latency = fields.number("latency_ms", LONGEST_MS).map_err(bad)?;
    let page_size = fields.number("page_size", 10_000).map_err(bad)?;
    fields.end().map_err(bad)?;
    if page_size == Some(0) {
        return Err(bad("page_size has to be at least 1".to_owned()));
    }
    let settings = world.settings.entry(word).or_default();
    if let Some(seconds) = ttl {
        settings.access_token_ttl_s = i64::try_from(seconds).ok();
    }
    if let Some(latency) = latency {
        settings.latency_ms = latency;
    }
    if let Some(rows) = page_size {
        settings.page_size = usize::try_from(rows).ok();
    }
    let shown = json!({
        "platform": word,
        "access_token_ttl_s": settings.access_token_ttl_s,
        "latency_ms": settings.latency_ms,
        "page_size": settings.page_size,
    });
    Ok((200, shown))
}

fn show_quirks(world: &World, request: &Request) -> Answer {
    let wanted = in_query(request, known_platform)?;
    let words = PLATFORMS.iter().filter(|word| wanted.is_none_or(|wanted| wanted == **word));
    Ok((200, json!({ "quirks": words.flat_map(|word| quirks_of(world, word)).collect::<Vec<Value>>() })))
}

fn switch_quirk(world: &mut World, body: &str) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let word = platform_field(&mut fields)?;
    let name = fields.required("quirk").map_err(bad)?;
    let on = fields.flag("on").map_err(bad)?;
    fields.end().map_err(bad)?;
    let known = world.platforms.get(word).map_or(&[][..], |platform| platform.quirks());
    quirks::switch(known, &mut world.settings.entry(word).or_default().quirks, &name, on).map_err(bad)?;
    Ok((200, json!({ "quirks": quirks_of(world, word) })))
}

fn quirks_of(world: &World, word: &str) -> Vec<Value> {
    let active = world.settings.get(word).map(|settings| settings.quirks.clone()).unwrap_or_default();
    world.platforms.get(word).map_or_else(Vec::new, |platform| quirks::show(word, platform.quirks(), &active))
}

/// Accounts, grants and campaigns stay.
fn reset(world: &mut World) -> (u16, Value) {
    world.faults = Faults::default();
    world.record = Record::default();
    world.settings.clear();
    (200, json!({}))
}
