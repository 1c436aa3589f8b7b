import { type DescribedOperation, describeApi } from '@/lib/web/http/openapi';
import { METHODS } from '@/lib/web/http/route';
import { ROUTES } from './routes';

/** Every operation of every route, as the document wants it. */
export function listOperations(): DescribedOperation[] {
  return Object.entries(ROUTES).flatMap(([path, handlers]) =>
    METHODS.flatMap((method) => {
      const { description } = handlers[method];
      const verb = VERBS[method];
      return description && verb ? [{ method: verb, path, ...description }] : [];
    }),
  );
}

/** HEAD is what GET is without a body, and OPTIONS is for browsers: neither is described. */
const VERBS = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
  HEAD: null,
  OPTIONS: null,
} as const;

/** The document, for a service of this name at this address. */
export function describeService(options: { serviceName: string; baseUrl: string }) {
  return describeApi(listOperations(), options);
}
