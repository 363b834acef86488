// How a program finds the sign-in and registers, by the clients of npm: `discovery.mjs MODULES AGENT`. A sign-in begins with it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, path] = process.argv.slice(2);
const { url, api_key: key } = JSON.parse(readFileSync(path, "utf8"));
const base = new URL(url).origin;
const REDIRECT = "http://127.0.0.1:33418/";

const require = createRequire(`${modules}/package.json`);
const judges = [
  ["client", require("@modelcontextprotocol/client")],
  ["sdk", require("@modelcontextprotocol/sdk/client/auth.js")],
];

/** The response to a message that is sent with these headers. */
async function refused(headers) {
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: message,
  });
  assert.equal(response.status, 401, await response.clone().text());
  return response;
}

async function discover(name, library) {
  const told = library.extractWWWAuthenticateParams(await refused({}));
  assert.equal(told.resourceMetadataUrl.href, `${base}/.well-known/oauth-protected-resource/v1/mcp`, name);
  assert.deepEqual([told.scope, told.error], ["campaigns", undefined], name);
  const ended = library.extractWWWAuthenticateParams(await refused({ Authorization: "Bearer ended" }));
  assert.deepEqual([ended.error, ended.resourceMetadataUrl.href], ["invalid_token", told.resourceMetadataUrl.href]);
  const mistyped = library.extractWWWAuthenticateParams(await refused({ Authorization: `Bearer ${key}x` }));
  assert.equal(mistyped.resourceMetadataUrl, undefined, `${name} begins a sign-in for a wrong API key`);

  // By the challenge, by the well-known place, and at the place without the path.
  const places = [told.resourceMetadataUrl, undefined, new URL(`${base}/.well-known/oauth-protected-resource`)];
  for (const resourceMetadataUrl of places) {
    const resource = await library.discoverOAuthProtectedResourceMetadata(url, { resourceMetadataUrl });
    assert.deepEqual([resource.resource, resource.authorization_servers], [url, [base]], name);
    const selected = await library.selectResourceURL(url, {}, resource);
    assert.equal(selected.href, url, name);
  }
  const metadata = await library.discoverAuthorizationServerMetadata(base);
  assert.deepEqual([metadata.issuer, metadata.client_id_metadata_document_supported], [base, true], name);

  const clientMetadata = { client_name: "Judge", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" };
  const clientInformation = await library.registerClient(base, { metadata, clientMetadata });
  assert.equal(clientInformation.client_secret, undefined, name);
  assert.deepEqual(clientInformation.redirect_uris.map(String), [REDIRECT], name);
  const refusal = library.registerClient(base, { metadata, clientMetadata: { ...clientMetadata, redirect_uris: [] } });
  await assert.rejects(refusal, /redirect/, name);

  const { authorizationUrl } = await library.startAuthorization(base, {
    metadata,
    clientInformation,
    redirectUrl: REDIRECT,
    scope: told.scope,
    resource: new URL(url),
  });
  const begun = authorizationUrl.searchParams;
  assert.equal(authorizationUrl.href.split("?")[0], `${base}/dashboard/connect`, name);
  assert.deepEqual([begun.get("code_challenge_method"), begun.get("resource")], ["S256", url], name);
  console.log(`npm ${name}: finds the sign-in and registers`);
}

for (const [name, library] of judges) await discover(name, library);
