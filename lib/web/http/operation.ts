import { z } from 'zod';
import { DomainError, type ErrorCode } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireWriteScope } from '@/lib/domain/context/permissions';
import { IS_PRODUCTION } from '@/lib/env';
import { PLANS } from '@/lib/plans/catalogue';
import { compileOutput } from '@/lib/schemas/compile-output';
import { parseInput } from '@/lib/schemas/validation';
import { authenticateApiKey } from '@/lib/web/auth/authenticate-api-key';
import { requestAddress, requestBaseUrl } from './address/request-address';
import { respondConditionally, tagOf } from './conditional';
import { runOnce, type StoredResponse } from './idempotency';
import { type Representation, readExpected, versionOf } from './preconditions';
import { commonHeaders, ERROR_STATUS, problemBody } from './problem';
import { awaitCacheInvalidation } from './process-shared';
import { readFileBody, readJsonBody, readQuery } from './read-input';
import { resolveRef } from './resolve-ref';
import { getWeb } from './server-services';

/** The dynamic parts of the paths below app/api. */
export type Params = {
  id?: string;
  tokenId?: string;
  updateId?: string;
  correctionId?: string;
  slug?: string;
  ref?: string;
  name?: string;
  path?: string[];
};

/** Handles one call; throws errors to respond with. `headers` are sent with every response. */
export type Handle = (
  request: Request,
  params: Params,
  call: { requestId: string; headers: Record<string, string>; represent: Represent | null },
) => Promise<Response>;

/** What GET responds at the path of another request, to the same caller. */
export type Represent = (
  ctx: OrganizationContext,
  request: Request,
  params: Params,
) => Promise<Representation>;

/** What the API document contains about a handle. */
export type Description = Omit<Definition<z.ZodType, z.ZodType>, 'scope'> & {
  scope: 'read' | 'write' | 'public';
  keepsNothing?: boolean;
  output: z.ZodType;
  status: number;
  /** The body with 201, of an operation that creates or changes. */
  createdOutput?: z.ZodType;
  /** Another status with the same body: 503 of an unhealthy service. */
  otherStatus?: number;
  isPaged: boolean;
  /** Whether `Location` names what was created. */
  hasLocation?: boolean;
  /** Of a response that is not JSON. */
  contentType?: string;
};

/** One method of a route: its handle and its documentation. */
export type Operation = { handle: Handle; description: Description; represent?: Represent };

/** Properties of every kind of operation. */
export type Definition<Body extends z.ZodType, Query extends z.ZodType> = {
  /** The name of the function in generated clients. */
  operationId: string;
  /** One line for the reference. */
  summary: string;
  description?: string;
  /** `write` rejects read-only keys. */
  scope: 'read' | 'write';
  body?: Body;
  /** A body that is a file: `run` gets its bytes, of at most `maxBytes`. `types` are what it can be declared to be. */
  file?: { types: readonly string[]; maxBytes: number };
  /** What the document shows instead of a body that `run` validates in parts. */
  documentedBody?: z.ZodType;
  /** More than other bodies can have, for many resources at once. */
  maxValues?: number;
  /** A missing body counts as `{}`. */
  bodyIsOptional?: boolean;
  /** A strict schema of the query parameters; without it, none are accepted. */
  query?: Query;
  /** The codes that only some operations respond with. */
  errors?: readonly ErrorCode[];
};

/** The input of an operation. */
export type Call<Body extends z.ZodType, Query extends z.ZodType> = {
  ctx: OrganizationContext;
  body: z.output<Body>;
  /** The bytes of a body that is a file; empty without. */
  bytes: Uint8Array<ArrayBuffer>;
  query: z.output<Query>;
  /** The path as requested. */
  pathname: string;
  params: Params;
  /** The version in the body of a change; null without one. */
  sentVersion: number | null;
  /** The base URL of the service as used by the caller, without a trailing slash: for links in responses. */
  baseUrl: string;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
};

/** What an operation does with its call, and how it responds. */
type OperationDefinition<
  Body extends z.ZodType,
  Query extends z.ZodType,
  Output extends z.ZodType,
> = Definition<Body, Query> & {
  output: Output;
  /** The path below /api of what was created: the status is 201, with a `Location`. */
  created?(output: z.output<Output>): string;
  /** Another status of success than 201 or 200. */
  status?: number;
  /** For a GET: the response changes only with the version, and so does its strong ETag. */
  isVersioned?: boolean;
  /** Ignores an Idempotency-Key, because nothing changes. */
  keepsNothing?: boolean;
  run(call: Call<Body, Query>): Promise<z.input<Output>>;
  /**
   * Waits for what others do about the effect of `run`, once it is committed; the response is what this returns. With an
   * Idempotency-Key, the output of `run` is kept, so a replay waits for the same.
   */
  conclude?(call: Call<Body, Query>, output: z.output<Output>): Promise<z.input<Output>>;
};

