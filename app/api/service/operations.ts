import { z } from 'zod';
import { DomainError } from '@/lib/core/errors';
import { isServedDomain } from '@/lib/domain/status-pages/verify-custom-domain';
import { getEnvironment } from '@/lib/env';
import { PAGE_HOST_HEADER } from '@/lib/platform/page-front/application';
import { described } from '@/lib/schemas/described';
import { healthSchema, liveSchema } from '@/lib/schemas/health';
import { isAppHost } from '@/lib/web/http/address/request-address';
import { commonHeaders } from '@/lib/web/http/problem';
import { getHealth } from '@/lib/web/http/process-shared';
import { resource } from '@/lib/web/http/route';
import { getWeb } from '@/lib/web/http/server-services';
import { createTlsPermission, type TlsPermission } from '@/lib/web/http/tls-allowed';

let tlsPermission: TlsPermission | undefined;

/** The service itself, for those who operate it. */
export const service = resource({
  /** 200 while the service works, 503 while a part of it is down. */
  '/health': {
    GET: {
      description: {
        operationId: 'getHealth',
        summary: 'Retrieve the health of the service; 503 while a part is down',
        scope: 'public',
        output: healthSchema,
        status: 200,
        otherStatus: 503,
        isPaged: false,
      },
      handle: async (_request, _params, { requestId }) => {
        const health = await getHealth().read();
        const status = health.status === 'down' ? 503 : 200;
        return Response.json(health, { status, headers: commonHeaders(requestId) });
      },
    },
  },
  /** The `ask` endpoint for Caddy's on-demand TLS: 200 for hosts served here, otherwise 404. */
  '/internal/tls-allowed': {
    GET: {
      description: {
        operationId: 'checkTlsAllowed',
        summary: 'Check that a host may get a certificate',
        description: 'For the on-demand TLS of a reverse proxy: 200 for hosts served here, otherwise 404.',
        scope: 'public',
        query: z.object({ domain: described(z.string().max(253), 'The host name', 'status.example.com') }),
        output: z.null(),
        status: 200,
        isPaged: false,
        contentType: 'none',
      },
      handle: async (request, _params, { requestId }) => {
        const { APP_URL } = getEnvironment();
        tlsPermission ??= createTlsPermission({
          appHost: APP_URL === undefined ? null : new URL(APP_URL).hostname,
          isServed: (domain) => isServedDomain(getWeb().services, domain),
        });
        const { headers, url } = request;
        const isOurs = isAppHost(headers.get('host'), APP_URL) && !headers.has(PAGE_HOST_HEADER);
        const domain = new URL(url).searchParams.get('domain') ?? '';
        if (!isOurs || !(await tlsPermission(domain)))
          throw new DomainError('NOT_FOUND', 'This host is not served here.');
        return new Response(null, { headers: commonHeaders(requestId) });
      },
    },
  },
  /** Whether this process responds, for load balancers. It does not check the database or the engine. */
  '/live': {
    GET: {
      description: {
        operationId: 'getLive',
        summary: 'Check that the web process responds',
        scope: 'public',
        output: liveSchema,
        status: 200,
        isPaged: false,
      },
      handle: async (_request, _params, { requestId }) =>
        Response.json({ status: 'ok' }, { headers: commonHeaders(requestId) }),
    },
  },
});
