"""Stripe: the official stripe library, pointed at the sandbox."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

import requests
import stripe

from world import SANDBOX, check, control, fail, same

BASE = f"{SANDBOX}/stripe"
KEY = "sk_test_51SandboxOfUnifiedAds"
SECRETS = ["whsec_new", "whsec_old"]
SUCCESS = "http://127.0.0.1:9/back?session_id={CHECKOUT_SESSION_ID}"


class Hook(BaseHTTPRequestHandler):
    """An endpoint that takes what arrives and answers 200."""

    arrived: "Queue[tuple[bytes, str]]" = Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.arrived.put((body, self.headers["stripe-signature"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def listen() -> None:
    server = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    control("stripe/webhook", url=f"http://127.0.0.1:{server.server_port}/", secrets=SECRETS)


def events(count: int) -> dict[str, stripe.Event]:
    """The next deliveries by type, each verified with either secret."""
    read = {}
    for _ in range(count):
        body, signature = Hook.arrived.get(timeout=20)
        for secret in SECRETS:
            event = stripe.Webhook.construct_event(body, signature, secret)
        try:
            stripe.Webhook.construct_event(body, signature, "whsec_wrong")
            fail("a wrong secret verified a delivery")
        except stripe.SignatureVerificationError:
            pass
        whole(event.type, event)
        read[event.type] = event
    return read


def whole(what: str, read: object) -> None:
    """Ends the script when an object lacks a field that the library's types never have null."""
    if isinstance(read, list):
        for one in read:
            whole(what, one)
    if not isinstance(read, stripe.StripeObject):
        return
    for kind in type(read).__mro__:
        for name, hint in vars(kind).get("__annotations__", {}).items():
            free = any(word in str(hint) for word in ("Optional", "NoneType", "ClassVar")) or name.startswith("_")
            check(free or read.to_dict().get(name) is not None, f"{what}: {kind.__name__}.{name} is missing")
    for name, value in read.to_dict(recursive=False).items():
        whole(f"{what}.{name}", value)


def click(url: str, **form: str) -> str:
    answer = requests.post(url, data=form, allow_redirects=False, timeout=10)
    same(f"the status of {form}", answer.status_code, 303)
    return answer.headers["location"]


# The library gives no code with errors of authentication, of throttling and of keys.
def refused(what: str, kind: type[stripe.StripeError], call, code: "str | None", param: "str | None" = None) -> None:
    try:
        call()
    except kind as error:
        same(f"the code of {what}", error.code, code)
        if param:
            same(f"the parameter of {what}", error.param, param)
        check(error.headers["request-id"].startswith("req_"), f"{what} has no request id")
        return
    fail(f"{what} was not refused")


def purchase(client: stripe.StripeClient) -> stripe.Subscription:
    params = {"email": "pat@example.com", "metadata": {"account": "cust-7"}}
    customer = client.v1.customers.create(params, {"idempotency_key": "cust-cust-7"})
    again = client.v1.customers.create(params, {"idempotency_key": "cust-cust-7"})
    same("the customer of the same key", again.id, customer.id)
    same("the mark of a replay", again.last_response.headers["idempotent-replayed"], "true")
    refused("another use of the key", stripe.IdempotencyError,
            lambda: client.v1.customers.create({"email": "x@example.com"}, {"idempotency_key": "cust-cust-7"}), None)
    same("the read customer", client.v1.customers.retrieve(customer.id).metadata["account"], "cust-7")

    whole("customer", customer)
    session = client.v1.checkout.sessions.create({
        "mode": "subscription", "line_items": [{"price": "price_pro", "quantity": 1}], "success_url": SUCCESS,
        "cancel_url": "http://127.0.0.1:9/pricing", "customer": customer.id, "client_reference_id": "cust-7",
        "metadata": {"plan": "pro"}, "subscription_data": {"metadata": {"account": "cust-7"}},
    })
    same("a new session", (session.status, session.payment_status, session.subscription), ("open", "unpaid", None))
    same("where success leads", click(session.url, decision="pay"), f"http://127.0.0.1:9/back?session_id={session.id}")
    paid = client.v1.checkout.sessions.retrieve(session.id, {"expand": ["subscription"]})
    whole("session", paid)
    same("a paid session", (paid.status, paid.payment_status, paid.customer, paid.url),
         ("complete", "paid", customer.id, None))
    told = events(3)
    done = told["checkout.session.completed"].data.object
    same("the completed session", (done.id, done.client_reference_id), (session.id, "cust-7"))
    invoice = told["invoice.paid"].data.object
    same("the invoice's subscription", invoice.parent.subscription_details.subscription, paid.subscription.id)
    same("the created subscription", told["customer.subscription.created"].data.object.id, paid.subscription.id)
    return paid.subscription


