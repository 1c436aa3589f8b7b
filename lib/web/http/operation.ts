import { z } from 'zod';
import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireWriteScope } from '@/lib/domain/context/permissions';
import { getEnvironment } from '@/lib/env';
import { PLANS } from '@/lib/plans/catalogue';
import { type Cursor, formatCursor, type Page } from '@/lib/schemas/query';
import { parseInput } from '@/lib/schemas/validation';
import { authenticateApiKey } from '@/lib/web/auth/authenticate-api-key';
import { awaitCacheInvalidation } from './await-cache-invalidation';
import { answerConditionally } from './conditional';
import { type KeptAnswer, runOnce } from './idempotency';
import { commonHeaders, problemBody } from './problem';
import { readJsonBody, readQuery } from './read-input';
import { requestAddress, requestBaseUrl } from './request-address';
import { getWeb } from './server-services';

/** The dynamic parts of the paths below app/api. */
export type Params = { id?: string; slug?: string; path?: string[] };

/** Does one call; throws what is to be answered as a refusal. `headers` are for every answer to it. */
export type Handle = (
  request: Request,
  params: Params,
  call: { requestId: string; headers: Record<string, string> },
) => Promise<Response>;

/** What the API's document says of a handle. */
export type Description = {
  summary: string;
  description?: string;
  scope: 'read' | 'write' | 'public';
  query?: z.ZodType;
  body?: z.ZodType;
  bodyIsOptional?: boolean;
  keepsNothing?: boolean;
  output: z.ZodType;
  status: number;
  /** Another status with the same body: 503 of a service that is not well. */
  otherStatus?: number;
  isPaged: boolean;
};

/** One method of a route: how it is done, and what the document says of it. */
export type Operation = { handle: Handle; description: Description };

/** What every kind of operation says of itself, and takes. */
type Definition<Body extends z.ZodType, Query extends z.ZodType> = {
  /** One line for the reference. */
  summary: string;
  description?: string;
  /** `write` refuses keys that may only read. */
  scope: 'read' | 'write';
  body?: Body;
  /** No body at all counts as `{}`. */
  bodyIsOptional?: boolean;
  /** A strict schema of the query parameters; without it none is taken. */
  query?: Query;
};

/** What an operation is run with. */
type Call<Body extends z.ZodType, Query extends z.ZodType> = {
  ctx: OrganizationContext;
  body: z.output<Body>;
  query: z.output<Query>;
  params: Params;
  /** The address of the service as the caller reaches it, without a slash at the end: for links in answers. */
  baseUrl: string;
};

/**
 * An operation that answers one JSON value. A POST with an Idempotency-Key has its effect once, unless `keepsNothing`
 * says that it has none.
 */
export function operation<Body extends z.ZodType, Query extends z.ZodType, Output extends z.ZodType>(
  definition: Definition<Body, Query> & {
    output: Output;
    /** The status of success; 200 unless set. */
    status?: number;
    keepsNothing?: boolean;
    run(call: Call<Body, Query>): Promise<z.input<Output>>;
  },
): Operation {
  const { output, status = 200 } = definition;
  const perform = async (call: Call<Body, Query>): Promise<KeptAnswer> => ({
    status,
    body: output.parse(await definition.run(call)),
  });
  return {
    description: { ...definition, status, isPaged: false },
    handle: async (request, params, { requestId, headers }) => {
      const ctx = await identify(definition.scope, request, headers);
      const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
      if (key === null || definition.keepsNothing) {
        const call = await readCall(definition, ctx, request, params);
        const answer = await settled(definition.scope, perform(call));
        return respond(request, answer, { ...commonHeaders(requestId), ...headers });
      }
      const call = await readCall(definition, ctx, request, params);
      const once = { key, operation: `POST ${new URL(request.url).pathname}`, body: call.body };
      const refuse = (error: unknown) => keptRefusal(error, requestId);
      const kept = runOnce(ctx, once, (inside) => perform({ ...call, ctx: inside }), refuse);
      const answer = await settled(definition.scope, kept);
      return respond(request, answer, { ...commonHeaders(requestId), ...headers });
    },
  };
}

/** Who changed something sees it on its pages, also when telling of it failed. */
async function settled<T>(scope: 'read' | 'write', effect: Promise<T>): Promise<T> {
  try {
    return await effect;
  } finally {
    if (scope === 'write') await awaitCacheInvalidation();
  }
}

