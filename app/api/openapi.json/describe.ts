import { z } from 'zod';
import { type DescribedOperation, describeApi } from '@/lib/web/http/openapi/describe-api';
import type { Method, NextHandler } from '@/lib/web/http/route';

/** All documented paths of the API. A test compares them with the folders. */
export const ROUTES: Record<string, () => Promise<Record<Method, NextHandler>>> = {
  '/api-keys/{id}/rotate': () => import('../api-keys/[id]/rotate/route'),
  '/api-keys/{id}': () => import('../api-keys/[id]/route'),
  '/api-keys': () => import('../api-keys/route'),
  '/audit/export': () => import('../audit/export/route'),
  '/audit': () => import('../audit/route'),
  '/deliveries/{id}/replay': () => import('../deliveries/[id]/replay/route'),
  '/deliveries/{id}': () => import('../deliveries/[id]/route'),
  '/deliveries': () => import('../deliveries/route'),
  '/events/{id}': () => import('../events/[id]/route'),
  '/events': () => import('../events/route'),
  '/health': () => import('../health/route'),
  '/incident-templates/{id}': () => import('../incident-templates/[id]/route'),
  '/incident-templates': () => import('../incident-templates/route'),
  '/incidents/{id}/acknowledge': () => import('../incidents/[id]/acknowledge/route'),
  '/incidents/{id}': () => import('../incidents/[id]/route'),
  '/incidents/{id}/updates/{updateId}': () => import('../incidents/[id]/updates/[updateId]/route'),
  '/incidents/{id}/updates': () => import('../incidents/[id]/updates/route'),
  '/incidents': () => import('../incidents/route'),
  '/internal/tls-allowed': () => import('../internal/tls-allowed/route'),
  '/invitations/{id}': () => import('../invitations/[id]/route'),
  '/invitations': () => import('../invitations/route'),
  '/live': () => import('../live/route'),
  '/maintenance/{id}/end': () => import('../maintenance/[id]/end/route'),
  '/maintenance/{id}': () => import('../maintenance/[id]/route'),
  '/maintenance': () => import('../maintenance/route'),
  '/me': () => import('../me/route'),
  '/members/{id}': () => import('../members/[id]/route'),
  '/members': () => import('../members/route'),
  '/monitors/bulk': () => import('../monitors/bulk/route'),
  '/monitors/by-ref/{ref}': () => import('../monitors/by-ref/[ref]/route'),
  '/monitors/{id}/backtest': () => import('../monitors/[id]/backtest/route'),
  '/monitors/{id}/check': () => import('../monitors/[id]/check/route'),
  '/monitors/{id}/corrections/{correctionId}': () =>
    import('../monitors/[id]/corrections/[correctionId]/route'),
  '/monitors/{id}/corrections': () => import('../monitors/[id]/corrections/route'),
  '/monitors/{id}/evidence': () => import('../monitors/[id]/evidence/route'),
  '/monitors/{id}/listeners': () => import('../monitors/[id]/listeners/route'),
  '/monitors/{id}/results': () => import('../monitors/[id]/results/route'),
  '/monitors/{id}/rotate-heartbeat': () => import('../monitors/[id]/rotate-heartbeat/route'),
  '/monitors/{id}': () => import('../monitors/[id]/route'),
  '/monitors/{id}/stats': () => import('../monitors/[id]/stats/route'),
  '/monitors/{id}/transitions': () => import('../monitors/[id]/transitions/route'),
  '/monitors': () => import('../monitors/route'),
  '/monitors/test': () => import('../monitors/test/route'),
  '/status-pages/{slug}': () => import('../status-pages/[slug]/route'),
  '/status-pages/{slug}/subscribers/export': () => import('../status-pages/[slug]/subscribers/export/route'),
  '/status-pages/{slug}/subscribers/import': () => import('../status-pages/[slug]/subscribers/import/route'),
  '/status-pages/{slug}/subscribers/{id}': () => import('../status-pages/[slug]/subscribers/[id]/route'),
  '/status-pages/{slug}/subscribers': () => import('../status-pages/[slug]/subscribers/route'),
  '/status-pages/{slug}/tokens/{tokenId}/rotate': () =>
    import('../status-pages/[slug]/tokens/[tokenId]/rotate/route'),
  '/status-pages/{slug}/tokens/{tokenId}': () => import('../status-pages/[slug]/tokens/[tokenId]/route'),
  '/status-pages/{slug}/tokens': () => import('../status-pages/[slug]/tokens/route'),
  '/status-pages/{slug}/verify-domain': () => import('../status-pages/[slug]/verify-domain/route'),
  '/status-pages/public': () => import('../status-pages/public/route'),
  '/regions': () => import('../regions/route'),
  '/regions/{id}/probes': () => import('../regions/[id]/probes/route'),
  '/regions/{id}/tokens/{tokenId}/rotate': () => import('../regions/[id]/tokens/[tokenId]/rotate/route'),
  '/regions/{id}/tokens/{tokenId}': () => import('../regions/[id]/tokens/[tokenId]/route'),
  '/regions/{id}/tokens': () => import('../regions/[id]/tokens/route'),
  '/regions/{id}': () => import('../regions/[id]/route'),
  '/reports/uptime': () => import('../reports/uptime/route'),
  '/reports/uptime/export': () => import('../reports/uptime/export/route'),
  '/status-pages': () => import('../status-pages/route'),
  '/webhooks/by-ref/{ref}': () => import('../webhooks/by-ref/[ref]/route'),
  '/webhooks/{id}/deliveries': () => import('../webhooks/[id]/deliveries/route'),
  '/webhooks/{id}/recover': () => import('../webhooks/[id]/recover/route'),
  '/webhooks/{id}/rotate-secret/finish': () => import('../webhooks/[id]/rotate-secret/finish/route'),
  '/webhooks/{id}/rotate-secret': () => import('../webhooks/[id]/rotate-secret/route'),
  '/webhooks/{id}': () => import('../webhooks/[id]/route'),
  '/webhooks/{id}/test': () => import('../webhooks/[id]/test/route'),
  '/webhooks': () => import('../webhooks/route'),
};

/** The operation of the document itself, whose route needs all others. */
const DOCUMENT: DescribedOperation = {
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenApiDocument',
  summary: 'Retrieve this document',
  scope: 'public',
  output: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }),
  status: 200,
  isPaged: false,
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
  return [...(await Promise.all(routes)).flat(), DOCUMENT];
}

/** Stands for the address, which may come from a request, while the document is composed once for all. */
const ANY_URL = 'https://pharos.invalid/api';
const texts = new Map<string, Promise<string>>();

/** The OpenAPI document of a service with this name and address, as JSON. `baseUrl` ends in `/api`. */
export async function writeDocument({ serviceName, baseUrl }: { serviceName: string; baseUrl: string }) {
  const known = texts.get(serviceName) ?? composeDocument(serviceName);
  texts.set(serviceName, known);
  const docsUrl = (url: string) => url.replace(/\/api$/, '/docs');
  return (await known).replace(ANY_URL, baseUrl).replace(docsUrl(ANY_URL), docsUrl(baseUrl));
}

async function composeDocument(serviceName: string): Promise<string> {
  return JSON.stringify(describeApi(await listOperations(), { serviceName, baseUrl: ANY_URL }));
}
