// Judges the messages with the libraries of npm: `judge.mjs MODULES MESSAGES`.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, path] = process.argv.slice(2);
const resolve = createRequire(`${modules}/package.json`).resolve;
const OTHER = `whsec_${Buffer.alloc(32).toString("base64")}`;
const now = Date.now;

// Whether the library accepts a message, at a time in the future.
function isAccepted({ Webhook, WebhookVerificationError }, body, headers, secret, later = 0) {
  Date.now = () => now() + later * 1_000;
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  } finally {
    Date.now = now;
  }
}

function check(is_right, what) {
  if (!is_right) throw new Error(what);
}

for (const name of ["standardwebhooks", "svix"]) {
  const library = await import(pathToFileURL(resolve(name)));
  for (const message of JSON.parse(readFileSync(path, "utf8"))) {
    const { body, headers } = message;
    const timestamp = Number(headers["webhook-timestamp"]);
    for (const secret of message.secrets) {
      const refused = {
        "an altered body": [body.replace("change.applied", "change.applieD"), headers, secret],
        "a longer body": [`${body} `, headers, secret],
        "an altered id": [body, { ...headers, "webhook-id": `evt_${"0".repeat(32)}` }, secret],
        "an altered timestamp": [body, { ...headers, "webhook-timestamp": String(timestamp + 1) }, secret],
        "another secret": [body, headers, OTHER],
        "an old message": [body, headers, secret, 301],
      };
      check(isAccepted(library, body, headers, secret), `${name} refuses ${message.name}`);
      for (const [what, parts] of Object.entries(refused)) {
        check(!isAccepted(library, ...parts), `${name} accepts ${what} of ${message.name}`);
      }
    }
  }
  console.log(`npm ${name}: accepts our messages and refuses what was altered`);
}
