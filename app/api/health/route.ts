import { readHealth } from '@/lib/http/health';
import { commonHeaders } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { getWeb } from '@/lib/http/server-services';
import { healthSchema } from '@/lib/schemas/health';

/** 200 once the database and the engine answer; 503 with what is missing before. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: {
    description: {
      summary: 'Whether database and engine work; 503 with what is missing while they do not',
      scope: 'public',
      output: healthSchema,
      status: 200,
      otherStatus: 503,
      isPaged: false,
    },
    handle: async (_request, _params, { requestId }) => {
      const health = await readHealth(getWeb().services);
      const status = health.status === 'ok' ? 200 : 503;
      return Response.json(health, { status, headers: commonHeaders(requestId) });
    },
  },
});
