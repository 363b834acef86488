"""What the scripts share: the sandbox, the person who consents, and how a mismatch is told."""

import os
import sys
from typing import Any, NoReturn
from urllib.parse import parse_qsl, urlsplit

import requests

SANDBOX: str = os.environ["SANDBOX"]
REDIRECT = "http://127.0.0.1:9/callback"

# The one OAuth client that each platform of the sandbox has registered.
CLIENTS: dict[str, tuple[str, str]] = {
    "alpha_ads": ("sandbox-client.apps.googleusercontent.example", "sandbox-secret-alpha"),
    "beta_ads": ("402600000000001", "sandbox-secret-beta"),
    "gamma_ads": ("7300000000000000017", "sandbox-secret-gamma"),
    "epsilon_ads": ("1491555", "sandbox-secret-epsilon"),
}


def _stay_here(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(args[1], tuple) and args[1][0] != "127.0.0.1":
        raise RuntimeError(f"a client library called {args[1][0]} and not the sandbox")


sys.addaudithook(_stay_here)


def check(right: object, wrong: str) -> None:
    """Ends the script with what is wrong."""
    if not right:
        fail(wrong)


def same(what: str, got: object, wanted: object) -> None:
    """Ends the script when the library read something else than was meant."""
    check(got == wanted, f"{what} is {got!r} and has to be {wanted!r}")


def fail(wrong: str) -> NoReturn:
    sys.exit(f"{os.path.basename(sys.argv[0])}: {wrong}")


def approve(address: str) -> tuple[str, dict[str, str]]:
    """Consents at an authorize address, as a person does; gives where it leads, with its parameters."""
    answer = requests.post(address, data={"decision": "approve"}, allow_redirects=False, timeout=10)
    same("the status of the consent", answer.status_code, 302)
    to = answer.headers["location"]
    check(to.startswith(REDIRECT), f"the consent leads to {to}")
    return to, dict(parse_qsl(urlsplit(to).query))


def control(name: str, **body: Any) -> Any:
    """Steers the sandbox."""
    answer = requests.post(f"{SANDBOX}/_sandbox/{name}", json=body, timeout=10)
    check(answer.ok, f"the sandbox refused {name}: {answer.text}")
    return answer.json()
