"""What schemathesis must know beside the document: `run` names this file in the configuration."""

from typing import Any

import schemathesis

HEADER, PARAMETER = "X-External-Ref", "external_ref"


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """Names the user of a request once.

    The service refuses two different users, which no schema can say. schemathesis judges a case by what this leaves of it.
    """
    if HEADER in (case.headers or {}) and PARAMETER in (case.query or {}):
        del case.query[PARAMETER]
