// The README's first five minutes, as a program of a user who has only installed the package: `five_minutes.js READY`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ApiError, awaitingApproval, Client } from "unified-ads";

const ready: { gateway: string; api_key: string } = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const ads = new Client({ apiKey: ready.api_key, baseUrl: `${ready.gateway}/v1`, shape: "flat", attempts: 3, maxWait: 10 });
const platform = "delta_ads";

function newCampaign(budget_amount: number) {
  return { name: "Spring sale", goal: "TRAFFIC", budget_amount, budget_period: "DAILY", platform } as const;
}

async function refusal(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

// The user approves the consent page.
const { authorize_url } = await ads.get("/connections/{platform}/authorize", { path: { platform } });
await fetch(authorize_url, { method: "POST", body: new URLSearchParams({ decision: "approve" }) });
const found = (await ads.get("/connections")).connections.filter((one) => one.platform === platform);
assert.deepEqual(found.map((one) => one.status), ["ACTIVE"]);

const small = await refusal(ads.post("/campaigns", { body: newCampaign(0.01) }));
assert.equal(small.code, "VALIDATION_ERROR");
assert.match(small.message, /budget_amount/);
await assert.rejects(ads.post("/campaigns", { body: newCampaign(0.1 + 0.2) }), RangeError);
// @ts-expect-error an amount is a number
void (() => ads.post("/campaigns", { body: { ...newCampaign(99), budget_amount: "99.90" } }));

const created = await ads.post("/campaigns", { body: newCampaign(99.9), idempotencyKey: "five-minutes" });
assert.equal(awaitingApproval(created), undefined);
assert("remote_id" in created);
const budget: number | null = created.budget_amount;
assert.equal(budget, 99.9);
const path = { id: created.id };
const listed: string[] = [];
for await (const page of ads.pages("/campaigns", { query: { limit: 100 } })) listed.push(...page.unified.map((one) => one.id));
assert(listed.includes(created.id));
for (const status of ["ACTIVE", "PAUSED"] as const) {
  await ads.patch("/campaigns/{id}", { path, body: { status } });
  const read = await ads.get("/campaigns/{id}", { path });
  assert.equal(read.status, status);
}
await ads.delete("/campaigns/{id}", { path });
assert.equal((await refusal(ads.delete("/campaigns/{id}", { path }))).code, "NOT_FOUND");
console.log("the first five minutes: as expected");
