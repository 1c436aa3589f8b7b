import type { Pool } from 'pg';
import type { Wake } from '@/lib/core/time/wake';
import type { LiveMail } from '@/lib/domain/context/live-mail';
import type { Health } from '@/lib/engine/health/health';
import type { DatabaseClock } from '@/lib/platform/db/database-clock';
import type { LiveHub } from '@/lib/platform/live/hub';
import { readBody } from './conditional';

/** A GET handler as Next calls it. */
type Get = (request: Request, context: { params: Promise<{ slug: string }> }) => Promise<Response>;

/** A complete response; lowercase header names. */
type Captured = { status: number; headers: Record<string, string>; body: Buffer };

type Route = { path: RegExp; respond(request: Request, slug: string): Promise<Captured> };

/** What our server gives the routes of its process, and they give it. */
type Shared = {
  clock: DatabaseClock;
  /** The connections reserved for counting requests. */
  counting: Pool;
  health: Health;
  liveHub: LiveHub;
  mail: LiveMail;
  requestedResults: Wake;
  /** Waits until the cache holds no page older than the latest commit. */
  awaitCacheInvalidation(): Promise<void>;
  /** Routes that our server calls directly, by their path. */
  routes: Map<string, Route>;
};

/**
 * Next has its own module instances in the same process, and no setting or hook that passes values to them, so a global does. What to check
 * when Next is upgraded: bin/web/next-internals.test.ts.
 */
const shared = globalThis as typeof globalThis & { pharosShared?: Partial<Shared> };

/** Registers what the routes of this process use. */
export function shareWithRoutes(given: Partial<Shared>): void {
  shared.pharosShared = { ...shared.pharosShared, ...given };
}

/** The clock of this process, measured before the application handles requests; null where nothing was registered. */
export function getSharedClock(): DatabaseClock | null {
  return shared.pharosShared?.clock ?? null;
}

/** The connections for counting requests of this process; null where nothing was registered. */
export function getSharedCounting(): Pool | null {
  return shared.pharosShared?.counting ?? null;
}

/** The health of this process, registered before the application handles requests. */
export function getHealth(): Health {
  if (!shared.pharosShared?.health) throw new Error('no health was registered in this process');
  return shared.pharosShared.health;
}

/** What rings when this process has heard of results of requested checks; null where nothing was registered. */
export function getRequestedResults(): Wake | null {
  return shared.pharosShared?.requestedResults ?? null;
}

/** The mail server of this process, which follows changes; null where nothing was registered. */
export function getSharedMail(): LiveMail | null {
  return shared.pharosShared?.mail ?? null;
}

/** The hub of this process; null if there is none. */
export function getLiveHub(): LiveHub | null {
  return shared.pharosShared?.liveHub ?? null;
}

/**
 * Resolves when this process shows no page older than the latest commit. Every change by the API or the
 * dashboard waits for it, so that its author sees the result. Does nothing without a cache.
 */
export async function awaitCacheInvalidation(): Promise<void> {
  await shared.pharosShared?.awaitCacheInvalidation?.();
}

/**
 * Lets the server of this process call a handler directly, because the router of Next costs more than the whole page. `path` is that of
 * the route: `/status/[slug]`. Routes without a server of ours, or that Next has not loaded yet, are reached through Next.
 */
export function shareWithServer(path: string, get: Get): void {
  const routes = shared.pharosShared?.routes ?? new Map<string, Route>();
  routes.set(path, {
    path: new RegExp(`^${path.replace('[slug]', '([a-z0-9-]+)')}$`),
    respond: async (request, slug) => {
      const response = await get(request, { params: Promise.resolve({ slug }) });
      const { status, headers } = response;
      return { status, headers: Object.fromEntries(headers), body: await readBody(response) };
    },
  });
  shareWithRoutes({ routes });
}

/** The response of the route that is shared for a path with its query; null if none is. */
export function callSharedRoute(path: string, headers: Headers): Promise<Captured> | null {
  const url = new URL(path, 'http://pharos');
  for (const { path, respond } of shared.pharosShared?.routes?.values() ?? []) {
    const match = path.exec(url.pathname);
    if (match) return respond(new Request(url, { headers }), match[1] ?? '');
  }
  return null;
}