def portal(client: stripe.StripeClient, bought: stripe.Subscription) -> None:
    session = client.v1.billing_portal.sessions.create({"customer": bought.customer, "return_url": "http://127.0.0.1:9/"})
    whole("portal", session)
    click(session.url, decision="plan", price="price_enterprise")
    updated = events(1)["customer.subscription.updated"]
    before = updated.data.previous_attributes["items"]["data"][0]["price"]["id"]
    same("the price before", before, "price_pro")
    read = client.v1.subscriptions.retrieve(bought.id)
    item = read["items"].data[0]
    same("the new price", (read.status, item.price.id), ("active", "price_enterprise"))
    check(item.current_period_end > item.current_period_start, "the period is not on the item")
    click(session.url, decision="fail")
    same("a failed payment", sorted(events(2)), ["customer.subscription.updated", "invoice.payment_failed"])
    same("the status after it", client.v1.subscriptions.retrieve(bought.id).status, "past_due")
    click(session.url, decision="cancel_now")
    same("the end", list(events(1)), ["customer.subscription.deleted"])
    same("where back leads", click(session.url, decision="back"), "http://127.0.0.1:9/")


def main() -> None:
    listen()
    client = stripe.StripeClient(KEY, base_addresses={"api": BASE}, max_network_retries=2)
    bought = purchase(client)
    portal(client, bought)

    for _ in range(2):
        session = client.v1.checkout.sessions.create({
            "mode": "subscription", "line_items": [{"price": "price_starter", "quantity": 1}], "success_url": SUCCESS,
            "customer": bought.customer,
        })
        click(session.url, decision="pay")
    listed = client.v1.subscriptions.list({"customer": bought.customer, "status": "all", "limit": 1})
    same("the subscriptions of all pages", len(list(listed.auto_paging_iter())), 3)

    refused("an unknown parameter", stripe.InvalidRequestError,
            lambda: client.v1.customers.create({"odd": "1"}), "parameter_unknown", "odd")
    refused("an unknown customer", stripe.InvalidRequestError,
            lambda: client.v1.customers.retrieve("cus_x"), "resource_missing")
    refused("a missing mode", stripe.InvalidRequestError,
            lambda: client.v1.checkout.sessions.create({}), "parameter_missing", "mode")
    stranger = stripe.StripeClient("sk_test_some_other_key", base_addresses={"api": BASE})
    refused("an unknown key", stripe.AuthenticationError, lambda: stranger.v1.subscriptions.list(), None)
    control("faults", platform="stripe", operation="customer", fault="throttle", times=1)
    refused("a throttle", stripe.RateLimitError, lambda: client.v1.customers.create({}), None)
    control("faults", platform="stripe", operation="customer", fault="drop_after", times=1)
    lost = client.v1.customers.create({"email": "lost@example.com"})
    same("the mark of a retried creation", lost.last_response.headers["idempotent-replayed"], "true")


main()
print("stripe (stripe): bought, replayed, told by signed events, changed in the portal, listed, errors parsed: ok")
