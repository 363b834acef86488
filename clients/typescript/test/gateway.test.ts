// The client against a running service and its sandbox: `UNIFIED_ADS_READY=ready.json npm test`, with what
// `cargo local --json` prints. Without it, the tests are skipped.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { ApiError, awaitingApproval, Client, createInTargets, type AwaitingApproval, type TargetVerdict } from "../src/index.js";
import { takesKey } from "../src/retry.js";

const file = process.env["UNIFIED_ADS_READY"];
// Google Ads refuses a second campaign of a name.
const RUN = Math.floor(Date.now() / 1000);
const GOOGLE = { platform: "ALPHA", organization_id: "1002003001" } as const;
const META = { platform: "BETA", organization_id: "1203004005006001" } as const;

function draft(name: string, budget_amount = 50) {
  return { name: `${name} ${RUN}`, goal: "TRAFFIC", budget_amount, budget_period: "DAILY", platform: "alpha_ads" } as const;
}

function all(results: TargetVerdict[] | AwaitingApproval): TargetVerdict[] {
  assert(Array.isArray(results), "it waits for a person");
  return results;
}

describe("against the service", { skip: file === undefined && "no service is running" }, () => {
  const ready: { gateway: string; sandbox: string; api_key: string } = JSON.parse(file ? readFileSync(file, "utf8") : "{}");
  const settings = { apiKey: ready.api_key, baseUrl: `${ready.gateway}/v1` };
  const flat = new Client({ ...settings, shape: "flat" });
  const enveloped = new Client({ ...settings, shape: "enveloped" });

  async function fault(platform: string, name: string, more: object = {}) {
    const body = JSON.stringify({ platform, operation: "create", fault: name, times: 1, ...more });
    const headers = { "Content-Type": "application/json" };
    assert((await fetch(`${ready.sandbox}/_sandbox/faults`, { method: "POST", headers, body })).ok);
  }

  async function named(name: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const page of flat.pages("/campaigns", { query: { limit: 1 } })) {
      ids.push(...page.unified.filter((one) => one.name === `${name} ${RUN}`).map((one) => one.id));
    }
    return ids;
  }

  before(async () => {
    const { connections } = await flat.get("/connections");
    for (const platform of ["alpha_ads", "beta_ads"] as const) {
      if (connections.some((one) => one.platform === platform && one.status === "ACTIVE")) continue;
      const { authorize_url } = await flat.get("/connections/{platform}/authorize", { path: { platform } });
      await fetch(authorize_url, { method: "POST", body: new URLSearchParams({ decision: "approve" }) });
    }
  });

  test("a campaign lives and is removed", async () => {
    const created = await flat.post("/campaigns", { body: draft("TypeScript lives") });
    assert("status" in created && created.status === "PAUSED");
    const path = { id: created.id };
    const changed = await flat.patch("/campaigns/{id}", { path, body: { status: "ACTIVE" } });
    assert("status" in changed && changed.status === "ACTIVE");
    const why = await flat.get("/campaigns/{id}/delivery", { path });
    assert("delivery" in why && why.delivery.state === "BLOCKED", "it has no ads");
    assert.deepEqual(await named("TypeScript lives"), [created.id]);
    assert.equal(await flat.delete("/campaigns/{id}", { path }), undefined);
    const refused = flat.patch("/campaigns/{id}", { path, body: { status: "ACTIVE" } });
    await assert.rejects(refused, (error) => {
      assert(error instanceof ApiError && error.code && ["CONFLICT", "NOT_FOUND"].includes(error.code));
      assert.match(error.requestId ?? "", /^[0-9a-f-]{36}$/);
      return true;
    });
  });

  test("a create whose response is lost buys once", async () => {
    await fault("alpha_ads", "drop_after");
    const created = await flat.post("/campaigns", { body: draft("TypeScript lost") });
    assert("id" in created);
    assert.deepEqual(await named("TypeScript lost"), [created.id]);
  });

  test("an error has code and fields", async () => {
    const refused = flat.post("/campaigns", { body: draft("TypeScript small", 0.01) });
    await assert.rejects(refused, (error) => {
      assert(error instanceof ApiError);
      assert.deepEqual([error.status, error.code, error.retryable], [400, "VALIDATION_ERROR", false]);
      assert.deepEqual(error.details.map(({ field }) => field), ["budget_amount"]);
      assert(error.message.includes(error.details[0]?.message.replace(/\.$/, "") ?? "-"), error.message);
      return true;
    });
  });

  test("an amount goes to the platform and back as it is", async () => {
    const created = await flat.post("/campaigns", { body: draft("TypeScript exact", 49.9) });
    assert("id" in created && "budget_amount" in created && created.budget_amount === 49.9);
    const body = { budget_amount: 1234567890.01 };
    const changed = await flat.patch("/campaigns/{id}", { path: { id: created.id }, body });
    assert("budget_amount" in changed && changed.budget_amount === 1234567890.01);
  });

  test("a change that waits for a person is a result", async () => {
    const { connections } = await flat.get("/connections");
    const google = connections.find((one) => one.platform === "alpha_ads" && one.status === "ACTIVE");
    assert(google);
    const spending_limit = {
      connections: [google.id],
      amounts: [{ currency: "USD", daily: 500 }],
      approval: { amounts: [{ currency: "USD", amount: 50.5 }] },
    };
    const key = await flat.post("/api-keys", { body: { name: `Asks ${RUN}`, scopes: ["campaigns"], spending_limit } });
    const agent = new Client({ ...settings, apiKey: key.api_key, shape: "flat" });
    const waiting = awaitingApproval(await agent.post("/campaigns", { body: draft("TypeScript asks", 51) }));
    assert.match(waiting?.changeId ?? "", /^chg_/);
    assert.deepEqual(await named("TypeScript asks"), [], "nothing was sent");
    assert.equal(awaitingApproval(await agent.post("/campaigns", { body: draft("TypeScript small", 50) })), undefined);
  });

  test("each target has its result", async () => {
    const body = { name: `TypeScript both ${RUN}`, goal: "WEBSITE_TRAFFIC", budget_amount: 50, budget_period: "DAILY" } as const;
    await fault("beta_ads", "front", { status: 400 });
    const results = all(await createInTargets(enveloped, { ...body, targets: [GOOGLE, META] }));
    assert.deepEqual(results.map(({ status }) => status), ["created", "failed"]);
    assert.equal(results[0]?.campaign?.name, body.name);
    assert.equal(results[1]?.error?.code, "PLATFORM_ERROR");
    await fault("beta_ads", "front", { status: 400 });
    const none = all(await createInTargets(enveloped, { ...body, targets: [META] }));
    assert.deepEqual(none.map(({ status }) => status), ["failed"]);
  });

  test("the keyed endpoints are those of the document", async () => {
    const document = await (await fetch(`${ready.gateway}/v1/openapi.json`)).json();
    for (const [path, item] of Object.entries<Record<string, { parameters?: { $ref?: string }[] }>>(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const takes = operation.parameters?.some(({ $ref }) => $ref === "#/components/parameters/IdempotencyKey") ?? false;
        const url = new URL(`${ready.gateway}/v1${path.replace(/{.+?}/g, "a_1")}`);
        assert.equal(takesKey(method.toUpperCase(), url), takes, `${method} ${path}`);
      }
    }
  });
});
