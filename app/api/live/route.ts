import { liveSchema } from '@/lib/schemas/health';
import { commonHeaders } from '@/lib/web/http/problem';
import { route } from '@/lib/web/http/route';

/** The process answers: for load balancers. Says nothing of the database or the engine. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: {
    description: {
      summary: 'Whether the process answers',
      scope: 'public',
      output: liveSchema,
      status: 200,
      isPaged: false,
    },
    handle: async (_request, _params, { requestId }) =>
      Response.json({ status: 'ok' }, { headers: commonHeaders(requestId) }),
  },
});
