"""Fills a running gateway with what there is to find. Beside the file that says where it is, writes schemathesis'
configuration, with the ids of all that, and the description: fetched by schemathesis itself, it would leave out its own
address."""

import json
import sys
import uuid
from pathlib import Path
from typing import Any

import requests

FOLDER = Path(sys.argv[1]).parent
READY: dict[str, str] = json.loads(Path(sys.argv[1]).read_text())
SPARE_KEY, CASES = sys.argv[2], int(sys.argv[3])
API, SANDBOX = READY["gateway"], READY["sandbox"]
HEADERS = {"X-API-Key": READY["api_key"]}
# About how many cases schemathesis makes of the description alone, whatever it is asked for, and how many endpoints share
# the rest: those without parameters soon have no more.
FIXED_CASES, OPERATIONS = 1350, 13


def ask(method: str, path: str, body: Any = None) -> Any:
    """Asks the service, and insists on success."""
    answer = requests.request(method, API + path, headers=HEADERS, json=body, timeout=60)
    if not answer.ok:
        sys.exit(f"{method} {path}: {answer.status_code} {answer.text}")
    return answer.json()


def connect(platform: str) -> list[str]:
    """Connects two accounts of a platform, as a user would on its consent page."""
    found = requests.get(f"{SANDBOX}/_sandbox/accounts", params={"platform": platform}, timeout=60).json()["accounts"]
    accounts = [account["id"] for account in found if "manager" not in (account.get("marks") or [])][:2]
    page = ask("GET", f"/connections/{platform}/authorize")["authorize_url"]
    requests.post(page, data={"decision": "approve", "account": accounts}, timeout=60).raise_for_status()
    return accounts


def create(connection: dict[str, str], name: str) -> str:
    """Creates a campaign and answers its id."""
    # Enough in every account's currency.
    body = {"name": name, "goal": "TRAFFIC", "budget_amount": 5000, "budget_period": "DAILY"}
    return ask("POST", "/campaigns", body | {"platform": connection["platform"], "connection_id": connection["id"]})["id"]


PLATFORMS = [one["platform"] for one in ask("GET", "/platforms")["platforms"]]
ORGANIZATIONS = [account for platform in PLATFORMS for account in connect(platform)]
CONNECTIONS = [one for one in ask("GET", "/connections")["connections"] if one["status"] == "ACTIVE"]
KEPT = [create(one, f"Kept {place}") for place, one in enumerate(CONNECTIONS)]
SPENT = [create(one, f"Spent {place} {again}") for again in range(3) for place, one in enumerate(CONNECTIONS)]
for _ in range(20):
    ask("GET", f"/connections/{PLATFORMS[-1]}/authorize")
PENDING = [one["id"] for one in ask("GET", "/connections")["connections"] if one["status"] == "PENDING"]
URIS = [ask("POST", "/redirect-uris", {"uri": f"https://example.com/{place}"})["data"] for place in range(5)]
MADE = requests.post(
    f"{API}/campaigns",
    headers=HEADERS,
    json={"name": "Asked about", "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY"}
    | {"platform": "alpha_ads", "connection_id": CONNECTIONS[0]["id"]},
    timeout=60,
)
CURSORS = [ask("GET", "/campaigns?limit=1")["pagination"]["next_cursor"]]
LOG_CURSORS = [ask("GET", "/usage-logs?limit=1")["pagination"]["next_cursor"]]

lines: list[str] = []


def table(name: str, entries: dict[str, Any]) -> None:
    """A table of TOML; JSON's strings, numbers and lists of them are TOML's."""
    lines.append(f"\n{name}")
    for key, value in entries.items():
        lines.append(f"{key} = {inline(value)}")


def inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {inline(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


def of(dictionary: str, probability: float = 0.7) -> dict[str, Any]:
    return {"dictionary": dictionary, "probability": probability}


def operation(ids: list[str], **entries: Any) -> None:
    table("[[operations]]", {"include-operation-id": ids, **entries})


lines.append("# Made by tests/openapi/seed.py.")
lines.append(f"headers = {inline(HEADERS)}")
# Below what the plan has, so that the answers are more than 429.
lines.append('rate-limit = "5400/m"')
lines.append("workers = 1")
lines.append("request-timeout = 40")
lines.append("continue-on-failure = true")
lines.append('warnings = false')
table("[generation]", {"max-examples": max(1, (CASES - FIXED_CASES) // OPERATIONS), "database": "none"})
for name, values in {
    "kept": KEPT,
    "spent": SPENT,
    "connections": [one["id"] for one in CONNECTIONS],
    "pending": PENDING,
    "organizations": ORGANIZATIONS,
    "uris": [one["uri"] for one in URIS],
    "uri_ids": [one["id"] for one in URIS],
    "requests": [MADE.headers["X-Request-Id"], str(uuid.uuid4())],
    "cursors": CURSORS,
    "log_cursors": LOG_CURSORS,
}.items():
    table(f"[dictionaries.{name}]", {"values": values})

# What a schema cannot say is refused all the same: minimum budgets, the currency's decimals, an end before its start,
# words of one shape in the other, goals that a platform does not have, an address that is not registered. And what is
# bound to a browser's visit cannot be made up.
REFUSALS = ["2xx", "3xx", "400", "401", "403", "404", "409", "422", "424", "429"]
REFUSES = {"positive_data_acceptance": {"expected-statuses": REFUSALS}}
# A platform that has no such operation is no failing server.
UNABLE = {
    "positive_data_acceptance": {"expected-statuses": [*REFUSALS, "501"]},
    "not_a_server_error": {"expected-statuses": ["2xx", "3xx", "4xx", "501"]},
}
operation(["getCampaign"], parameters={"path.id": of("kept")})
operation(["updateCampaign"], parameters={"path.id": of("kept")}, checks=UNABLE)
operation(["deleteCampaign"], parameters={"path.id": of("spent")})
operation(["createCampaign"], parameters={"body.organization_id": of("organizations"), "body.connection_id": of("connections")}, checks=REFUSES)
operation(["listCampaigns"], parameters={"query.cursor": of("cursors", 0.2), "query.organization_id": of("organizations")}, checks=REFUSES)
operation(["getIntents"], parameters={"path.request_id": of("requests")})
operation(["labelConnection"], parameters={"path.id": of("connections")})
operation(["removeConnection"], parameters={"path.id": of("pending")})
operation(["authorize"], parameters={"query.redirect_uri": of("uris", 0.5)}, checks=REFUSES)
operation(["removeRedirectUri"], parameters={"path.id": of("uri_ids")})
operation(["listUsageLogs"], parameters={"query.cursor": of("log_cursors", 0.5)}, checks=REFUSES)
operation(["registerRedirectUri", "callback", "billingReturn", "billingWebhook"], checks=REFUSES)
# The same Idempotency-Key comes with several bodies.
operation(["createCheckout", "createPortal"], checks=REFUSES)
operation(["rotateKey"], headers={"X-API-Key": SPARE_KEY})
(FOLDER / "schemathesis.toml").write_text("\n".join(lines) + "\n")
(FOLDER / "openapi.json").write_text(requests.get(f"{API}/openapi.json", timeout=60).text)
