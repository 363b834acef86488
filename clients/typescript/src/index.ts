// A thin client of the Unified Ads API. The types are generated from the OpenAPI document of each shape.

import { ApiError } from "./errors.js";
import { checkNumbers, readJson } from "./exact.js";
import type { Answer, Arguments, Method, Page, PagedPath, PathWith, Shape, Shapes } from "./operations.js";
import { patience, rateWait, takesKey, waitAfter, type Patience } from "./retry.js";

export { awaitingApproval, type AwaitingApproval } from "./approval.js";
export { ApiError } from "./errors.js";
export type { components as EnvelopedComponents } from "./generated/enveloped.js";
export type { components as FlatComponents } from "./generated/flat.js";
export type { Answer, Options, Shape } from "./operations.js";
export type { Patience } from "./retry.js";
export { createInTargets, type MultiTargetCreate, type TargetVerdict } from "./targets.js";
export { SignatureError, verifyWebhook } from "./webhooks.js";

export interface Settings<S extends Shape> extends Partial<Patience> {
  apiKey: string;
  /** It ends in `/v1`. */
  baseUrl: string;
  /** The shape of all requests and responses. */
  shape: S;
  /** The user of yours for whom all requests act. */
  externalRef?: string;
  /** How many seconds one attempt may take: 60. The service answers within 30. */
  timeout?: number;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Instead of a timer, with seconds. */
  sleep?: (seconds: number) => Promise<void>;
}

/** The options of any request. */
interface Sent {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

const timer = (seconds: number) => new Promise<void>((done) => setTimeout(done, seconds * 1000));
const TIMEOUT = 60;

/** Sends requests of one shape. A body of the other shape does not compile. */
export class Client<S extends Shape> {
  readonly #settings: Settings<S>;
  readonly #patience: Patience;
  #freeAt = 0;

  constructor(settings: Settings<S>) {
    this.#settings = settings;
    this.#patience = patience(settings);
  }

  /** The same client, all of whose requests act for this user: they see what belongs to the user, and nothing else. */
  forUser(externalRef: string): Client<S> {
    return new Client({ ...this.#settings, externalRef });
  }

  get<P extends PathWith<S, "get">>(path: P, ...options: Arguments<S, P, "get">): Promise<Answer<S, P, "get">> {
    return this.#send("get", path, options[0]);
  }

  post<P extends PathWith<S, "post">>(path: P, ...options: Arguments<S, P, "post">): Promise<Answer<S, P, "post">> {
    return this.#send("post", path, options[0]);
  }

  patch<P extends PathWith<S, "patch">>(path: P, ...options: Arguments<S, P, "patch">): Promise<Answer<S, P, "patch">> {
    return this.#send("patch", path, options[0]);
  }

  delete<P extends PathWith<S, "delete">>(path: P, ...options: Arguments<S, P, "delete">): Promise<Answer<S, P, "delete">> {
    return this.#send("delete", path, options[0]);
  }

  /** Reads pages until the last. A page may be short or empty and still have a next one; `errors` are in it. */
  async *pages<P extends PagedPath<S>>(path: P, ...options: Arguments<S, P, "get">): AsyncGenerator<Answer<S, P, "get">> {
    const first: Sent = options[0] ?? {};
    let cursor = first.query?.["cursor"];
    for (;;) {
      const query = cursor === undefined ? first.query : { ...first.query, cursor };
      const page: Answer<S, P, "get"> = await this.#send("get", path, { ...first, ...(query && { query }) });
      yield page;
      const content = page as Page | { data: Page };
      const { pagination } = "data" in content ? content.data : content;
      if (!pagination.has_more) return;
      cursor = pagination.next_cursor;
    }
  }

  async #send<P extends keyof Shapes[S], M extends Method>(method: M, path: P, options: Sent = {}): Promise<Answer<S, P, M>> {
    checkNumbers(options.body);
    const url = this.#url(String(path), options);
    const verb = method.toUpperCase();
    const headers = new Headers({ "X-API-Key": this.#settings.apiKey, "X-API-Shape": this.#settings.shape });
    if (this.#settings.externalRef !== undefined) headers.set("X-External-Ref", this.#settings.externalRef);
    if (options.body !== undefined) headers.set("Content-Type", "application/json");
    if (takesKey(verb, url)) headers.set("Idempotency-Key", options.idempotencyKey ?? crypto.randomUUID());
    const body = options.body === undefined ? null : JSON.stringify(options.body);
    const isSafe = method === "get" || headers.has("Idempotency-Key");
    const sleep = this.#settings.sleep ?? timer;
    for (let attempt = 1; ; attempt += 1) {
      await sleep(Math.min(Math.max(this.#freeAt - Date.now() / 1000, 0), this.#patience.maxWait));
      try {
        const deadline = AbortSignal.timeout((this.#settings.timeout ?? TIMEOUT) * 1000);
        const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
        const text = await this.#text(url, { method: verb, headers, body, signal });
        return (text === "" ? undefined : readJson(text)) as Answer<S, P, M>;
      } catch (error) {
        const wait = waitAfter(isSafe, error, attempt, this.#patience);
        if (wait === undefined) throw error;
        await sleep(wait);
      }
    }
  }

  async #text(url: URL, request: RequestInit): Promise<string> {
    const response = await (this.#settings.fetch ?? fetch)(url, request);
    this.#freeAt = Date.now() / 1000 + rateWait(response.headers);
    const text = await response.text();
    if (!response.ok) throw new ApiError(response.status, response.headers, text);
    return text;
  }

  #url(path: string, options: Sent): URL {
    const filled = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(options.path?.[name] ?? ""));
    const url = new URL(this.#settings.baseUrl + filled);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }
}
