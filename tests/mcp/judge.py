"""The story of an agent through a client of PyPI: `judge.py AGENT`. The installed version of `mcp` decides the era."""

import asyncio
import importlib.metadata
import json
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import mcp
from mcp.client import streamable_http

AGENT = json.loads(Path(sys.argv[1]).read_text())
VERSION = importlib.metadata.version("mcp")
IS_NEW = not VERSION.startswith("1.")
PROTOCOL = "2026-07-28" if IS_NEW else "2025-11-25"
NAME = f"PyPI mcp {VERSION}"
READING = "get_campaign get_change get_delivery get_insights get_limits list_accounts list_campaigns preview_change".split()
WRITING = "create_campaign delete_campaign pause_campaign update_campaign".split()
BEARER = {"Authorization": f"Bearer {AGENT['api_key']}"}


async def connect(stack: AsyncExitStack):
    """A connected client, and the version of the protocol that it speaks."""
    if IS_NEW:
        import httpx2

        http = await stack.enter_async_context(httpx2.AsyncClient(headers=BEARER))
        transport = streamable_http.streamable_http_client(AGENT["url"], http_client=http)
        client = await stack.enter_async_context(mcp.Client(transport))
        return client, client.protocol_version
    streams = await stack.enter_async_context(streamable_http.streamablehttp_client(AGENT["url"], headers=BEARER))
    client = await stack.enter_async_context(mcp.ClientSession(*streams[:2]))
    return client, (await client.initialize()).protocolVersion


def plain(result):
    """A result with the names of the protocol, whichever those of the client are."""
    return result.model_dump(mode="json", by_alias=True)


async def main(stack: AsyncExitStack) -> None:
    client, protocol = await connect(stack)
    assert protocol == PROTOCOL, protocol
    tools = plain(await client.list_tools())["tools"]
    assert sorted(tool["name"] for tool in tools) == sorted(READING + WRITING), tools
    for tool in tools:
        assert tool["inputSchema"]["additionalProperties"] is False, tool
        assert tool["outputSchema"]["type"] == "object", tool
        assert tool["annotations"]["readOnlyHint"] is (tool["name"] in READING), tool

    # The client refuses structured content that does not match the tool's output schema.
    async def done(tool: str, /, **arguments):
        result = plain(await client.call_tool(tool, arguments))
        assert not result["isError"], (tool, result)
        # Some agents see only the text.
        [text] = result["content"]
        assert json.loads(text["text"]) == result["structuredContent"], (tool, result)
        return result["structuredContent"]

    async def refused(word: str, tool: str, /, **arguments):
        result = plain(await client.call_tool(tool, arguments))
        assert result["isError"], (tool, result)
        text = " ".join(one["text"] for one in result["content"])
        assert " " in text and word in text, f"{tool} does not say {word}: {text}"

    accounts = (await done("list_accounts"))["accounts"]
    [account] = [one for one in accounts if one["id"] == AGENT["connection_id"]]
    draft = {
        "connection_id": account["id"],
        "name": NAME,
        "goal": "TRAFFIC",
        "budget_amount": 100,
        "currency": account["currency"],
        "budget_period": "DAILY",
    }
    preview = await done("preview_change", kind="create", arguments=draft)
    token, after = preview["confirm_token"], preview["after"]
    assert preview["before"] is None and isinstance(preview["warnings"], list), preview
    assert (after["name"], after["budget_amount"], after["currency"]) == (NAME, 100, account["currency"]), preview
    forged = token[:-1] + ("B" if token.endswith("A") else "A")
    await refused("preview", "create_campaign", **draft, confirm_token=forged)
    await refused("preview", "create_campaign", **{**draft, "budget_amount": 101}, confirm_token=token)
    for wrong in ({**draft, "budget_amount": "1,00"}, {**draft, "currency": "EUR"}, {**draft, "daily_budget": 100}):
        [field] = [name for name in wrong if wrong[name] != draft.get(name)]
        await refused(field, "preview_change", kind="create", arguments=wrong)
    await refused("daily_budget", "create_campaign", **draft, daily_budget=100, confirm_token=token)

    created = await done("create_campaign", **draft, confirm_token=token)
    again = await done("create_campaign", **draft, confirm_token=token)
    assert again["campaign"] == created["campaign"] and again["is_repeated"], "the same call again"
    campaign = created["campaign"]["id"]
    found = await done("get_campaign", campaign_id=campaign)
    assert (found["name"], found["status"], found["budget_amount"]) == (NAME, "PAUSED", 100), found
    listed = (await done("list_campaigns", connection_id=account["id"]))["campaigns"]
    assert [one["name"] for one in listed].count(NAME) == 1, ("one campaign of two calls", listed)

    activation = {"campaign_id": campaign, "status": "ACTIVE"}
    token = (await done("preview_change", kind="update", arguments=activation))["confirm_token"]
    waiting = await done("update_campaign", **activation, confirm_token=token)
    assert waiting["state"] == "awaiting_approval" and waiting["approval_url"].startswith("http"), waiting
    assert (await done("get_change", change_id=waiting["change_id"]))["state"] == "awaiting_approval"
    await done("pause_campaign", campaign_id=campaign)
    assert (await done("get_campaign", campaign_id=campaign))["status"] == "PAUSED"
    await done("get_limits")
    await done("get_insights", campaign_id=campaign)
    assert (await done("get_delivery", campaign_id=campaign))["delivery"]["state"] == "OFF"

    token = (await done("preview_change", kind="delete", arguments={"campaign_id": campaign}))["confirm_token"]
    await done("delete_campaign", campaign_id=campaign, confirm_token=token)
    await refused("campaign", "pause_campaign", campaign_id="cmp_" + 32 * "0")
    try:
        await client.call_tool("test_simple_text", {})
        raise AssertionError("an unknown tool was called")
    except (mcp.MCPError if IS_NEW else mcp.McpError) as error:
        assert error.error.code == -32602, error


async def run() -> None:
    """Raises a failure after the connection has ended: on its way out it would become a group of groups."""
    failure = None
    async with AsyncExitStack() as stack:
        try:
            await main(stack)
        except Exception as error:
            failure = error
    if failure:
        raise failure


asyncio.run(run())
print(f"{NAME}, {PROTOCOL}: the story is as expected")
