import { z } from 'zod';
import { DomainError } from '@/lib/core/errors';
import { isServedDomain } from '@/lib/domain/status-pages/verify-custom-domain';
import { getEnvironment } from '@/lib/env';
import { PAGE_HOST_HEADER } from '@/lib/platform/page-front/application';
import { isAppHost } from '@/lib/web/http/address/request-address';
import { commonHeaders } from '@/lib/web/http/problem';
import { route } from '@/lib/web/http/route';
import { getWeb } from '@/lib/web/http/server-services';
import { createTlsPermission, type TlsPermission } from '@/lib/web/http/tls-allowed';

let question: TlsPermission | undefined;

/** The `ask` endpoint for Caddy's on-demand TLS: 200 for hosts served here, otherwise 404. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: {
    description: {
      operationId: 'checkTlsAllowed',
      summary: 'Check that a host may get a certificate',
      description: 'For the on-demand TLS of a reverse proxy: 200 for hosts served here, otherwise 404.',
      scope: 'public',
      query: z.object({ domain: z.string().max(253) }),
      output: z.null(),
      status: 200,
      isPaged: false,
      contentType: 'none',
    },
    handle: async (request, _params, { requestId }) => {
      const { APP_URL } = getEnvironment();
      question ??= createTlsPermission({
        appHost: APP_URL === undefined ? null : new URL(APP_URL).hostname,
        isServed: (domain) => isServedDomain(getWeb().services, domain),
      });
      const { headers, url } = request;
      const isOurs = isAppHost(headers.get('host'), APP_URL) && !headers.has(PAGE_HOST_HEADER);
      const domain = new URL(url).searchParams.get('domain') ?? '';
      if (!isOurs || !(await question(domain)))
        throw new DomainError('NOT_FOUND', 'This host is not served here.');
      return new Response(null, { headers: commonHeaders(requestId) });
    },
  },
});
