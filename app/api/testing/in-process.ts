import { openServices } from '@/e2e/support/service-access';
import type { Service } from '@/e2e/support/start-service';
import { createLogger } from '@/lib/core/logger';
import { findRunningPostgres } from '@/lib/platform/postgres';
import { createCountingPool, createRateLimiter } from '@/lib/web/http/rate-limit';
import type { Method, NextHandler } from '@/lib/web/http/route';
import type { getWeb } from '@/lib/web/http/server-services';
import { ROUTES } from '../openapi.json/describe';

/** A `fetch` that calls the routes of the API in this process. */
export type InProcessApi = { fetch: typeof fetch; close(): Promise<void> };

type Web = ReturnType<typeof getWeb>;
const shared = globalThis as typeof globalThis & { pharosWeb?: Web };

/**
 * Calls the routes of the API in this process, on the database of the running service: a request costs a fraction of one over HTTP.
 * What is not an operation with a key goes to the service: what is public has its cache in the server, and paths that Next refuses.
 */
export async function openInProcessApi({
  dataDir,
  url,
}: Pick<Service, 'dataDir' | 'url'>): Promise<InProcessApi> {
  const [{ services, close }, postgres] = await Promise.all([
    // Email is queued here; the service sends it.
    openServices(dataDir, { APP_URL: url, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'pharos@example.com' }),
    findRunningPostgres(dataDir),
  ]);
  const counting = createCountingPool(postgres?.url, () => undefined);
  // What the first request to a web process creates.
  shared.pharosWeb = {
    services: services as Web['services'],
    visitorServices: services,
    rateLimiter: createRateLimiter(counting),
    counting,
    log: createLogger('error', 'web'),
  };
  return {
    fetch: async (input, init) => {
      const { url: address, method } =
        input instanceof Request ? input : { url: String(input), method: init?.method };
      const found = address.startsWith(`${url}/api/`) ? findHandler(address, method) : null;
      if (found === null) return fetch(input, init);
      const request = new Request(input, init);
      request.headers.set('host', new URL(url).host);
      const response = await found.handler(request, { params: Promise.resolve(found.params) });
      // As a server does.
      return method === 'HEAD' ? new Response(null, response) : response;
    },
    close: async () => {
      delete shared.pharosWeb;
      await counting.end();
      await close();
    },
  };
}

const routes = Object.entries(ROUTES)
  .map(([path, handlers]) => ({
    handlers,
    isPublic: handlers.GET.description?.scope === 'public',
    names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    pattern: new RegExp(`^/api${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  // A path without parameters wins over one with.
  .sort((a, b) => a.names.length - b.names.length);

function findHandler(
  address: string,
  method = 'GET',
): { handler: NextHandler; params: Record<string, string> } | null {
  const { pathname } = new URL(address);
  for (const { handlers, isPublic, names, pattern } of routes) {
    const values = pattern.exec(pathname)?.slice(1);
    if (values === undefined) continue;
    if (isPublic) return null;
    try {
      const params = Object.fromEntries(
        names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]),
      );
      return { handler: handlers[method as Method], params };
    } catch {
      return null;
    }
  }
  return null;
}
