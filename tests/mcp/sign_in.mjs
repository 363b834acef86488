// Assistants that sign in through the clients of npm: `sign_in.mjs MODULES SIGNED_IN PYTHON`.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const [modules, path, python] = process.argv.slice(2);
const people = JSON.parse(readFileSync(path, "utf8"));
const url = new URL(`${people.service}/v1/mcp`);
const CALLBACK = "http://127.0.0.1:45872/callback";
// Its document is known here, so that no machine of another company is asked.
const CLAUDE_CODE = "https://claude.ai/oauth/claude-code-client-metadata";
const ME = { name: "unified-ads-judge", version: "1.0.0" };
const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));

const require = createRequire(`${modules}/package.json`);
const latest = require("@modelcontextprotocol/client");
const earlier = {
  Client: require("@modelcontextprotocol/sdk/client/index.js").Client,
  StreamableHTTPClientTransport: require("@modelcontextprotocol/sdk/client/streamableHttp.js").StreamableHTTPClientTransport,
};

/** What a host keeps, and the person whom it sends to the address. */
class Host {
  constructor(what, document) {
    this.what = what;
    this.clientMetadataUrl = document;
    this.asked = [];
  }
  get redirectUrl() {
    return CALLBACK;
  }
  get clientMetadata() {
    return {
      client_name: "Judge",
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }
  state() {
    return "s&code=forged";
  }
  clientInformation() {
    return this.client;
  }
  saveClientInformation(client) {
    this.client = client;
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens) {
    this.saved = tokens;
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  async redirectToAuthorization(address) {
    this.asked.push(address);
    const arguments_ = [join(here, "person.py"), address.href, people.service, people.sandbox, people.email, this.what];
    const { stdout } = await run(python, arguments_, { timeout: 60_000 });
    this.answer = new URL(stdout.trim());
  }
}

/** Connects; where the server wants a sign-in, the person signs in, and the host connects once more. */
async function connect(library, host) {
  for (;;) {
    const client = new library.Client(ME);
    const transport = new library.StreamableHTTPClientTransport(url, { authProvider: host });
    try {
      await client.connect(transport);
      return client;
    } catch (error) {
      if (!host.answer) throw error;
      const answer = host.answer.searchParams;
      host.answer = undefined;
      assert.equal(answer.get("state"), "s&code=forged");
      assert.equal(answer.getAll("code").length, 1);
      assert.equal(answer.get("iss"), people.service);
      await transport.finishAuth(library === latest ? answer : answer.get("code"));
    }
  }
}

async function tools(client) {
  return (await client.listTools()).tools.map((tool) => tool.name);
}

for (const [name, library] of [["client", latest], ["sdk", earlier]]) {
  for (const document of [undefined, CLAUDE_CODE]) {
    for (const what of ["change", "look"]) {
      const host = new Host(what, document);
      const client = await connect(library, host);
      assert.equal((await tools(client)).includes("update_campaign"), what === "change");
      const { structuredContent } = await client.callTool({ name: "list_accounts", arguments: {} });
      assert(structuredContent.accounts.length > 0, JSON.stringify(structuredContent));
      assert.equal(host.asked.length, 1);
      if (!document) assert(host.client.client_id.startsWith("dcr."), JSON.stringify(host.client));
      await client.close();

      // A token that does not work any more: the client refreshes, and asks nobody.
      const first = host.saved;
      host.saved = { ...first, access_token: `${first.access_token.slice(0, -2)}AA` };
      const again = await connect(library, host);
      assert((await tools(again)).includes("list_accounts"));
      assert.equal(host.asked.length, 1, "the host has asked a person although it has a refresh token");
      assert.notEqual(host.saved.refresh_token, first.refresh_token);
      await again.close();

      // Step-up: one that only looks calls a change, and the person is asked for more.
      if (what === "look") {
        // The sdk refreshes at such a challenge, which gives no more than before; without a refresh token it asks.
        if (library === earlier) delete host.saved.refresh_token;
        const stepping = await connect(library, host);
        host.what = "change";
        const change = { name: "pause_campaign", arguments: { campaign_id: `cmp_${"0".repeat(32)}` } };
        await stepping.callTool(change).then(
          (result) => assert.fail(JSON.stringify(result)),
          () => {},
        );
        assert.equal(host.asked.length, 2, "the challenge of a refused change has asked nobody");
        assert(host.asked[1].searchParams.get("scope").includes("campaigns"), host.asked[1].href);
        await stepping.close();
        const more = await connect(library, host);
        assert((await tools(more)).includes("update_campaign"));
        await more.close();
      }
      console.log(`npm ${name}: signs in by its ${document ? "document" : "registration"} to ${what}, and refreshes`);
    }
  }
}
