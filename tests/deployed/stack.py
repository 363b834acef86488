"""What the scripts share: the deployed stack, requests to its API, and how a mismatch is told."""

import http.client
import json
import os
import sys

import boto3
from botocore.config import Config

CLOUD = os.environ["CLOUD"]
SANDBOX = os.environ["SANDBOX"]
STACK = "unified-ads"
PREFIX = "unified-ads/prod/"
WEBHOOK_SECRET = "whsec_of_the_smoke_story"

# The one OAuth client that each platform of the sandbox has registered, and its payment provider.
CLIENTS = {
    "alpha_ads": ("sandbox-client.apps.googleusercontent.example", "sandbox-secret-alpha"),
    "beta_ads": ("402600000000001", "sandbox-secret-beta"),
    "gamma_ads": ("7300000000000000017", "sandbox-secret-gamma"),
    "delta_ads": ("78sandboxdelta", "sandbox-secret-delta"),
    "epsilon_ads": ("1491555", "sandbox-secret-epsilon"),
    "zeta_ads": ("Zt4sAnDb0xCl1entId00aQ", "sandbox-secret-zeta"),
}


def stay_here(event, arguments):
    is_far = event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][0] not in ("127.0.0.1", "::1")
    if is_far:
        raise RuntimeError(f"something called {arguments[1][0]} and not this machine")


sys.addaudithook(stay_here)


def fail(wrong):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {wrong}")


def same(what, got, wanted):
    if got != wanted:
        fail(f"{what} is {got!r} and has to be {wanted!r}")


def aws(service):
    once = Config(retries={"max_attempts": 1}, read_timeout=120)
    return boto3.client(service, endpoint_url=CLOUD, region_name="us-east-1", config=once)


def resource(name):
    """The physical id of a resource of the stack."""
    found = aws("cloudformation").describe_stack_resource(StackName=STACK, LogicalResourceId=name)
    return found["StackResourceDetail"]["PhysicalResourceId"]


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.text = response.read().decode()

    def json(self):
        return json.loads(self.text)


def send(base, method, path, body=None, headers=None):
    """One request; redirects are not followed."""
    host, _, port = base.split("://", 1)[1].partition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    connection.request(method, path, body=body, headers=headers or {})
    return Answer(connection.getresponse())


class Api:
    """The deployed API, as its domain leads to it."""

    def __init__(self):
        self.id = resource("Api")
        self.host = f"{self.id}.execute-api.localhost:{CLOUD.rsplit(':', 1)[1]}"
        self.key = None

    def ask(self, status, method, path, body=None, **headers):
        """A request with the customer's key that has to be answered with a status."""
        headers = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if self.key:
            headers["X-API-Key"] = self.key
        if body is not None and not isinstance(body, str):
            body = json.dumps(body)
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        answer = send(CLOUD, method, path, body, headers)
        if answer.status != status:
            fail(f"{method} {path} is answered {answer.status} and has to be {status}: {answer.text}")
        return answer


def sandbox(method, path, body=None, form=None):
    """A request to the sandbox, as its control or as a browser."""
    headers = {"Content-Type": "application/x-www-form-urlencoded" if form else "application/json"}
    return send(SANDBOX, method, path, form or (body and json.dumps(body)), headers)
