import type { z } from 'zod';
import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { findPublishedPage } from '@/lib/domain/status-pages/public/read-public-page';
import { statusPageNotFound } from '@/lib/domain/status-pages/read-status-pages';
import { TAG_HEADER } from '@/lib/platform/page-front/application';
import { isSlug } from '@/lib/schemas/status-pages/status-page';
import { parseInput } from '@/lib/schemas/validation';
import { readPageAddress } from './address/request-address';
import { respondConditionally } from './conditional';
import { countVisitor } from './count-visitor';
import type { Handle } from './operation';
import { problemResponse } from './problem';
import { ANY_ORIGIN, preflight } from './public-operation';
import { RateLimitedError } from './rate-limit';
import { readQuery } from './read-input';
import { type Method, type NextHandler, route } from './route';
import { getWeb } from './server-services';

/** A public resource below the address of a published page: a feed, a badge. */
export type PageResource<Query extends z.ZodType> = {
  contentType: string;
  /** Not strict, since feed readers and image hosts add their own parameters. */
  query: Query;
  write(call: {
    services: Services;
    page: PageRow;
    /** The page's URL as used by the visitor, without a trailing slash. */
    address: string;
    query: z.output<Query>;
  }): Promise<{ body: string; headers?: Record<string, string> }>;
  /** The response for a missing page, instead of a JSON error. */
  missing?: { body: string; headers: Record<string, string> };
};

const PUBLIC = 'public, s-maxage=10, stale-while-revalidate=60';
/** Content for machines must not run anything when opened in a browser. */
const INERT = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/**
 * The exports of a `route.ts` below app/status/[slug]: cacheable, with ETag, and the same 404 for unknown and
 * unpublished pages.
 */
export function pageResource<Query extends z.ZodType>(
  resource: PageResource<Query>,
): Record<Method, NextHandler> {
  const handle: Handle = async (request, params, { requestId, headers: limits }) => {
    try {
      Object.assign(limits, await countVisitor(request));
      const query = parseInput(resource.query, readQuery(request));
      const { services } = getWeb();
      const page = await findPage(services, params.slug);
      const address = readPageAddress(request, page);
      const { body, headers } = await resource.write({ services, page, address, query });
      return respondConditionally(request, body, {
        'X-Request-Id': requestId,
        'Content-Type': resource.contentType,
        'Cache-Control': PUBLIC,
        [TAG_HEADER]: page.id,
        ...ANY_ORIGIN,
        ...INERT,
        ...headers,
      });
    } catch (error) {
      // Internal errors are logged by the route.
      if (!(error instanceof DomainError)) throw error;
      const { missing } = resource;
      if (missing && error.code === 'NOT_FOUND') return respondMissing(missing, requestId);
      const own = error instanceof RateLimitedError ? error.headers : {};
      return problemResponse(error, requestId, { ...ANY_ORIGIN, ...limits, ...own });
    }
  };
  return route({ GET: handle, OPTIONS: preflight(['GET', 'HEAD', 'OPTIONS']) });
}

async function findPage({ db }: Services, slug: string | undefined): Promise<PageRow> {
  if (slug === undefined || !isSlug(slug)) throw statusPageNotFound();
  return findPublishedPage(db, slug);
}

function respondMissing(
  { body, headers }: { body: string; headers: Record<string, string> },
  requestId: string,
): Response {
  return new Response(body, {
    status: 404,
    headers: { 'X-Request-Id': requestId, 'Cache-Control': 'no-store', ...headers },
  });
}
