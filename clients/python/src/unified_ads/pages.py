"""Lists that continue on further pages."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


def pages(kind: type[T], read: Callable[..., object], **arguments: Any) -> Iterator[T]:
    """Reads pages until the last: `pages(FlatCampaignList, list_campaigns.sync, client=client, limit=100)`.

    A page may be short or empty and still have a next one. `errors` of a page are the connections that could not be read.
    """
    while True:
        page = read(**arguments)
        if not isinstance(page, kind):
            raise TypeError(f"the answer is no {kind.__name__}: {page!r}")
        yield page
        # The insights of the enveloped shape are inside of `data`.
        content: Any = getattr(page, "data", page)
        if not content.pagination.has_more:
            return
        arguments["cursor"] = content.pagination.next_cursor
