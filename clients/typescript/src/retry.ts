// What a request does on its way: an `Idempotency-Key`, the rate limit, and retries.

import { ApiError } from "./errors.js";

/** How often and how long a request is tried, in seconds. */
export interface Patience {
  /** How often it is sent at most: 4, and with 1 never again. */
  attempts: number;
  /** About how long the first wait is: 1. Each next one is twice as long. */
  firstWait: number;
  /** The longest wait: 30. An error whose `Retry-After` is longer, such as a used up quota, is thrown at once. */
  maxWait: number;
}

/** The settings, with what is left out. */
export function patience({ attempts = 4, firstWait = 1, maxWait = 30 }: Partial<Patience>): Patience {
  if (!(attempts >= 1 && firstWait >= 0 && maxWait >= 0)) {
    throw new RangeError("at least one attempt, and no wait below 0 seconds");
  }
  return { attempts, firstWait, maxWait };
}

/** Requests that take an `Idempotency-Key`, and so take effect once, however often they are sent. */
const KEYED =
  /^(POST .*\/campaigns|POST .*\/campaigns\/(status|budgets)|POST .*\/changes\/[^/]+\/undo|(PATCH|DELETE) .*\/campaigns\/[^/]+|POST .*\/billing\/(portal|create-checkout-session))$/;

/** Whether the endpoint takes an `Idempotency-Key`. A dry run takes none. */
export function takesKey(method: string, url: URL): boolean {
  return url.searchParams.get("dry_run") !== "true" && KEYED.test(`${method} ${url.pathname}`);
}

/** The seconds before the next attempt; undefined if there is none: it could do something twice, or would not help. */
export function waitAfter(isSafe: boolean, error: unknown, attempt: number, patience: Patience): number | undefined {
  // What `fetch` throws if there is no response, or none in time.
  const isLost = error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
  let mayHelp = isSafe && isLost;
  if (error instanceof ApiError) {
    const byGateway = !error.isOurs && (error.status === 429 || (error.status >= 500 && isSafe));
    mayHelp = error.isOurs ? error.retryable : byGateway;
  }
  if (!mayHelp || attempt >= patience.attempts) return undefined;
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  const wait = asked ?? (0.5 + Math.random() / 2) * patience.firstWait * 2 ** (attempt - 1);
  return wait <= patience.maxWait ? wait : undefined;
}

/** The seconds until the rate limit lets one more request in, by `RateLimit` and `RateLimit-Policy`. */
export function rateWait(headers: Headers): number {
  const left = /"rate";r=(\d+)/.exec(headers.get("ratelimit") ?? "");
  const policy = /"rate";q=(\d+);w=(\d+)/.exec(headers.get("ratelimit-policy") ?? "");
  if (!left || !policy || Number(left[1]) > 0) return 0;
  return Number(policy[2]) / Math.max(Number(policy[1]), 1);
}