/** A page of a list; lists that are not ordered by time have cursors of their own. `total` is of the whole list. */
type AnswerPage<T> = (Page<T> | { items: T[]; next: string | null }) & { total?: number };

/** An operation that answers a page of a list: a bare array, and where the next page is in `Link`. */
export function listOperation<Query extends z.ZodType, Item extends z.ZodType>(
  definition: Definition<z.ZodType, Query> & {
    item: Item;
    run(call: Call<z.ZodType, Query>): Promise<AnswerPage<z.input<Item>>>;
  },
): Operation {
  const output = z.array(definition.item);
  return {
    description: { ...definition, output: definition.item, status: 200, isPaged: true },
    handle: async (request, params, { requestId, headers }) => {
      const ctx = await identify(definition.scope, request, headers);
      const { items, next, total } = await definition.run(await readCall(definition, ctx, request, params));
      const link = nextLink(request, next, getEnvironment().APP_URL);
      const count: Record<string, string> = total === undefined ? {} : { 'X-Total-Count': String(total) };
      const all = { ...commonHeaders(requestId), ...headers, ...link, ...count };
      return respond(request, { status: 200, body: output.parse(items) }, all);
    },
  };
}

/** Who calls, within the rate limit of the organization; what is left of it goes into `headers`, of refusals too. */
export async function identify(
  scope: 'read' | 'write',
  request: Request,
  headers: Record<string, string>,
): Promise<OrganizationContext> {
  const { services, rateLimiter } = getWeb();
  const { ctx, plan } = await authenticateApiKey(services, request.headers.get('authorization'));
  Object.assign(headers, await rateLimiter.count(ctx.organizationId, PLANS[plan].requestsPerMinute));
  if (scope === 'write') requireWriteScope(ctx);
  return { ...ctx, address: requestAddress(request.headers) };
}

/** What is asked: query, body and path, checked. */
export async function readCall<Body extends z.ZodType, Query extends z.ZodType>(
  { body, bodyIsOptional, query }: Pick<Definition<Body, Query>, 'body' | 'bodyIsOptional' | 'query'>,
  ctx: OrganizationContext,
  request: Request,
  params: Params,
): Promise<Call<Body, Query>> {
  return {
    ctx,
    query: parseInput(query ?? noQuery, readQuery(request)) as z.output<Query>,
    body: (body
      ? parseInput(body, await readJsonBody(request, { isOptional: bodyIsOptional }))
      : undefined) as z.output<Body>,
    params: requireStorable(params),
    baseUrl: requestBaseUrl(request.headers),
  };
}

/** Nothing can have a NUL in its id or slug: Postgres would refuse the question. Paths without parameters come without them. */
function requireStorable(params: Params | undefined): Params {
  if (params === undefined) return {};
  if (Object.values(params).flat().join().includes('\0')) {
    throw new DomainError('NOT_FOUND', 'There is nothing at this path.');
  }
  return params;
}

const noQuery = z.strictObject({});

function respond(request: Request, { status, body }: KeptAnswer, headers: Record<string, string>): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') return Response.json(body, { status, headers });
  return answerConditionally(request, JSON.stringify(body), {
    ...headers,
    'Cache-Control': 'private, no-cache',
  });
}

/** Refusals of the request itself are kept for its Idempotency-Key; those of the moment are not. */
function keptRefusal(error: unknown, requestId: string): KeptAnswer | null {
  if (!(error instanceof DomainError)) return null;
  if (error.code === 'UNAUTHORIZED' || error.code === 'RATE_LIMITED' || error.code === 'INTERNAL_ERROR')
    return null;
  return problemBody(error, requestId);
}

/**
 * The header that leads to the next page (RFC 8288): the same request with another cursor, under `appUrl` or, where that is
 * not set, under the address that the caller used. No header where there is no next page.
 */
export function nextLink(
  request: Request,
  next: Cursor | string | null,
  appUrl: string | undefined,
): { Link?: string } {
  if (next === null) return {};
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set('cursor', typeof next === 'string' ? next : formatCursor(next));
  return { Link: `<${appUrl ?? calledOrigin(request)}${pathname}?${searchParams}>; rel="next"` };
}

function calledOrigin({ url, headers }: Request): string {
  const scheme = headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  const called = `${scheme}://${headers.get('host')}`;
  return new URL(headers.has('host') && URL.canParse(called) ? called : url).origin;
}
