// The hand-written part, without a service.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { ApiError, awaitingApproval, Client, SignatureError, verifyWebhook, type Patience } from "../src/index.js";
import { patience, rateWait, takesKey } from "../src/retry.js";

const MAX_WAIT = patience({}).maxWait;

const BASE = "http://ads.test/v1";
const BODY = { name: "A", goal: "TRAFFIC", budget_amount: 50, budget_period: "DAILY", platform: "alpha_ads" } as const;

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

function failure(status: number, code: string, retryable: boolean, headers: Record<string, string> = {}): Response {
  const body = { error: "No.", code, timestamp: 1, request_id: "r", retryable };
  return answer(status, body, { "x-request-id": "r", ...headers });
}

/** A client that gets these responses in turn, its requests, and its waits. */
function played(...answers: (Response | Error)[]) {
  return playedWith({}, ...answers);
}

function playedWith(settled: Partial<Patience>, ...answers: (Response | Error)[]) {
  const requests: Request[] = [];
  const waits: number[] = [];
  const settings = {
    ...settled,
    apiKey: "uac_test_x",
    baseUrl: BASE,
    shape: "flat",
    fetch: async (url: string | URL | Request, init?: RequestInit) => {
      requests.push(new Request(url, init));
      const next = answers.shift();
      if (next instanceof Response) return next;
      throw next ?? new Error("no answer is left");
    },
    sleep: async (seconds: number) => void waits.push(seconds),
  } as const;
  const keys = () => new Set(requests.map((request) => request.headers.get("idempotency-key")));
  return { client: new Client(settings), requests, waits, keys };
}

const lost = () => new TypeError("fetch failed");

test("a create is sent again under the same key", async () => {
  const { client, requests, keys } = played(lost(), failure(504, "PLATFORM_ERROR", true), answer(201, { id: "a" }));
  assert.deepEqual(await client.post("/campaigns", { body: BODY }), { id: "a" });
  assert.equal(requests.length, 3);
  assert.equal(keys().size, 1);
  assert(!keys().has(null));
  assert.equal(requests[0]?.headers.get("x-api-shape"), "flat");
  assert.equal(requests[0]?.headers.get("x-api-key"), "uac_test_x");
});

test("the key of the caller stays", async () => {
  const { client, keys } = played(answer(201, {}));
  await client.post("/campaigns", { body: BODY, idempotencyKey: "mine" });
  assert.deepEqual([...keys()], ["mine"]);
});

test("a post without a key is not sent again after a lost response", async () => {
  for (const first of [lost(), answer(503, { message: "Service Unavailable" })]) {
    const { client, keys } = played(first);
    await assert.rejects(client.post("/api-keys", { body: { name: "A", scopes: ["read"] } }), (error) => error !== undefined);
    assert.deepEqual([...keys()], [null]);
  }
});

test("Retry-After is obeyed, and a long one is thrown", async () => {
  const short = played(failure(429, "RATE_LIMITED", true, { "retry-after": "7" }), answer(200, {}));
  await short.client.get("/campaigns");
  assert(short.waits.includes(7));
  const long = played(failure(429, "RATE_LIMIT_EXCEEDED", true, { "retry-after": `${MAX_WAIT + 1}` }));
  await assert.rejects(long.client.get("/campaigns"), { code: "RATE_LIMIT_EXCEEDED", retryAfter: MAX_WAIT + 1 });
});

test("it gives up after four attempts, and at once where a retry cannot help", async () => {
  const { client, requests } = played(lost(), lost(), lost(), lost(), answer(200, {}));
  await assert.rejects(client.get("/campaigns"), TypeError);
  assert.equal(requests.length, 4);
  const refused = played(failure(422, "PLATFORM_ERROR", false), answer(201, {}));
  await assert.rejects(refused.client.post("/campaigns", { body: BODY }), ApiError);
  assert.equal(refused.requests.length, 1);
});

test("attempts and waits are those of the client", async () => {
  const two = playedWith({ attempts: 2 }, lost(), lost(), answer(200, {}));
  await assert.rejects(two.client.get("/campaigns"), TypeError);
  assert.equal(two.requests.length, 2);
  const slow = playedWith({ firstWait: 8 }, lost(), answer(200, {}));
  await slow.client.get("/campaigns");
  assert(Math.max(...slow.waits) >= 4 && Math.max(...slow.waits) <= 8, String(slow.waits));
  const hasty = playedWith({ maxWait: 0.5 }, failure(429, "RATE_LIMITED", true, { "retry-after": "1" }));
  await assert.rejects(hasty.client.get("/campaigns"), ApiError);
  assert.throws(() => playedWith({ attempts: 0 }), RangeError);
});

test("a number that is not exact is neither sent nor read", async () => {
  for (const budget_amount of [0.1 + 0.2, 2 ** 53, Number.NaN, Infinity, 1234567890123.4567]) {
    const { client, requests } = played(answer(201, {}));
    await assert.rejects(client.post("/campaigns", { body: { ...BODY, budget_amount } }), /^RangeError: budget_amount is /);
    assert.equal(requests.length, 0);
  }
  for (const [budget_amount, text] of [[49.9, "49.9"], [0.1, "0.1"], [30 / 100, "0.3"], [123456789012.34, "123456789012.34"]] as const) {
    const { client, requests } = played(answer(201, {}));
    await client.post("/campaigns", { body: { ...BODY, budget_amount } });
    assert.match((await requests[0]?.text()) ?? "", new RegExp(`"budget_amount":${text.replace(".", "\\.")},`));
  }
  const body = (amount: string) => new Response(`{"name": "12345678901234567890 \\" 1", "budget_amount": ${amount}}`);
  for (const amount of ["9007199254740993.1", "0.1234567890123456", "9007199254740993", "12345678901234567e1"]) {
    const { client, requests } = played(body(amount));
    await assert.rejects(client.get("/campaigns"), /^RangeError: the answer has the number /);
    assert.equal(requests.length, 1, "it is not sent again");
  }
  for (const amount of ["9007199254740991", "1234567890.12345", "0.000001", "-5e3"]) {
    const { client } = played(body(amount));
    assert.deepEqual(await client.get("/campaigns"), { name: '12345678901234567890 " 1', budget_amount: Number(amount) });
  }
});

