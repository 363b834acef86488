"""The sandbox, its OAuth clients and its consent page, and the assertions of the scripts."""

import os
import sys
from typing import Any, NoReturn
from urllib.parse import parse_qsl, urlsplit

import requests

SANDBOX: str = os.environ["SANDBOX"]
REDIRECT = "http://127.0.0.1:9/callback"

# The OAuth client that each platform of the sandbox registers.
CLIENTS: dict[str, tuple[str, str]] = {
    "alpha_ads": ("sandbox-client.apps.googleusercontent.example", "sandbox-secret-alpha"),
    "beta_ads": ("402600000000001", "sandbox-secret-beta"),
    "gamma_ads": ("7300000000000000017", "sandbox-secret-gamma"),
    "epsilon_ads": ("1491555", "sandbox-secret-epsilon"),
}


def _allow_loopback_only(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(args[1], tuple) and args[1][0] != "127.0.0.1":
        raise RuntimeError(f"a client library called {args[1][0]} instead of the sandbox")


sys.addaudithook(_allow_loopback_only)


def expect(condition: object, message: str) -> None:
    """Ends the script with the message unless the condition holds."""
    if not condition:
        fail(message)


def expect_equal(name: str, actual: object, expected: object) -> None:
    """Ends the script when the library read another value."""
    expect(actual == expected, f"{name}: got {actual!r}, expected {expected!r}")


def fail(message: str) -> NoReturn:
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


def approve(address: str) -> tuple[str, dict[str, str]]:
    """Approves on the consent page; returns the redirect and its query parameters."""
    response = requests.post(address, data={"decision": "approve"}, allow_redirects=False, timeout=10)
    expect_equal("the status of the consent", response.status_code, 302)
    location = response.headers["location"]
    expect(location.startswith(REDIRECT), f"the consent redirects to {location}")
    return location, dict(parse_qsl(urlsplit(location).query))


def control(name: str, **body: Any) -> Any:
    """Calls a control endpoint of the sandbox."""
    response = requests.post(f"{SANDBOX}/_sandbox/{name}", json=body, timeout=10)
    expect(response.ok, f"the sandbox refused {name}: {response.text}")
    return response.json()
