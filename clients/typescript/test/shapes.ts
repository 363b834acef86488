// A body of one shape is no body of the other: `tsc` fails if a line below `@ts-expect-error` compiles.

import { createInTargets, type Client, type EnvelopedComponents, type FlatComponents } from "../src/index.js";

type Flat = FlatComponents["schemas"]["FlatCreate"];
type Enveloped = EnvelopedComponents["schemas"]["EnvelopedCreate"];
type Targets = EnvelopedComponents["schemas"]["MultiTargetCreate"];

export async function check(flat: Client<"flat">, enveloped: Client<"enveloped">, bodies: [Flat, Enveloped, Targets]) {
  await flat.post("/campaigns", { body: bodies[0] });
  await enveloped.post("/campaigns", { body: bodies[1] });
  await enveloped.post("/campaigns", { body: bodies[2] });
  await createInTargets(enveloped, bodies[2]);
  // @ts-expect-error an enveloped body
  await flat.post("/campaigns", { body: bodies[1] });
  // @ts-expect-error a flat body
  await enveloped.post("/campaigns", { body: bodies[0] });
  // @ts-expect-error only the enveloped shape has targets
  await createInTargets(flat, bodies[2]);
  // @ts-expect-error a platform of the other shape
  await flat.get("/campaigns", { query: { platform: "ALPHA" } });
  // @ts-expect-error a platform of the other shape
  await enveloped.get("/campaigns", { query: { platform: "alpha_ads" } });
  // @ts-expect-error the campaign is inside of `data`
  (await enveloped.get("/campaigns/{id}", { path: { id: "alpha_1_1" } })).name;
  // @ts-expect-error the id is missing
  await flat.get("/campaigns/{id}");
  // @ts-expect-error no such path
  await flat.get("/campaign");
  // @ts-expect-error a list without pages
  flat.pages("/platforms");
}
