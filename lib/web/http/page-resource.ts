import type { z } from 'zod';
import type { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { findPublishedPage } from '@/lib/domain/status-pages/public/read-public-page';
import { parseInput } from '@/lib/schemas/validation';
import { readPageAddress } from './address/request-address';
import { respondConditionally } from './conditional';
import type { Handle, Params } from './operation';
import { beginVisit, refusalHeaders } from './page-access/visit';
import { ANY_ORIGIN } from './problem';
import { forVisitors, preflight } from './public-operation';
import { readQuery } from './read-input';
import { type Method, type NextHandler, route } from './route';
import { getWeb } from './server-services';

/** A public resource below the address of a published page: a feed, a badge. */
export type PageResource<Query extends z.ZodType> = {
  /** Unless `write` decides it. */
  contentType: string;
  /** Not strict, since feed readers and image hosts add their own parameters. */
  query: Query;
  write(call: {
    services: Services;
    page: PageRow;
    /** The page's URL as used by the visitor, without a trailing slash. */
    address: string;
    query: z.output<Query>;
    params: Params;
  }): Promise<{ body: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> }>;
  /** What is at this address never changes: browsers keep it. */
  isFixed?: boolean;
  /** The response for a missing page, instead of a JSON error. */
  missing?: { body: string; headers: Record<string, string> };
};

/** Content for machines must not run anything when opened in a browser. */
export const INERT = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/**
 * The exports of a `route.ts` below app/status/[slug]: cacheable if the page is public, and 404 for pages that are unknown, unpublished,
 * or private without a credential.
 */
export function pageResource<Query extends z.ZodType>(
  resource: PageResource<Query>,
): Record<Method, NextHandler> {
  const { missing } = resource;
  const handle: Handle = async (request, params, { requestId }) => {
    const query = parseInput(resource.query, readQuery(request));
    const { visitorServices: services } = getWeb();
    const visit = beginVisit(request, 'data');
    const page = await findPublishedPage(services.db, params.slug ?? '', visit.admit);
    const address = readPageAddress(request, page);
    const { body, headers } = await resource.write({ services, page, address, query, params });
    return respondConditionally(request, body, {
      'X-Request-Id': requestId,
      'Content-Type': resource.contentType,
      ...(resource.isFixed ? visit.fixedHeaders() : visit.headers()),
      ...(visit.isForAnyOrigin() ? ANY_ORIGIN : {}),
      ...INERT,
      ...headers,
    });
  };
  const respondMissing = (error: DomainError, requestId: string) => {
    if (!missing || error.code !== 'NOT_FOUND') return null;
    const headers = {
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      ...missing.headers,
      ...refusalHeaders(error),
    };
    return new Response(missing.body, { status: 404, headers });
  };
  return route({
    GET: forVisitors(handle, respondMissing),
    OPTIONS: preflight(['GET', 'HEAD', 'OPTIONS']),
  });
}
