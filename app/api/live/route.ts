import { liveSchema } from '@/lib/schemas/health';
import { commonHeaders } from '@/lib/web/http/problem';
import { route } from '@/lib/web/http/route';

/** Whether this process responds, for load balancers. It does not check the database or the engine. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
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
});
