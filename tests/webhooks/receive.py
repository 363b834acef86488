"""Receives real deliveries and writes them to a file: `receive.py READY MESSAGES`."""

import json
import queue
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

READY, MESSAGES = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
# A library that does not sign the raw bytes stumbles over such a name.
NAME = 'Größe, 大阪 🎈 </script> "x"'
WAIT = 60


class Receiver(BaseHTTPRequestHandler):
    """The customer's endpoint. Each path is one; it refuses what `refuse` names, once."""

    received: "queue.Queue[dict]" = queue.Queue()
    refuse = {"/flat"}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        status = 500 if self.path in self.refuse else 204
        self.refuse.discard(self.path)
        self.send_response(status)
        self.end_headers()
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.received.put({"path": self.path, "headers": headers, "body": body.decode(), "status": status})

    def log_message(self, *_):
        pass


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"X-API-Key": READY["api_key"], "Content-Type": "application/json"}
    request = urllib.request.Request(READY["gateway"] + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=WAIT) as response:
        return json.load(response)


def next_messages(count):
    """The next messages, by path. Several of one path are in the order of their arrival."""
    by_path = {}
    for _ in range(count):
        message = Receiver.received.get(timeout=WAIT)
        by_path.setdefault(message["path"], []).append(message)
    return by_path


def message(name, received, secrets, change):
    """What a library gets: a message, and the secrets that must verify it."""
    payload = json.loads(received["body"])
    assert received["headers"]["content-type"] == "application/json", received
    assert payload["id"] == received["headers"]["webhook-id"], received
    assert payload["type"] == "change.applied" and payload["data"]["change"]["id"] == change, payload
    parts = received["headers"]["webhook-signature"].split(" ")
    assert len(parts) == len(secrets) and all(part.startswith("v1,") for part in parts), parts
    headers = {key: value for key, value in received["headers"].items() if key.startswith("webhook-")}
    return {"name": name, "body": received["body"], "headers": headers, "secrets": secrets}


def newest_change():
    return call("GET", "/changes?limit=1")["changes"][0]["id"]


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()

# The user approves the consent page.
consent = call("GET", "/connections/alpha_ads/authorize")["authorize_url"]
urllib.request.urlopen(consent, data=b"decision=approve", timeout=WAIT).close()
secrets, ids = {}, {}
for shape in ("flat", "enveloped"):
    url = "http://127.0.0.1:%d/%s" % (server.server_port, shape)
    endpoint = call("POST", "/webhook-endpoints", {"url": url, "types": ["change.applied"], "shape": shape})
    secrets["/" + shape], ids["/" + shape] = endpoint["secret"], endpoint["id"]

new = {"name": NAME, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": "alpha_ads"}
campaign = call("POST", "/campaigns", new)["id"]
created = newest_change()
by_path = next_messages(3)
[refused, repeated], [enveloped] = by_path["/flat"], by_path["/enveloped"]
assert (refused["status"], repeated["status"]) == (500, 204), by_path
assert refused["headers"]["webhook-id"] == repeated["headers"]["webhook-id"], "a repetition has the same id"
assert refused["body"] == repeated["body"], "a repetition has the same body"
times = [int(one["headers"]["webhook-timestamp"]) for one in (refused, repeated)]
assert times[0] + 5 <= times[1], ("a repetition has a time of its own", times)
names = [json.loads(one["body"])["data"]["campaign"]["name"] for one in (repeated, enveloped)]
assert names == [NAME, NAME], names
platforms = [json.loads(one["body"])["data"]["campaign"]["platform"] for one in (repeated, enveloped)]
assert platforms == ["alpha_ads", "ALPHA"], platforms
messages = [
    message("the first attempt", refused, [secrets["/flat"]], created),
    message("the second attempt", repeated, [secrets["/flat"]], created),
    message("the enveloped shape", enveloped, [secrets["/enveloped"]], created),
]

rotated = call("POST", "/webhook-endpoints/%s/rotate-secret" % ids["/flat"])["secret"]
assert rotated != secrets["/flat"]
call("PATCH", "/campaigns/" + campaign, {"name": "Renamed"})
updated = newest_change()
by_path = next_messages(2)
messages.append(message("after a rotation", by_path["/flat"][0], [rotated, secrets["/flat"]], updated))
MESSAGES.write_text(json.dumps(messages))
print("webhooks: %d messages received, one of them a repetition" % len(messages))
