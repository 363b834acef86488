"""A client library for accessing Unified Ads, enveloped"""

from .client import AuthenticatedClient, Client

__all__ = (
    "AuthenticatedClient",
    "Client",
)
