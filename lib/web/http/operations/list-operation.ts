import type { z } from 'zod';
import { createSharedCalls } from '@/lib/core/calls/share-calls';
import { parseUrl } from '@/lib/core/parse-url';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { getEnvironment, IS_PRODUCTION } from '@/lib/env';
import { checkOutput, compileOutput } from '@/lib/schemas/compile-output';
import { type Cursor, formatCursor, type Page } from '@/lib/schemas/cursor';
import { requestScheme } from '../address/request-address';
import { tagOf } from '../conditional';
import {
  asRead,
  type Call,
  type Definition,
  identify,
  type Operation,
  readCall,
  respondToRead,
} from '../operation';
import { commonHeaders } from '../problem';
import { resolveRef } from '../resolve-ref';
import { encodeList } from './encode-list';

/** A page of a list; lists not ordered by time have their own cursors. `total` is for the whole list. */
type ListPage<T> = (Page<T> | { items: T[]; next: string | null }) & { total?: number };

type WrittenPage = Omit<ListPage<never>, 'items'> & { body: Buffer<ArrayBuffer>[]; etag: string };

/** An operation that responds with a page of a list: a bare array, with the next page in `Link`. */
export function listOperation<Query extends z.ZodType, Item extends z.ZodType, Listed = z.input<Item>>(
  definition: Definition<z.ZodType, Query> & {
    item: Item;
    run(call: Call<z.ZodType, Query>): Promise<ListPage<Listed>>;
    /** Whether the same caller's requests for the same page, at the same time, share what is read. */
    isShared?: boolean;
    /** Writes an item of `run` as JSON; required if `run` does not return what `item` describes. */
    write?(listed: Listed): string;
  },
): Operation {
  const checking = { isChecked: !IS_PRODUCTION };
  const share = createSharedCalls<WrittenPage>();
  const { item, write: own } = definition;
  const write = own
    ? checkOutput(item, own, checking)
    : (compileOutput(item, checking) as (listed: Listed) => string);
  const readPage = async (call: Call<z.ZodType, Query>) => {
    const { items, ...place } = await definition.run(await resolveRef(call));
    const body = await encodeList(items, write);
    return { ...place, body, etag: tagOf(body) };
  };
  return {
    description: { ...definition, output: item, status: 200, isPaged: true },
    represent: async (ctx, request, params) => {
      const { etag } = await readPage(await readCall(definition, ctx, asRead(request), params));
      return { etag, version: null, updatedAt: null };
    },
    handle: async (request, params, { requestId, headers }) => {
      const ctx = await identify(definition.scope, request, headers);
      const call = await readCall(definition, ctx, request, params);
      const read = () => readPage(call);
      const { body, etag, next, total } = await (definition.isShared
        ? share(formatCaller(ctx, request), read)
        : read());
      const link = nextLink(request, next, getEnvironment().APP_URL);
      const count: Record<string, string> = total === undefined ? {} : { 'X-Total-Count': String(total) };
      const all = { ...commonHeaders(requestId), ...headers, ...link, ...count };
      return respondToRead(request, body, all, { etag });
    },
  };
}

/** Everything that the body of a list depends on, apart from what is stored. */
function formatCaller({ organizationId, actor, baseUrl }: OrganizationContext, { url }: Request): string {
  return JSON.stringify([organizationId, actor, baseUrl, url]);
}

/** The `Link` header to the next page (RFC 8288), under `appUrl` or else the called address. Empty on the last page. */
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
  const called = `${requestScheme(headers)}://${headers.get('host')}`;
  return ((headers.has('host') ? parseUrl(called) : null) ?? new URL(url)).origin;
}
