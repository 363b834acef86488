// A body of one shape is no body of the other: `tsc` fails if a line below `@ts-expect-error` compiles. The types are those
// of openapi-typescript, the client is openapi-fetch.

import createClient from "openapi-fetch";
import type { components as EnvelopedComponents, paths as EnvelopedPaths } from "./enveloped.js";
import type { components as FlatComponents, paths as FlatPaths } from "./flat.js";

const flat = createClient<FlatPaths>({ baseUrl: "" });
const enveloped = createClient<EnvelopedPaths>({ baseUrl: "" });
const inFlat = { header: { "X-API-Shape": "flat" } } as const;
const inEnveloped = { header: { "X-API-Shape": "enveloped" } } as const;

type OfFlat = FlatComponents["schemas"]["FlatCreate"];
type OfEnveloped = EnvelopedComponents["schemas"]["CampaignCreate"];

export async function check(ofFlat: OfFlat, ofEnveloped: OfEnveloped) {
  const { data } = await flat.POST("/campaigns", { params: inFlat, body: ofFlat });
  const answer = await enveloped.POST("/campaigns", { params: inEnveloped, body: ofEnveloped });
  // @ts-expect-error a flat body in an enveloped client
  await enveloped.POST("/campaigns", { params: inEnveloped, body: ofFlat });
  // @ts-expect-error an enveloped body in a flat client
  await flat.POST("/campaigns", { params: inFlat, body: ofEnveloped });
  // @ts-expect-error the header of the other shape
  await flat.POST("/campaigns", { params: inEnveloped, body: ofFlat });
  // @ts-expect-error the header is missing
  await enveloped.POST("/campaigns", { body: ofEnveloped });
  // @ts-expect-error an answer of the other shape
  if (data && "data" in data) data.data.id;
  // @ts-expect-error an answer of the other shape
  answer.data?.remote_id;
}
