// The operations of the API, as types: what each takes and answers, from the document of its shape.

import type { paths as EnvelopedPaths } from "./generated/enveloped.js";
import type { paths as FlatPaths } from "./generated/flat.js";

/** The paths of each shape. */
export interface Shapes {
  flat: FlatPaths;
  enveloped: EnvelopedPaths;
}
export type Shape = keyof Shapes;
export type Method = "get" | "post" | "patch" | "delete";

/** The paths that have a method. */
export type PathWith<S extends Shape, M extends Method> = {
  [P in keyof Shapes[S]]: Shapes[S][P] extends Record<M, object> ? P : never;
}[keyof Shapes[S]];

type Operation<S extends Shape, P extends keyof Shapes[S], M extends Method> =
  Shapes[S][P] extends Record<M, infer O> ? O : never;

type Parameters<O> = O extends { parameters: infer P } ? Pick<P, Extract<keyof P, "path" | "query">> : object;

type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } } ? { body: B } : { body?: never };

/** What a request takes besides its path. */
export type Options<S extends Shape, P extends keyof Shapes[S], M extends Method> = Parameters<Operation<S, P, M>> &
  Body<Operation<S, P, M>> & {
    /** The key of a request that takes one. Without it, a new one is made; it stays the same over all attempts. */
    idempotencyKey?: string;
    signal?: AbortSignal;
  };

/** The options, which may be left out if none is required. */
export type Arguments<S extends Shape, P extends keyof Shapes[S], M extends Method> =
  object extends Options<S, P, M> ? [options?: Options<S, P, M>] : [options: Options<S, P, M>];

type Success = 200 | 201 | 202 | 204 | 207;
type Json<R> = R extends { content: { "application/json": infer J } } ? J : undefined;

/** The body of a successful response. */
export type Answer<S extends Shape, P extends keyof Shapes[S], M extends Method> =
  Operation<S, P, M> extends { responses: infer R } ? { [C in keyof R & Success]: Json<R[C]> }[keyof R & Success] : never;

/** A page of a list. */
export interface Page {
  pagination: { next_cursor: string | null; has_more: boolean };
}
/** The lists that continue on further pages. Insights of the enveloped shape are inside of `data`. */
export type PagedPath<S extends Shape> = {
  [P in PathWith<S, "get">]: Answer<S, P, "get"> extends Page | { data: Page } ? P : never;
}[PathWith<S, "get">];
