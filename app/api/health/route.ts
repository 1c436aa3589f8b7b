import { healthSchema } from '@/lib/schemas/health';
import { commonHeaders } from '@/lib/web/http/problem';
import { getHealth } from '@/lib/web/http/process-shared';
import { route } from '@/lib/web/http/route';

/** 200 while the service works, 503 while a part of it is down. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
