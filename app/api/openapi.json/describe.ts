import { type DescribedOperation, describeApi } from '@/lib/web/http/openapi';
import type { Method, NextHandler } from '@/lib/web/http/route';

/** All documented paths of the API. A test compares them with the folders. */
export const ROUTES: Record<string, () => Promise<Record<Method, NextHandler>>> = {
  '/api-keys/{id}/rotate': () => import('../api-keys/[id]/rotate/route'),
  '/api-keys/{id}': () => import('../api-keys/[id]/route'),
  '/api-keys': () => import('../api-keys/route'),
  '/audit': () => import('../audit/route'),
  '/deliveries/{id}/replay': () => import('../deliveries/[id]/replay/route'),
  '/deliveries/{id}': () => import('../deliveries/[id]/route'),
  '/deliveries': () => import('../deliveries/route'),
  '/health': () => import('../health/route'),
  '/incidents/{id}': () => import('../incidents/[id]/route'),
  '/incidents/{id}/updates': () => import('../incidents/[id]/updates/route'),
  '/incidents': () => import('../incidents/route'),
  '/invitations/{id}': () => import('../invitations/[id]/route'),
  '/invitations': () => import('../invitations/route'),
  '/live': () => import('../live/route'),
  '/maintenance/{id}/end': () => import('../maintenance/[id]/end/route'),
  '/maintenance/{id}': () => import('../maintenance/[id]/route'),
  '/maintenance': () => import('../maintenance/route'),
  '/me': () => import('../me/route'),
  '/members/{id}': () => import('../members/[id]/route'),
  '/members': () => import('../members/route'),
  '/monitors/{id}/backtest': () => import('../monitors/[id]/backtest/route'),
  '/monitors/{id}/results': () => import('../monitors/[id]/results/route'),
  '/monitors/{id}': () => import('../monitors/[id]/route'),
  '/monitors/{id}/stats': () => import('../monitors/[id]/stats/route'),
  '/monitors/{id}/transitions': () => import('../monitors/[id]/transitions/route'),
  '/monitors': () => import('../monitors/route'),
  '/monitors/test': () => import('../monitors/test/route'),
  '/status-pages/{slug}': () => import('../status-pages/[slug]/route'),
  '/status-pages/{slug}/subscribers/{id}': () => import('../status-pages/[slug]/subscribers/[id]/route'),
  '/status-pages/{slug}/subscribers': () => import('../status-pages/[slug]/subscribers/route'),
  '/status-pages/{slug}/verify-domain': () => import('../status-pages/[slug]/verify-domain/route'),
  '/status-pages/public': () => import('../status-pages/public/route'),
  '/status-pages': () => import('../status-pages/route'),
  '/webhooks/{id}/deliveries': () => import('../webhooks/[id]/deliveries/route'),
  '/webhooks/{id}/recover': () => import('../webhooks/[id]/recover/route'),
  '/webhooks/{id}/rotate-secret/finish': () => import('../webhooks/[id]/rotate-secret/finish/route'),
  '/webhooks/{id}/rotate-secret': () => import('../webhooks/[id]/rotate-secret/route'),
  '/webhooks/{id}': () => import('../webhooks/[id]/route'),
  '/webhooks/{id}/test': () => import('../webhooks/[id]/test/route'),
  '/webhooks': () => import('../webhooks/route'),
};

/** HEAD follows from GET, and OPTIONS is for browsers: neither is documented. */
const DOCUMENTED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Every operation of every route, in the format of the document. */
export async function listOperations(): Promise<DescribedOperation[]> {
  const routes = Object.entries(ROUTES).map(async ([path, load]) => {
    const handlers = await load();
    return DOCUMENTED.flatMap((verb) => {
      const { description } = handlers[verb];
      const method = verb.toLowerCase() as Lowercase<typeof verb>;
      return description ? [{ method, path, ...description }] : [];
    });
  });
  return (await Promise.all(routes)).flat();
}

/** The OpenAPI document of a service with this name and address. */
export async function describeService(options: { serviceName: string; baseUrl: string }) {
  return describeApi(await listOperations(), options);
}
