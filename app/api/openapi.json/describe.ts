import { type DescribedOperation, describeApi } from '@/lib/web/http/openapi';
import { METHODS, type Method, type NextHandler } from '@/lib/web/http/route';
import * as apiKeysIdRotate from '../api-keys/[id]/rotate/route';
import * as apiKeysId from '../api-keys/[id]/route';
import * as apiKeys from '../api-keys/route';
import * as audit from '../audit/route';
import * as deliveriesIdReplay from '../deliveries/[id]/replay/route';
import * as deliveriesId from '../deliveries/[id]/route';
import * as deliveries from '../deliveries/route';
import * as health from '../health/route';
import * as incidentsId from '../incidents/[id]/route';
import * as incidentsIdUpdates from '../incidents/[id]/updates/route';
import * as incidents from '../incidents/route';
import * as invitationsId from '../invitations/[id]/route';
import * as invitations from '../invitations/route';
import * as live from '../live/route';
import * as maintenanceIdEnd from '../maintenance/[id]/end/route';
import * as maintenanceId from '../maintenance/[id]/route';
import * as maintenance from '../maintenance/route';
import * as me from '../me/route';
import * as membersId from '../members/[id]/route';
import * as members from '../members/route';
import * as monitorsIdBacktest from '../monitors/[id]/backtest/route';
import * as monitorsIdResults from '../monitors/[id]/results/route';
import * as monitorsId from '../monitors/[id]/route';
import * as monitorsIdStats from '../monitors/[id]/stats/route';
import * as monitorsIdTransitions from '../monitors/[id]/transitions/route';
import * as monitors from '../monitors/route';
import * as monitorsTest from '../monitors/test/route';
import * as statusPagesSlug from '../status-pages/[slug]/route';
import * as statusPagesSlugSubscribersId from '../status-pages/[slug]/subscribers/[id]/route';
import * as statusPagesSlugSubscribers from '../status-pages/[slug]/subscribers/route';
import * as statusPagesSlugVerifyDomain from '../status-pages/[slug]/verify-domain/route';
import * as statusPagesPublic from '../status-pages/public/route';
import * as statusPages from '../status-pages/route';
import * as webhooksIdDeliveries from '../webhooks/[id]/deliveries/route';
import * as webhooksIdRecover from '../webhooks/[id]/recover/route';
import * as webhooksIdRotateSecretFinish from '../webhooks/[id]/rotate-secret/finish/route';
import * as webhooksIdRotateSecret from '../webhooks/[id]/rotate-secret/route';
import * as webhooksId from '../webhooks/[id]/route';
import * as webhooksIdTest from '../webhooks/[id]/test/route';
import * as webhooks from '../webhooks/route';

/** All documented paths of the API. A test compares them with the folders. */
export const ROUTES: Record<string, Record<Method, NextHandler>> = {
  '/api-keys/{id}/rotate': apiKeysIdRotate,
  '/api-keys/{id}': apiKeysId,
  '/api-keys': apiKeys,
  '/audit': audit,
  '/deliveries/{id}/replay': deliveriesIdReplay,
  '/deliveries/{id}': deliveriesId,
  '/deliveries': deliveries,
  '/health': health,
  '/incidents/{id}': incidentsId,
  '/incidents/{id}/updates': incidentsIdUpdates,
  '/incidents': incidents,
  '/invitations/{id}': invitationsId,
  '/invitations': invitations,
  '/live': live,
  '/maintenance/{id}/end': maintenanceIdEnd,
  '/maintenance/{id}': maintenanceId,
  '/maintenance': maintenance,
  '/me': me,
  '/members/{id}': membersId,
  '/members': members,
  '/monitors/{id}/backtest': monitorsIdBacktest,
  '/monitors/{id}/results': monitorsIdResults,
  '/monitors/{id}': monitorsId,
  '/monitors/{id}/stats': monitorsIdStats,
  '/monitors/{id}/transitions': monitorsIdTransitions,
  '/monitors': monitors,
  '/monitors/test': monitorsTest,
  '/status-pages/{slug}': statusPagesSlug,
  '/status-pages/{slug}/subscribers/{id}': statusPagesSlugSubscribersId,
  '/status-pages/{slug}/subscribers': statusPagesSlugSubscribers,
  '/status-pages/{slug}/verify-domain': statusPagesSlugVerifyDomain,
  '/status-pages/public': statusPagesPublic,
  '/status-pages': statusPages,
  '/webhooks/{id}/deliveries': webhooksIdDeliveries,
  '/webhooks/{id}/recover': webhooksIdRecover,
  '/webhooks/{id}/rotate-secret/finish': webhooksIdRotateSecretFinish,
  '/webhooks/{id}/rotate-secret': webhooksIdRotateSecret,
  '/webhooks/{id}': webhooksId,
  '/webhooks/{id}/test': webhooksIdTest,
  '/webhooks': webhooks,
};

/** Every operation of every route, in the format of the document. */
export function listOperations(): DescribedOperation[] {
  return Object.entries(ROUTES).flatMap(([path, handlers]) =>
    METHODS.flatMap((method) => {
      const { description } = handlers[method];
      const verb = VERBS[method];
      return description && verb ? [{ method: verb, path, ...description }] : [];
    }),
  );
}

/** HEAD follows from GET, and OPTIONS is for browsers: neither is documented. */
const VERBS = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
  HEAD: null,
  OPTIONS: null,
} as const;

/** The OpenAPI document of a service with this name and address. */
export function describeService(options: { serviceName: string; baseUrl: string }) {
  return describeApi(listOperations(), options);
}
