"""The deployed stack, requests to its API and to the sandbox, and the assertions of the scripts."""

import http.client
import gzip
import json
import os
import sys

import boto3
from botocore.config import Config

CLOUD = os.environ["CLOUD"]
SANDBOX = os.environ["SANDBOX"]
STACK = "unified-ads"
PREFIX = "unified-ads/prod/"
WEBHOOK_SECRET = os.environ.get("WEBHOOK_SECRET", "whsec_of_the_smoke_test")


def allow_loopback_only(event, arguments):
    if event != "socket.connect" or not isinstance(arguments[1], tuple):
        return
    if arguments[1][0] not in ("127.0.0.1", "::1"):
        raise RuntimeError(f"a script called {arguments[1][0]} instead of this machine")


sys.addaudithook(allow_loopback_only)


def fail(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


def expect_equal(name, actual, expected):
    if actual != expected:
        fail(f"{name}: got {actual!r}, expected {expected!r}")


def aws(service):
    one_attempt = Config(retries={"max_attempts": 1}, read_timeout=120)
    return boto3.client(service, endpoint_url=CLOUD, region_name="us-east-1", config=one_attempt)


def resource(name):
    """The physical id of a resource of the stack."""
    found = aws("cloudformation").describe_stack_resource(StackName=STACK, LogicalResourceId=name)
    return found["StackResourceDetail"]["PhysicalResourceId"]


def invoke(function):
    """Runs a function as its schedule does."""
    run = aws("lambda").invoke(FunctionName=resource(function), Payload=b"{}")
    if run.get("FunctionError"):
        fail(f"{function}: {run['Payload'].read().decode()}")


class Response:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        body = response.read()
        is_packed = response.headers.get("content-encoding") == "gzip"
        self.text = (gzip.decompress(body) if is_packed else body).decode()

    def json(self):
        return json.loads(self.text)


def send(base, method, path, body=None, headers=None):
    """One request; redirects are not followed."""
    host, _, port = base.split("://", 1)[1].partition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    connection.request(method, path, body=body, headers=headers or {})
    return Response(connection.getresponse())


class Api:
    """The deployed API, called by the host name of its stage."""

    # The value of Strict-Transport-Security that every response must have.
    hsts = None

    def __init__(self):
        self.id = resource("Api")
        self.host = f"{self.id}.execute-api.localhost:{CLOUD.rsplit(':', 1)[1]}"
        self.key = None

    def send(self, method, path, body=None, **headers):
        """Sends a request with the customer's key."""
        headers = {"Host": self.host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if self.key:
            headers["X-API-Key"] = self.key
        if body is not None and not isinstance(body, str):
            body = json.dumps(body)
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        return send(CLOUD, method, path, body, headers)

    def request(self, status, method, path, body=None, **headers):
        """Sends a request with the customer's key and expects the status."""
        response = self.send(method, path, body, **headers)
        if response.status != status:
            fail(f"{method} {path}: got {response.status}, expected {status}: {response.text}")
        if self.hsts:
            expect_equal(f"HSTS of {method} {path}", response.headers["strict-transport-security"], self.hsts)
        return response


def sandbox(method, path, body=None, form=None):
    """Sends a request to the sandbox: JSON to a control endpoint, or a form as a browser does."""
    headers = {"Content-Type": "application/x-www-form-urlencoded" if form else "application/json"}
    return send(SANDBOX, method, path, form or (body and json.dumps(body)), headers)


def oauth_clients():
    """The OAuth client of each platform, as the secret `platform-clients` has them."""
    clients = sandbox("GET", "/_sandbox/clients").json()["clients"]
    return {client.pop("platform"): client for client in clients}
