"""Stripe: the official stripe library, pointed at the sandbox."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

import requests
import stripe

from sandbox import SANDBOX, control, expect, expect_equal, fail

BASE = f"{SANDBOX}/stripe"
KEY = "sk_test_51SandboxOfUnifiedAds"
SECRETS = ["whsec_new", "whsec_old"]
SUCCESS = "http://127.0.0.1:9/back?session_id={CHECKOUT_SESSION_ID}"


class WebhookEndpoint(BaseHTTPRequestHandler):
    """Queues each delivery and responds 200."""

    deliveries: "Queue[tuple[bytes, str]]" = Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.deliveries.put((body, self.headers["stripe-signature"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def start_webhook_endpoint() -> None:
    server = HTTPServer(("127.0.0.1", 0), WebhookEndpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    control("stripe/webhook", url=f"http://127.0.0.1:{server.server_port}/", secrets=SECRETS)


def next_events(count: int) -> dict[str, stripe.Event]:
    """The next deliveries by type; each verifies with either secret."""
    read = {}
    for _ in range(count):
        body, signature = WebhookEndpoint.deliveries.get(timeout=20)
        for secret in SECRETS:
            event = stripe.Webhook.construct_event(body, signature, secret)
        try:
            stripe.Webhook.construct_event(body, signature, "whsec_wrong")
            fail("a wrong secret verified a delivery")
        except stripe.SignatureVerificationError:
            pass
        expect_complete(event.type, event)
        read[event.type] = event
    return read


def expect_complete(name: str, value: object) -> None:
    """Ends the script when an object lacks a field that the library declares as never null."""
    if isinstance(value, list):
        for one in value:
            expect_complete(name, one)
    if not isinstance(value, stripe.StripeObject):
        return
    for kind in type(value).__mro__:
        for field, hint in vars(kind).get("__annotations__", {}).items():
            optional = any(word in str(hint) for word in ("Optional", "NoneType", "ClassVar")) or field.startswith("_")
            expect(optional or value.to_dict().get(field) is not None, f"{name}: {kind.__name__}.{field} is missing")
    for field, inner in value.to_dict(recursive=False).items():
        expect_complete(f"{name}.{field}", inner)


def submit(url: str, **form: str) -> str:
    response = requests.post(url, data=form, allow_redirects=False, timeout=10)
    expect_equal(f"status of {form}", response.status_code, 303)
    return response.headers["location"]


# The library sets no code on authentication, throttling and idempotency errors.
def expect_refusal(
    name: str, kind: type[stripe.StripeError], call, code: "str | None", param: "str | None" = None
) -> None:
    try:
        call()
    except kind as error:
        expect_equal(f"code of {name}", error.code, code)
        if param:
            expect_equal(f"parameter of {name}", error.param, param)
        expect(error.headers["request-id"].startswith("req_"), f"{name} has no request id")
        return
    fail(f"{name} was not refused")


def purchase(client: stripe.StripeClient) -> stripe.Subscription:
    params = {"email": "pat@example.com", "metadata": {"account": "cust-7"}}
    customer = client.v1.customers.create(params, {"idempotency_key": "cust-cust-7"})
    again = client.v1.customers.create(params, {"idempotency_key": "cust-cust-7"})
    expect_equal("customer of the same key", again.id, customer.id)
    expect_equal("replay header", again.last_response.headers["idempotent-replayed"], "true")
    expect_refusal("a reused key", stripe.IdempotencyError,
            lambda: client.v1.customers.create({"email": "x@example.com"}, {"idempotency_key": "cust-cust-7"}), None)
    expect_equal("metadata of the customer", client.v1.customers.retrieve(customer.id).metadata["account"], "cust-7")

    expect_complete("customer", customer)
    session = client.v1.checkout.sessions.create({
        "mode": "subscription", "line_items": [{"price": "price_pro", "quantity": 1}], "success_url": SUCCESS,
        "cancel_url": "http://127.0.0.1:9/pricing", "customer": customer.id, "client_reference_id": "cust-7",
        "metadata": {"plan": "pro"}, "subscription_data": {"metadata": {"account": "cust-7"}},
    })
    expect_equal("new session", (session.status, session.payment_status, session.subscription),
            ("open", "unpaid", None))
    expect_equal("redirect after success", submit(session.url, decision="pay"),
            f"http://127.0.0.1:9/back?session_id={session.id}")
    paid = client.v1.checkout.sessions.retrieve(session.id, {"expand": ["subscription"]})
    expect_complete("session", paid)
    expect_equal("paid session", (paid.status, paid.payment_status, paid.customer, paid.url),
            ("complete", "paid", customer.id, None))
    sent = next_events(3)
    completed = sent["checkout.session.completed"].data.object
    expect_equal("completed session", (completed.id, completed.client_reference_id), (session.id, "cust-7"))
    invoice = sent["invoice.paid"].data.object
    expect_equal("subscription of the invoice", invoice.parent.subscription_details.subscription, paid.subscription.id)
    expect_equal("created subscription", sent["customer.subscription.created"].data.object.id, paid.subscription.id)
    return paid.subscription


def portal(client: stripe.StripeClient, bought: stripe.Subscription) -> None:
    session = client.v1.billing_portal.sessions.create({"customer": bought.customer, "return_url": "http://127.0.0.1:9/"})
    expect_complete("portal", session)
    submit(session.url, decision="plan", price="price_enterprise")
    updated = next_events(1)["customer.subscription.updated"]
    before = updated.data.previous_attributes["items"]["data"][0]["price"]["id"]
    expect_equal("previous price", before, "price_pro")
    read = client.v1.subscriptions.retrieve(bought.id)
    item = read["items"].data[0]
    expect_equal("new price", (read.status, item.price.id), ("active", "price_enterprise"))
    expect(item.current_period_end > item.current_period_start, "the item has no period")
    submit(session.url, decision="fail")
    expect_equal("events of a failed payment", sorted(next_events(2)),
            ["customer.subscription.updated", "invoice.payment_failed"])
    expect_equal("status after a failed payment", client.v1.subscriptions.retrieve(bought.id).status, "past_due")
    submit(session.url, decision="cancel_now")
    expect_equal("events of a cancellation", list(next_events(1)), ["customer.subscription.deleted"])
    expect_equal("redirect after back", submit(session.url, decision="back"), "http://127.0.0.1:9/")


def main() -> None:
    start_webhook_endpoint()
    client = stripe.StripeClient(KEY, base_addresses={"api": BASE}, max_network_retries=2)
    bought = purchase(client)
    portal(client, bought)

    for _ in range(2):
        session = client.v1.checkout.sessions.create({
            "mode": "subscription", "line_items": [{"price": "price_starter", "quantity": 1}], "success_url": SUCCESS,
            "customer": bought.customer,
        })
        submit(session.url, decision="pay")
    listed = client.v1.subscriptions.list({"customer": bought.customer, "status": "all", "limit": 1})
    expect_equal("subscriptions on all pages", len(list(listed.auto_paging_iter())), 3)

    expect_refusal("an unknown parameter", stripe.InvalidRequestError,
            lambda: client.v1.customers.create({"odd": "1"}), "parameter_unknown", "odd")
    expect_refusal("an unknown customer", stripe.InvalidRequestError,
            lambda: client.v1.customers.retrieve("cus_x"), "resource_missing")
    expect_refusal("a missing mode", stripe.InvalidRequestError,
            lambda: client.v1.checkout.sessions.create({}), "parameter_missing", "mode")
    unauthorized = stripe.StripeClient("sk_test_some_other_key", base_addresses={"api": BASE})
    expect_refusal("an unknown key", stripe.AuthenticationError, lambda: unauthorized.v1.subscriptions.list(), None)
    control("faults", platform="stripe", operation="customer", fault="throttle", times=1)
    expect_refusal("a throttle", stripe.RateLimitError, lambda: client.v1.customers.create({}), None)
    control("faults", platform="stripe", operation="customer", fault="drop_after", times=1)
    retried = client.v1.customers.create({"email": "lost@example.com"})
    expect_equal("replay header of a retried create", retried.last_response.headers["idempotent-replayed"], "true")


main()
print("stripe (stripe): bought, replayed, webhooks verified, changed in the portal, listed, errors parsed: ok")
