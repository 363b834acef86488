// The sign-in through `oauth4webapi`, a strict client of OAuth that knows nothing of agents: `strict.mjs MODULES SIGNED_IN PYTHON`.
// It refuses an answer that differs from the RFCs: a status, a content type, an issuer, a missing member.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const [modules, path, python] = process.argv.slice(2);
const oauth = await import(pathToFileURL(join(modules, "node_modules/oauth4webapi/build/index.js")).href);
const people = JSON.parse(readFileSync(path, "utf8"));
const url = new URL(`${people.service}/v1/mcp`);
const CALLBACK = "http://127.0.0.1:45875/callback";
const VERSION = "2025-06-18";
// The gateway of this machine has no TLS.
const here = { [oauth.allowInsecureRequests]: true };
const public_ = oauth.None();
const run = promisify(execFile);

/** The challenge of a refused call, as the library reads it. */
async function challenge(token, tool, arguments_) {
  try {
    await send(token, tool, arguments_);
  } catch (error) {
    assert.equal(error.code, oauth.WWW_AUTHENTICATE_CHALLENGE, error.stack);
    assert.equal(error.cause.length, 1);
    assert.equal(error.cause[0].scheme, "bearer");
    return { status: error.status, ...error.cause[0].parameters };
  }
  assert.fail(`${tool} is not refused`);
}

/** Calls a tool, and returns what it answers. */
async function send(token, tool, arguments_ = {}) {
  const headers = new Headers({
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": VERSION,
  });
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: arguments_ } };
  const response = await oauth.protectedResourceRequest(token, "POST", url, headers, JSON.stringify(message), here);
  const { result } = await response.json();
  assert(result && !result.isError, JSON.stringify(result));
  return result.structuredContent;
}

/** Finds the service from the challenge of a token that was made up. */
async function discover() {
  const refused = await challenge("uat_live_made_up", "list_accounts");
  assert.equal(refused.status, 401);
  assert.equal(refused.error, "invalid_token");
  const found = await oauth.resourceDiscoveryRequest(url, here);
  assert.equal(found.url, refused.resource_metadata);
  const resource = await oauth.processResourceDiscoveryResponse(url, found);
  assert.equal(resource.resource, url.href);
  const issuer = new URL(resource.authorization_servers[0]);
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...here }));
  assert.equal(as.issuer, people.service);
  for (const [list, value] of [["code_challenge_methods", "S256"], ["grant_types", "refresh_token"], ["response_types", "code"]]) {
    assert(as[`${list}_supported`].includes(value), list);
  }
  return as;
}

async function register(as) {
  const metadata = {
    client_name: "Judge oauth4webapi",
    redirect_uris: [CALLBACK],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  const client = await oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(as, metadata, here));
  assert.deepEqual(client.redirect_uris, [CALLBACK]);
  assert.equal(client.token_endpoint_auth_method, "none");
  return client;
}

/** The person signs in and says what it may do; the code is exchanged. */
async function signIn(as, client, scope, what) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const asked = new URL(as.authorization_endpoint);
  const parameters = {
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    resource: url.href,
  };
  for (const [name, value] of Object.entries(parameters)) asked.searchParams.set(name, value);
  const person = [join(dirname(fileURLToPath(import.meta.url)), "person.py"), asked.href];
  const { stdout } = await run(python, [...person, people.service, people.sandbox, people.email, what], { timeout: 60_000 });
  const answer = new URL(stdout.trim());
  const validated = oauth.validateAuthResponse(as, client, answer, state);
  const sent = { ...here, additionalParameters: { resource: url.href } };
  // A verifier of another flow takes no code, and burns none.
  const other = await oauth.authorizationCodeGrantRequest(as, client, public_, validated, CALLBACK, oauth.generateRandomCodeVerifier(), sent);
  await refusal("invalid_grant", oauth.processAuthorizationCodeResponse(as, client, other));
  const response = await oauth.authorizationCodeGrantRequest(as, client, public_, validated, CALLBACK, verifier, sent);
  assert.equal(response.headers.get("cache-control"), "no-store");
  return oauth.processAuthorizationCodeResponse(as, client, response);
}

/** Waits for an answer of an endpoint that is an error, and compares its code. */
async function refusal(code, answer) {
  const error = await answer.then((got) => assert.fail(`${code} is missing: ${JSON.stringify(got)}`), (error) => error);
  assert.equal(error.error, code, error.stack);
  assert.equal(error.status, 400);
}

async function refresh(as, client, token) {
  return oauth.processRefreshTokenResponse(as, client, await oauth.refreshTokenGrantRequest(as, client, public_, token, here));
}

/** Creates a campaign, which the sandbox has, once and paused. */
async function create(token, name) {
  const [account] = (await send(token, "list_accounts")).accounts;
  const { id: connection_id, currency } = account;
  const draft = { connection_id, name, goal: "TRAFFIC", budget_amount: 25, currency, budget_period: "DAILY" };
  const preview = await send(token, "preview_change", { kind: "create", arguments: draft });
  await send(token, "create_campaign", { ...draft, confirm_token: preview.confirm_token });
  const books = await (await fetch(`${people.sandbox}/_sandbox/campaigns?platform=alpha_ads`)).json();
  assert.deepEqual(books.campaigns.filter((one) => one.name === name).map((one) => one.status), ["PAUSED"]);
}

async function revoke(as, client, token) {
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, public_, token, here));
}

const as = await discover();
const client = await register(as);
const looking = await signIn(as, client, "read offline_access", "look");
assert(looking.expires_in > 0 && looking.scope.split(" ").includes("read"), looking.scope);
assert((await send(looking.access_token, "list_accounts")).accounts.length > 0);
const refused = await challenge(looking.access_token, "pause_campaign", { campaign_id: `cmp_${"0".repeat(32)}` });
assert.equal(refused.status, 403);
assert.equal(refused.error, "insufficient_scope");

const changing = await signIn(as, client, `${refused.scope} offline_access`, "change");
assert(changing.scope.split(" ").includes("campaigns"), changing.scope);
await create(changing.access_token, "Judge oauth4webapi");
const next = await refresh(as, client, changing.refresh_token);
assert.notEqual(next.refresh_token, changing.refresh_token);
assert((await send(next.access_token, "list_accounts")).accounts.length > 0);

await revoke(as, client, "made up");
await revoke(as, client, next.refresh_token);
assert.equal((await challenge(next.access_token, "list_accounts")).status, 401);
await refusal("invalid_grant", refresh(as, client, next.refresh_token));
const { version } = JSON.parse(readFileSync(join(modules, "node_modules/oauth4webapi/package.json"), "utf8"));
console.log(`oauth4webapi ${version}: signs in, changes, steps up, refreshes and revokes`);