test("a change that waits for a person is a result", () => {
  const change = { id: "chg_1", state: "awaiting_approval", approval_url: "https://ads.test/approve" };
  const expected = { changeId: "chg_1", approvalUrl: "https://ads.test/approve", change };
  assert.deepEqual(awaitingApproval(change), expected);
  assert.deepEqual(awaitingApproval({ data: change }), expected);
  for (const other of [{ ...change, state: "scheduled" }, { data: [] }, undefined, null, "x"]) {
    assert.equal(awaitingApproval(other), undefined);
  }
});

test("an error tells its first detail once", () => {
  const details = [{ field: "budget_amount", message: "must be a number." }, { field: "name", message: "No." }];
  const told = (error: string) => new ApiError(400, new Headers(), JSON.stringify({ error, code: "VALIDATION_ERROR", details })).message;
  assert.equal(told("Two fields."), "400 VALIDATION_ERROR: Two fields. budget_amount: must be a number. (request undefined)");
  assert.equal(told("budget_amount must be a number. One more is in details.").split("must be a number").length, 2);
});

test("a used up rate waits for one request", async () => {
  const policy = { "ratelimit-policy": '"rate";q=6;w=6, "quota";q=9;w=9' };
  const usedUp = { ratelimit: '"rate";r=0;t=6, "quota";r=1;t=9', ...policy };
  assert.equal(rateWait(new Headers(usedUp)), 1);
  assert.equal(rateWait(new Headers({ ratelimit: '"rate";r=1;t=5', ...policy })), 0);
  const { client, waits } = played(answer(200, {}, usedUp), answer(200, {}));
  await client.get("/campaigns");
  await client.get("/campaigns");
  assert(Math.max(...waits) > 0.5 && Math.max(...waits) <= 1, String(waits));
});

test("only what takes a key gets one", () => {
  const takes = (method: string, path: string) => takesKey(method, new URL(`${BASE}/campaigns${path}`));
  for (const [method, path] of [["POST", ""], ["PATCH", "/a_1"], ["DELETE", "/a_1"], ["POST", "/status"]] as const) {
    assert(takes(method, path), `${method} ${path}`);
  }
  for (const [method, path] of [["GET", ""], ["POST", "?dry_run=true"], ["GET", "/status/blk_1"]] as const) {
    assert(!takes(method, path), `${method} ${path}`);
  }
});

test("errors of both shapes and of a gateway are read", () => {
  const error = { code: "CONFLICT", reason: "R", message: "No.", retryable: true, requestId: "r", platform: "ALPHA" };
  const nested = new ApiError(409, new Headers({ "x-request-id": "r" }), JSON.stringify({ error }));
  assert.deepEqual([nested.code, nested.reason, nested.platform, nested.requestId], ["CONFLICT", "R", "ALPHA", "r"]);
  assert.equal(nested.message, "409 CONFLICT: No. (request r)");
  const gateway = new ApiError(503, new Headers({ "apigw-requestid": "g" }), "<html>");
  assert.deepEqual([gateway.isOurs, gateway.requestId], [false, "g"]);
});

test("pages are read to the end, also behind an empty one", async () => {
  const page = (next_cursor: string | null) =>
    answer(200, { unified: [], pagination: { next_cursor, has_more: next_cursor !== null } });
  const { client, requests } = played(page("a"), page("b"), page(null));
  let count = 0;
  for await (const { unified } of client.pages("/campaigns", { query: { limit: 1 } })) count += unified.length + 1;
  assert.equal(count, 3);
  const sent = requests.map(({ url }) => new URL(url).search);
  assert.deepEqual(sent, ["?limit=1", "?limit=1&cursor=a", "?limit=1&cursor=b"]);
});

test("a client for a user names it and leaves the other client alone", async () => {
  const page = () => answer(200, { unified: [], pagination: { next_cursor: null, has_more: false } });
  const { client, requests } = played(page(), page(), page());
  for (const one of [client.forUser("shop42"), client.forUser("shop42").forUser("shop43"), client]) await one.get("/campaigns");
  const sent = requests.map((request) => request.headers.get("x-external-ref"));
  assert.deepEqual(sent, ["shop42", "shop43", null]);
});

test("a signature holds for its body, secret and time", async () => {
  const key = Buffer.from("0123456789abcdef01234567");
  const secret = `whsec_${key.toString("base64")}`;
  const body = '{"id":"evt_1"}';
  const signature = createHmac("sha256", key).update(`evt_1.1000.${body}`).digest("base64");
  const headers = new Headers({ "webhook-id": "evt_1", "webhook-timestamp": "1000", "webhook-signature": `v1,AAAA v1,${signature}` });
  await verifyWebhook(secret, headers, body, 1299);
  const other = `whsec_${Buffer.from("other").toString("base64")}`;
  for (const [given, text, now] of [[secret, `${body} `, 1000], [other, body, 1000], [secret, body, 1301]] as const) {
    await assert.rejects(verifyWebhook(given, headers, text, now), SignatureError);
  }
  await assert.rejects(verifyWebhook(secret, new Headers(), body), SignatureError);
});
