import { requireFound } from '@/lib/core/errors';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { type Database, joinTransaction } from '@/lib/platform/db/client';
import type { UpsertBody, Upserted } from '@/lib/schemas/bodies/upsert';
import type { CreateWebhook, NewWebhook, Webhook, WebhookChanges } from '@/lib/schemas/webhooks/webhook';
import { createWebhook, deleteWebhook, updateWebhook } from './change-webhook';
import { getWebhook } from './read-webhooks';

/** One endpoint by its `ref`. Throws NOT_FOUND, also for endpoints of other organizations. */
export async function getWebhookByRef(ctx: OrganizationContext, ref: string): Promise<Webhook> {
  return getWebhook(ctx, await findWebhookIdByRef(ctx, ref));
}

/** The ID of the endpoint with a `ref`. Throws NOT_FOUND like `getWebhook`. */
export async function findWebhookIdByRef(ctx: OrganizationContext, ref: string): Promise<string> {
  requirePermission(ctx, 'webhook.read');
  return requireFound(await findByRef(ctx.db, ctx, ref), 'Webhook endpoint');
}

/** Creates the endpoint with a `ref`, with its secret, or changes it. Throws what creating and changing it throw. */
export async function upsertWebhook(
  ctx: OrganizationContext,
  ref: string,
  body: UpsertBody<CreateWebhook, WebhookChanges>,
): Promise<Upserted<NewWebhook, Webhook>> {
  requirePermission(ctx, 'webhook.create');
  return ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, ctx.organizationId);
    const inside = { ...ctx, db: joinTransaction(tx) };
    // Locked, so that it is not deleted meanwhile.
    const [found] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM webhook_endpoint WHERE organization_id = ${ctx.organizationId} AND ref = ${ref} FOR UPDATE`;
    if (found) return { isCreated: false, resource: await updateWebhook(inside, found.id, body.changes()) };
    requireExpectedVersion(ctx, { version: null });
    return { isCreated: true, resource: await createWebhook(inside, body.creation()) };
  });
}

/** Deletes the endpoint with a `ref`. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteWebhookByRef(
  ctx: OrganizationContext,
  ref: string,
): Promise<{ message: string }> {
  requirePermission(ctx, 'webhook.delete');
  return ctx.db.$transaction(async (tx) => {
    // Nobody gives the ref to another endpoint meanwhile.
    await lockOrganization(tx, ctx.organizationId);
    const id = requireFound(await findByRef(tx, ctx, ref), 'Webhook endpoint');
    return deleteWebhook({ ...ctx, db: joinTransaction(tx) }, id);
  });
}

async function findByRef(
  db: Pick<Database, 'webhookEndpoint'>,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  ref: string,
): Promise<string | null> {
  const row = await db.webhookEndpoint.findFirst({ where: { organizationId, ref }, select: { id: true } });
  return row?.id ?? null;
}
