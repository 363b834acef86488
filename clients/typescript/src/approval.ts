// Changes that wait for a person.

import type { components as Enveloped } from "./generated/enveloped.js";
import type { components as Flat } from "./generated/flat.js";

type Change = Flat["schemas"]["FlatChange"] | Enveloped["schemas"]["EnvelopedChange"];

/**
 * The service has taken the request, and asks a person before it sends anything to a platform. Poll the change, or wait for
 * its event: the same request under another key would ask a second time.
 */
export interface AwaitingApproval {
  changeId: string;
  /** The page on which a person approves or rejects it. */
  approvalUrl: string | null;
  change: Change;
}

/** The change of an answer, if it waits for a person. */
export function awaitingApproval(answer: unknown): AwaitingApproval | undefined {
  const inner = hasField(answer, "data") ? answer.data : answer;
  if (!hasField(inner, "state") || inner.state !== "awaiting_approval") return undefined;
  const change = inner as unknown as Change;
  return { changeId: change.id, approvalUrl: change.approval_url, change };
}

function hasField<N extends string>(value: unknown, name: N): value is Record<N, unknown> {
  return typeof value === "object" && value !== null && name in value;
}
