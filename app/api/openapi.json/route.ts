import { readBaseUrl } from '@/app/base-url';
import { getEnvironment } from '@/lib/env';
import { respondConditionally } from '@/lib/web/http/conditional';
import { commonHeaders } from '@/lib/web/http/problem';
import { route } from '@/lib/web/http/route';
import { writeDocument } from './describe';

/** The OpenAPI document, generated from the validation schemas. Public, for any origin. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: async (request, _params, { requestId }) => {
    const baseUrl = `${await readBaseUrl()}/api`;
    const document = await writeDocument({ serviceName: getEnvironment().SERVICE_NAME, baseUrl });
    return respondConditionally(request, document, {
      ...commonHeaders(requestId),
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=60',
    });
  },
});
