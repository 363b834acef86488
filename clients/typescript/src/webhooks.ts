// Signatures of webhooks, by Standard Webhooks.

/** The most that a timestamp may differ from the own clock, in seconds. */
const TOLERANCE = 300;

/** A webhook that the service has not sent, or not now. */
export class SignatureError extends Error {}

/** Throws unless the raw body was signed with the endpoint's secret (`whsec_…`) within five minutes. */
export async function verifyWebhook(secret: string, headers: Headers, body: string, now = Date.now() / 1000): Promise<void> {
  const [id, sent, signatures] = ["id", "timestamp", "signature"].map((name) => headers.get(`webhook-${name}`) ?? "");
  if (!sent || !/^\d+$/.test(sent) || Math.abs(now - Number(sent)) > TOLERANCE) {
    throw new SignatureError("the timestamp is missing, or more than five minutes away");
  }
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(secret.replace(/^whsec_/, "")), hmac, false, ["verify"]);
  const message = new TextEncoder().encode(`${id}.${sent}.${body}`);
  for (const signature of (signatures ?? "").split(" ").filter((one) => one.startsWith("v1,"))) {
    if (await crypto.subtle.verify("HMAC", key, bytes(signature.slice(3)), message)) return;
  }
  throw new SignatureError("no signature is that of this secret");
}

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
