// The story of an agent through the clients of npm: `judge.mjs MODULES AGENT`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, path] = process.argv.slice(2);
const agent = JSON.parse(readFileSync(path, "utf8"));
const NEW = "2026-07-28";
const READING =
  "get_campaign get_change get_delivery get_insights get_limits list_accounts list_campaigns preview_change".split(" ");
const WRITING = "create_campaign delete_campaign pause_campaign update_campaign".split(" ");
const ME = { name: "unified-ads-judge", version: "1.0.0" };
const KEY = { requestInit: { headers: { "X-API-Key": agent.api_key } } };
const BEARER = { requestInit: { headers: { Authorization: `Bearer ${agent.api_key}` } } };

const require = createRequire(`${modules}/package.json`);
const latest = require("@modelcontextprotocol/client");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
const earlier = { Client, StreamableHTTPClientTransport };

const judges = [
  ["client", latest, { versionNegotiation: { mode: "auto" } }, KEY, NEW],
  ["client", latest, { supportedProtocolVersions: ["2025-06-18"] }, BEARER, "2025-06-18"],
  ["sdk", earlier, {}, KEY, "2025-11-25"],
];

async function tell(name, client, version) {
  // A client refuses structured content that does not match the output schema of its tool; the sdk also that of errors.
  const call = (tool, args = {}) => client.callTool({ name: tool, arguments: args });
  const done = async (tool, args) => {
    const result = await call(tool, args);
    assert(!result.isError, `${tool}: ${JSON.stringify(result)}`);
    // Some agents see only the text.
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, tool);
    return result.structuredContent;
  };
  const refused = async (tool, args, word) => {
    const result = await call(tool, args);
    assert.equal(result.isError, true, `${tool}: ${JSON.stringify(result)}`);
    const text = result.content.map((one) => one.text).join(" ");
    assert(text.includes(" ") && text.includes(word), `${tool} does not say ${word}: ${text}`);
    return result.structuredContent;
  };

  const service = client.getServerVersion();
  assert(service.name && service.version, JSON.stringify(service));
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), [...READING, ...WRITING].sort());
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    assert(description.length > 20, `${name} has no description`);
    assert.equal(inputSchema.additionalProperties, false, `${name} takes unknown arguments`);
    assert.equal(outputSchema.type, "object", `${name} has no output schema`);
    assert.equal(annotations.readOnlyHint, READING.includes(name), `${name}: readOnlyHint`);
    if (name === "delete_campaign") assert.equal(annotations.destructiveHint, true, name);
  }

  const { accounts } = await done("list_accounts");
  const account = accounts.find((one) => one.id === agent.connection_id);
  assert(account, JSON.stringify(accounts));
  const draft = {
    connection_id: account.id,
    name,
    goal: "TRAFFIC",
    budget_amount: 100,
    currency: account.currency,
    budget_period: "DAILY",
  };
  const preview = await done("preview_change", { kind: "create", arguments: draft });
  assert.equal(preview.before, null);
  const { after } = preview;
  assert.deepEqual([after.budget_amount, after.currency, after.name], [100, account.currency, name]);
  assert(Array.isArray(preview.warnings), "warnings");
  const confirmed = { ...draft, confirm_token: preview.confirm_token };
  const forged = preview.confirm_token.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  await refused("create_campaign", { ...draft, confirm_token: forged }, "preview");
  await refused("create_campaign", { ...confirmed, budget_amount: 101 }, "preview");
  for (const wrong of [{ budget_amount: "1,00" }, { currency: "EUR" }, { daily_budget: 100 }]) {
    await refused("preview_change", { kind: "create", arguments: { ...draft, ...wrong } }, Object.keys(wrong)[0]);
  }
  await refused("create_campaign", { ...confirmed, daily_budget: 100 }, "daily_budget");

  const created = await done("create_campaign", confirmed);
  const again = await done("create_campaign", confirmed);
  assert.deepEqual(again.campaign, created.campaign, "the same call again");
  assert.equal(again.is_repeated, true, again.message);
  const campaign_id = created.campaign.id;
  const found = await done("get_campaign", { campaign_id });
  assert.deepEqual([found.name, found.status, found.budget_amount], [name, "PAUSED", 100]);
  const { campaigns } = await done("list_campaigns", { connection_id: account.id });
  assert.equal(campaigns.filter((one) => one.name === name).length, 1, "one campaign of two calls");

  const activation = { campaign_id, status: "ACTIVE" };
  const { confirm_token } = await done("preview_change", { kind: "update", arguments: activation });
  const waiting = await done("update_campaign", { ...activation, confirm_token });
  assert.equal(waiting.state, "awaiting_approval");
  assert(waiting.approval_url.startsWith("http"), waiting.approval_url);
  assert.equal((await done("get_change", { change_id: waiting.change_id })).state, "awaiting_approval");
  await done("pause_campaign", { campaign_id });
  assert.equal((await done("get_campaign", { campaign_id })).status, "PAUSED");
  await done("get_limits");
  await done("get_insights", { campaign_id });
  assert.equal((await done("get_delivery", { campaign_id })).delivery.state, "OFF");

  const removal = await done("preview_change", { kind: "delete", arguments: { campaign_id } });
  await done("delete_campaign", { campaign_id, confirm_token: removal.confirm_token });
  await refused("pause_campaign", { campaign_id: `cmp_${"0".repeat(32)}` }, "campaign");
  await assert.rejects(call("test_simple_text"), { code: -32602 });
}

for (const [name, library, options, headers, version] of judges) {
  const client = new library.Client(ME, options);
  const transport = new library.StreamableHTTPClientTransport(new URL(agent.url), headers);
  await client.connect(transport);
  const negotiated = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion;
  assert.equal(negotiated, version);
  await tell(`npm ${name} ${version}`, client, version);
  await client.close();
  console.log(`npm ${name}, ${version}: the story is as expected`);
}
