"""A steady load of requests, and the check of the few that may fail while a deployment replaces the functions."""

import contextlib
import itertools
import json
import threading
import time

from smoke import sign
from stack import Api, expect_equal, fail, sandbox

READS = ("/v1/campaigns?limit=5", "/v1/connections", "/v1/billing/status", "/v1/customer/me", "/v1/redirect-uris")
READS += ("/v1/usage-logs?limit=5", "/v1/platforms")
RETRY_TIMEOUT_S = 240


class Load:
    """Four callers. Each sends its next request when the last one has its response."""

    def __init__(self, key, platform, event):
        self.api = Api()
        self.api.key = key
        self.platform, self.event = platform, event
        self.sent, self.failed, self.creates = 0, [], {}
        self.lock, self.ended = threading.Lock(), threading.Event()

    def __enter__(self):
        paths = itertools.cycle(READS)
        numbers = itertools.count(1)
        callers = [
            lambda: self.request("GET", next(paths)),
            lambda: self.request("GET", next(paths)),
            lambda: self.create(f"load-{time.time_ns()}-{next(numbers)}"),
            lambda: self.webhook(),
        ]
        self.gates = [threading.Lock() for _ in callers]
        self.threads = [
            threading.Thread(target=self.repeat, args=pair, daemon=True) for pair in zip(callers, self.gates)
        ]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    @contextlib.contextmanager
    def paused(self):
        """No request is in flight: the emulator ends them with the processes that it restarts, AWS does not."""
        with contextlib.ExitStack() as stack:
            for gate in self.gates:
                stack.enter_context(gate)
            yield

    def repeat(self, call, gate):
        while not self.ended.is_set():
            with gate:
                call()
            time.sleep(0.05)

    def create(self, name):
        body = {"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY"}
        body["platform"] = self.platform
        self.creates[name] = body
        self.request("POST", "/v1/campaigns", body, Idempotency_Key=name)

    def webhook(self):
        self.request("POST", "/v1/billing/webhook", self.event, Stripe_Signature=sign(self.event))

    def request(self, method, path, body=None, **headers):
        begun = time.time()
        try:
            response = self.api.send(method, path, body, **headers)
            failure = None if response.status < 400 else f"{response.status} {response.text}"
        except (OSError, ValueError) as error:
            failure = repr(error)
        with self.lock:
            self.sent += 1
            if failure:
                self.failed.append((begun, time.time(), f"{method} {path}: {failure}"))

    def check_failures(self, moments):
        """Expects that every failed request was in flight when its function was replaced."""
        for begun, ended, failure in self.failed:
            if not any(begun <= until and since <= ended for since, until in moments):
                fail(f"a request failed that was not in flight when a function was replaced: {failure}")

    def settle(self):
        """Repeats every create under its key until it succeeds, and expects one campaign for each."""
        deadline = time.time() + RETRY_TIMEOUT_S
        for name, body in self.creates.items():
            while (response := self.api.send("POST", "/v1/campaigns", body, Idempotency_Key=name)).status != 201:
                if response.status not in (409, 429, 504) or time.time() > deadline:
                    fail(f"the retry of {name}: got {response.status}: {response.text}")
                time.sleep(int(response.headers.get("retry-after", "1")))
        held = json.dumps(sandbox("GET", f"/_sandbox/campaigns?platform={self.platform}").json())
        counts = {name: held.count(json.dumps(name)) for name in self.creates}
        expect_equal("creates without exactly one campaign", {n: c for n, c in counts.items() if c != 1}, {})
