import type { z } from 'zod';
import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { findPublishedPage } from '@/lib/domain/status-pages/read-public-page';
import { statusPageNotFound } from '@/lib/domain/status-pages/read-status-pages';
import { isSlug } from '@/lib/schemas/status-page';
import { parseInput } from '@/lib/schemas/validation';
import { answerConditionally } from './conditional';
import { countVisitor } from './count-visitor';
import type { Handle } from './operation';
import { problemResponse } from './problem';
import { ANY_ORIGIN, preflight } from './public-operation';
import { RateLimitedError } from './rate-limit';
import { readQuery } from './read-input';
import { readPageAddress } from './request-address';
import { type Method, type NextHandler, route } from './route';
import { getWeb } from './server-services';

/** Names the page that an answer is made from. The shared cache keeps only answers with it, and takes it off. */
export const CACHE_TAG_HEADER = 'x-pharos-cache-tag';

/** Something that a published page has for everybody below its address: a feed, a badge. */
export type PageResource<Query extends z.ZodType> = {
  contentType: string;
  /** Not strict: feed readers and places that show images add parameters of their own. */
  query: Query;
  write(call: {
    services: Services;
    page: PageRow;
    /** The page's address for who asks, without a slash at the end. */
    address: string;
    query: z.output<Query>;
  }): Promise<{ body: string; headers?: Record<string, string> }>;
  /** What is shown instead of the error as JSON where there is no such page. */
  missing?: { body: string; headers: Record<string, string> };
};

const PUBLIC = 'public, s-maxage=10, stale-while-revalidate=60';
/** What is meant for machines runs nothing when a browser opens it. */
const INERT = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/** The exports of a `route.ts` below app/status/[slug]: cacheable, with ETag, the same 404 for unknown and unpublished. */
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
      return answerConditionally(request, body, {
        'X-Request-Id': requestId,
        'Content-Type': resource.contentType,
        'Cache-Control': PUBLIC,
        [CACHE_TAG_HEADER]: page.id,
        ...ANY_ORIGIN,
        ...INERT,
        ...headers,
      });
    } catch (error) {
      // A fault of ours is for the route to log.
      if (!(error instanceof DomainError)) throw error;
      const { missing } = resource;
      if (missing && error.code === 'NOT_FOUND') return answerMissing(missing, requestId);
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

function answerMissing(
  { body, headers }: { body: string; headers: Record<string, string> },
  requestId: string,
): Response {
  return new Response(body, {
    status: 404,
    headers: { 'X-Request-Id': requestId, 'Cache-Control': 'no-store', ...headers },
  });
}
