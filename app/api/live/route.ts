import { commonHeaders } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

/** The process answers: for load balancers. Says nothing of the database or the engine. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: async (_request, _params, requestId) =>
    Response.json({ status: 'ok' }, { headers: commonHeaders(requestId) }),
});
