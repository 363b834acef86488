// Generates the types of both shapes from the documents of a running service: `node generate.mjs [URL]`.

import { mkdirSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const url = process.argv[2] ?? "http://127.0.0.1:8080/v1";
const folder = new URL("./src/generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const shape of ["flat", "enveloped"]) {
  const tree = await openapiTS(new URL(`${url}/openapi.json?shape=${shape}`));
  writeFileSync(new URL(`${shape}.ts`, folder), astToString(tree));
}
