// Creates in several ad accounts.

import { awaitingApproval, type AwaitingApproval } from "./approval.js";
import { ApiError } from "./errors.js";
import type { components } from "./generated/enveloped.js";
import type { Client } from "./index.js";

export type MultiTargetCreate = components["schemas"]["MultiTargetCreate"];
export type TargetVerdict = components["schemas"]["TargetVerdict"];

/**
 * Creates the campaign in each target, and returns the result of each in the order of `targets`: `created` with
 * `campaign`, `failed` or `unknown` with `error`, also where none was created. The same call with the same key creates only
 * what is missing. An error before anything was sent is thrown.
 */
export async function createInTargets(
  client: Client<"enveloped">,
  body: MultiTargetCreate,
  options: { idempotencyKey?: string } = {},
): Promise<TargetVerdict[] | AwaitingApproval> {
  try {
    const answer = await client.post("/campaigns", { body, ...options });
    if ("summary" in answer) return answer.data;
    const waiting = awaitingApproval(answer);
    if (waiting) return waiting;
    throw new Error(`the answer has no results: ${JSON.stringify(answer)}`);
  } catch (error) {
    if (error instanceof ApiError && error.results.length > 0) return error.results as TargetVerdict[];
    throw error;
  }
}