/** An operation that responds with one JSON value. A POST with an Idempotency-Key takes effect once. */
export function operation<Body extends z.ZodType, Query extends z.ZodType, Output extends z.ZodType>(
  definition: OperationDefinition<Body, Query, Output>,
): Operation {
  const { output, created, conclude } = definition;
  const status = definition.status ?? (created ? 201 : 200);
  const write = compileOutput(output, { isChecked: !IS_PRODUCTION });
  // A `ref` is looked up with the effect: a repeated request gets the first response, whatever has the ref by now.
  const run = async (call: Call<Body, Query>) => definition.run(await resolveRef(call));
  const perform = async (call: Call<Body, Query>): Promise<StoredResponse> => ({
    status,
    body: output.parse(await run(call)),
  });
  const tagging = { isStrong: definition.isVersioned ?? false };
  return {
    description: {
      ...definition,
      body: definition.documentedBody ?? definition.body,
      status,
      isPaged: false,
      hasLocation: created !== undefined,
    },
    represent: async (ctx, request, params) => {
      const resource = await run(await readCall(definition, ctx, asRead(request), params));
      return { etag: tagOf(write(resource), tagging), ...versionOf(resource) };
    },
    handle: async (request, params, { requestId, headers, represent }) => {
      const caller = await identify(definition.scope, request, headers);
      const call = await readCall(definition, caller, request, params);
      const all = () => ({ ...commonHeaders(requestId), ...headers });
      if (isRead(request)) {
        const resource = await run(call);
        const { updatedAt } = versionOf(resource);
        return respondToRead(request, write(resource), all(), { ...tagging, updatedAt });
      }
      const judge = async (ctx: OrganizationContext) => {
        const read = represent && (() => represent(ctx, request, params));
        return { ...ctx, expected: await readExpected(request, call.sentVersion, read) };
      };
      const keepsResponse = request.method === 'POST' && !definition.keepsNothing;
      const key = keepsResponse ? request.headers.get('idempotency-key') : null;
      const once = { key: key ?? '', operation: `POST ${new URL(request.url).pathname}`, body: call.body };
      const toStored = (error: unknown) => toStoredError(error, requestId);
      const take = async (ctx: OrganizationContext) => perform({ ...call, ctx: await judge(ctx) });
      const effect =
        key === null
          ? take(caller).then((response) => ({ response, isReplayed: false }))
          : runOnce(caller, once, take, toStored);
      const { response, isReplayed } = await withInvalidation(definition.scope, effect);
      const own: Record<string, string> = {};
      if (created && response.status === status) {
        own.Location = `${call.baseUrl}/api${created(response.body as z.output<Output>)}`;
      }
      if (isReplayed) own['Idempotent-Replayed'] = 'true';
      const isConcluded = conclude === undefined || response.status !== status;
      const concluded = isConcluded
        ? response.body
        : output.parse(await conclude(call, response.body as z.output<Output>));
      return Response.json(concluded, { status: response.status, headers: { ...all(), ...own } });
    },
  };
}

/** A GET of the path of another request, by the same caller. */
export function asRead({ url, headers }: Request): Request {
  return new Request(new URL(new URL(url).pathname, url), { headers });
}

/** Waits until the author of a change sees it on the pages, even if notifying failed. */
export async function withInvalidation<T>(scope: 'read' | 'write', effect: Promise<T>): Promise<T> {
  try {
    return await effect;
  } finally {
    if (scope === 'write') await awaitCacheInvalidation();
  }
}

/** Authenticates the caller within the rate limit, whose headers are added to `headers`, for errors too. */
export async function identify(
  scope: 'read' | 'write',
  request: Request,
  headers: Record<string, string>,
): Promise<OrganizationContext> {
  const { services, rateLimiter } = getWeb();
  headers.Vary = 'Authorization';
  const { ctx, plan } = await authenticateApiKey(services, request.headers.get('authorization'));
  Object.assign(headers, await rateLimiter.count(ctx.organizationId, PLANS[plan].requestsPerMinute));
  if (scope === 'write') requireWriteScope(ctx);
  return {
    ...ctx,
    address: requestAddress(request.headers),
    baseUrl: requestBaseUrl(request.headers),
  };
}

/** Parses and validates query, body and path. */
export async function readCall<Body extends z.ZodType, Query extends z.ZodType>(
  {
    body,
    bodyIsOptional,
    query,
    file,
    maxValues,
  }: Pick<Definition<Body, Query>, 'body' | 'bodyIsOptional' | 'query' | 'file' | 'maxValues'>,
  ctx: OrganizationContext,
  request: Request,
  params: Params,
): Promise<Call<Body, Query>> {
  const sent = body ? await readJsonBody(request, { isOptional: bodyIsOptional, maxValues }) : undefined;
  const bytes = file ? await readFileBody(request, file) : new Uint8Array();
  return {
    ctx,
    query: parseInput(query ?? noQuery, readQuery(request)) as z.output<Query>,
    body: (body ? parseInput(body, sent, maxValues) : undefined) as z.output<Body>,
    bytes,
    sentVersion: request.method === 'PUT' ? versionOf(sent).version : null,
    pathname: new URL(request.url).pathname,
    params: requireStorable(params),
    baseUrl: requestBaseUrl(request.headers),
    signal: request.signal,
  };
}

/** Reject NUL: PostgreSQL text cannot hold it. Paths without parameters have no `params`. */
function requireStorable(params: Params | undefined): Params {
  if (params === undefined) return {};
  if (Object.values(params).flat().join().includes('\0')) {
    throw new DomainError('NOT_FOUND', 'Nothing found at this path.');
  }
  return params;
}

const noQuery = z.strictObject({});

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Responds to a GET with a body that only its caller may cache, and that is current. */
export function respondToRead(
  request: Request,
  body: string | readonly Buffer<ArrayBuffer>[],
  headers: Record<string, string>,
  tagging: { isStrong?: boolean; etag?: string; updatedAt?: string | null } = {},
): Response {
  return respondConditionally(request, body, { ...headers, 'Cache-Control': 'private, no-cache' }, tagging);
}

/** Errors of the request itself are stored for its Idempotency-Key; temporary ones are not. */
function toStoredError(error: unknown, requestId: string): StoredResponse | null {
  if (!(error instanceof DomainError)) return null;
  const { code } = error;
  const isTemporary = code === 'UNAUTHORIZED' || code === 'RATE_LIMITED' || ERROR_STATUS[code] >= 500;
  return isTemporary ? null : problemBody(error, requestId);
}
