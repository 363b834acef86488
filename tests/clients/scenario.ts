// The README's first five minutes, through the TypeScript client of openapi-generator: `scenario.js READY`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  CampaignsApi,
  Configuration,
  ConnectionsApi,
  ResponseError,
  type CampaignCreate,
  type ErrorAnswer,
  type FlatCampaign,
} from "./typescript-fetch/index.js";

const ready: { gateway: string; api_key: string } = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const configuration = new Configuration({ basePath: ready.gateway, apiKey: ready.api_key });
const connections = new ConnectionsApi(configuration);
const campaigns = new CampaignsApi(configuration);
const platform = "beta_ads";

function newCampaign(budgetAmount: number): CampaignCreate {
  return { name: "Spring sale", goal: "TRAFFIC", budgetAmount, budgetPeriod: "DAILY", platform };
}

/** The code of the error that a call ends in. */
async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const answer: ErrorAnswer = await error.response.json();
    return "code" in answer ? answer.code : answer.error.code;
  }
  throw new Error("the call succeeded");
}

async function read(id: string): Promise<FlatCampaign> {
  return (await campaigns.getCampaign({ id })) as FlatCampaign;
}

// The user approves the consent page.
const { authorizeUrl } = await connections.authorize({ platform });
await fetch(authorizeUrl, { method: "POST", body: new URLSearchParams({ decision: "approve" }) });
const found = (await connections.listConnections()).connections.filter((one) => one.platform === platform);
assert.deepEqual(found.map((one) => one.status), ["ACTIVE"]);

assert.equal(await codeOf(campaigns.createCampaign({ campaignCreate: newCampaign(0.01) })), "VALIDATION_ERROR");

const created = await campaigns.createCampaign({ campaignCreate: newCampaign(50), idempotencyKey: "typescript-scenario" });
assert("id" in created);
const { id } = created;
const { unified } = await campaigns.listCampaigns({ limit: 100 });
assert(unified.some((one) => one.id === id));
assert.equal((await read(id)).status, "PAUSED");

for (const status of ["ACTIVE", "PAUSED"] as const) {
  await campaigns.updateCampaign({ id, campaignUpdate: { status } });
  assert.equal((await read(id)).status, status);
}
const why = await campaigns.getDelivery({ id });
assert("delivery" in why && why.delivery.state === "OFF", JSON.stringify(why));

await campaigns.deleteCampaign({ id });
assert.equal(await codeOf(campaigns.deleteCampaign({ id })), "NOT_FOUND");
console.log("the first five minutes: as expected");
