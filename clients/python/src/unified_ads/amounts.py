"""Amounts of money: `Decimal`, in and out. They are numbers in JSON, and none of them passes through a float."""

import json
from decimal import Decimal
from typing import Any


def _refused(value: float) -> TypeError:
    return TypeError(
        f'{value!r} is a float, which cannot hold every amount: write Decimal("{value!r}") or an int, '
        "and read JSON with unified_ads.read_json"
    )


def as_amount(value: Decimal | int) -> Decimal:
    """A converter: the amount as a `Decimal`. A float is refused, because it holds another number than the one written."""
    if isinstance(value, float):
        raise _refused(value)
    if isinstance(value, bool) or not isinstance(value, Decimal | int):
        raise TypeError(f'{value!r} is no amount: write a Decimal such as Decimal("49.90"), or an int')
    exact = Decimal(value)
    if not exact.is_finite():
        raise ValueError(f"{value} is no amount: it is not finite")
    return exact


def as_amount_or_none(value: Decimal | int | None) -> Decimal | None:
    """A converter: an amount that may be null."""
    return None if value is None else as_amount(value)


def read_json(text: str | bytes) -> Any:
    """Reads JSON whose numbers with decimals are `Decimal`, such as an event for `from_dict` of a model."""
    return json.loads(text, parse_float=Decimal)


def write_json(value: Any) -> str:
    """Writes JSON in which a `Decimal` is a number with the same digits."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(str(name))}:{write_json(of)}" for name, of in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(write_json, value)) + "]"
    if isinstance(value, float):
        raise _refused(value)
    if isinstance(value, Decimal):
        return format(as_amount(value), "f")
    return json.dumps(value)


def with_exact_body(request: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a request, whose body is written with exact amounts, if it has one."""
    if "json" in request:
        request["content"] = write_json(request.pop("json")).encode()
    return request
