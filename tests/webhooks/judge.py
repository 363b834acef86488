"""Judges the messages with the libraries of PyPI: `judge.py MESSAGES`."""

import base64
import json
import sys
from datetime import datetime, timedelta
from pathlib import Path
from unittest import mock

import standardwebhooks.webhooks
import svix.webhooks

LIBRARIES = {"standardwebhooks": standardwebhooks.webhooks, "svix": svix.webhooks}
OTHER = "whsec_" + base64.b64encode(bytes(32)).decode()


def is_accepted(library, body, headers, secret, later=0):
    """Whether the library accepts a message, at a time in the future."""

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(seconds=later)

    try:
        # The library of Svix calls the other one, so both have this clock.
        with mock.patch.object(standardwebhooks.webhooks, "datetime", Later):
            library.Webhook(secret).verify(body, headers)
    except library.WebhookVerificationError:
        return False
    return True


for name, library in LIBRARIES.items():
    for message in json.loads(Path(sys.argv[1]).read_text()):
        body, headers = message["body"].encode(), message["headers"]
        timestamp = int(headers["webhook-timestamp"])
        for secret in message["secrets"]:
            refused = {
                "an altered body": (body.replace(b"change.applied", b"change.applieD"), headers, secret),
                "a longer body": (body + b" ", headers, secret),
                "an altered id": (body, {**headers, "webhook-id": "evt_" + 32 * "0"}, secret),
                "an altered timestamp": (body, {**headers, "webhook-timestamp": str(timestamp + 1)}, secret),
                "another secret": (body, headers, OTHER),
                "an old message": (body, headers, secret, 301),
            }
            assert is_accepted(library, body, headers, secret), "%s refuses %s" % (name, message["name"])
            for what, case in refused.items():
                assert not is_accepted(library, *case), "%s accepts %s of %s" % (name, what, message["name"])
    print("PyPI %s: accepts our messages and refuses what was altered" % name)
