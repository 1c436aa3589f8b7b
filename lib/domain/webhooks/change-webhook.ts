import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { type Fields, recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/change-organization';
import { requireQuota } from '@/lib/plans/limits';
import type { Transaction } from '@/lib/platform/db/client';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import { isHostAllowed, type TargetPolicy } from '@/lib/platform/net/target-policy';
import { HIDDEN, hideUrl } from '@/lib/schemas/hidden';
import type { CreateWebhook, NewWebhook, RotateSecret, Webhook, WebhookChanges } from '@/lib/schemas/webhook';
import { endWaiting } from './endpoint-health';
import { getWebhook, serializeWebhook, webhookNotFound } from './read-webhooks';
import { generateWebhookSecret, openSigningSecrets, ROTATION_MS } from './sign';

/** Makes a webhook endpoint and shows its secret for the only time. Throws FORBIDDEN, BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED. */
export async function createWebhook(ctx: OrganizationContext, input: CreateWebhook): Promise<NewWebhook> {
  requirePermission(ctx, 'webhook.create');
  guardLiteralReceiver(ctx.targetPolicy, input.url);
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const id = createId('webhook');
  const secret = generateWebhookSecret();
  const row = await ctx.db.$transaction(async (tx) => {
    const plan = await lockOrganization(tx, organizationId);
    requireQuota(plan, 'webhooks', await tx.webhookEndpoint.count({ where: { organizationId } }));
    const made = await tx.webhookEndpoint.create({
      data: {
        id,
        organizationId,
        ...input,
        status: input.enabled ? 'active' : 'disabled',
        secretSealed: ctx.keyring.seal(secret, id),
        createdAt: now,
        updatedAt: now,
      },
    });
    const subject = auditSubject(made);
    await recordAudit(tx, ctx, { action: 'webhook.create', subject, after: auditedFields(made) });
    return made;
  });
  return { ...serializeWebhook(ctx, row), secret };
}

/**
 * Changes the fields given. What waits for an endpoint that is disabled ends as failed. What was held against one is
 * forgotten when it is enabled again or gets another address. A URL of a known host and `[hidden]` keeps the stored one.
 * Throws FORBIDDEN, NOT_FOUND, VALIDATION_ERROR for a `[hidden]` that cannot be kept, BLOCKED_TARGET.
 */
export async function updateWebhook(
  ctx: OrganizationContext,
  id: string,
  given: WebhookChanges,
): Promise<Webhook> {
  requirePermission(ctx, 'webhook.update');
  if (Object.keys(given).length > 0) {
    await ctx.db.$transaction(async (tx) => {
      const before = await lockWebhook(tx, ctx, id);
      const changes = keepHiddenUrl(given, before);
      if (given.url !== undefined) guardLiteralReceiver(ctx.targetPolicy, changes.url);
      const data = { ...changes, ...followHealth(before, changes), updatedAt: ctx.clock.now() };
      const after = await tx.webhookEndpoint.update({ where: { id }, data });
      if (before.enabled && !after.enabled) {
        await endWaiting(tx, { endpointId: id, reason: 'endpoint_disabled', at: ctx.clock.now() });
      }
      await recordAudit(tx, ctx, {
        action: 'webhook.update',
        subject: auditSubject(after),
        before: auditedFields(before),
        after: auditedFields(after),
      });
    });
  }
  return getWebhook(ctx, id);
}

/**
 * `given` with the stored URL in the place of the one that `hideUrl` shows. Throws VALIDATION_ERROR for any other
 * `[hidden]`.
 */
function keepHiddenUrl(given: WebhookChanges, { url: stored }: WebhookEndpoint) {
  const { url = stored } = given;
  if (url === hideUrl(stored)) return { ...given, url: stored };
  if (!url.includes(HIDDEN)) return { ...given, url };
  const message = `is hidden; send ${hideUrl(stored)} to keep the stored URL, or the whole of another one`;
  throw new DomainError('VALIDATION_ERROR', 'The request is not valid: url.', [
    { path: 'url', code: 'nothing_stored', message },
  ]);
}

function followHealth(before: WebhookEndpoint, changes: WebhookChanges) {
  const enabled = changes.enabled ?? before.enabled;
  if (!enabled) return { status: 'disabled' as const };
  const startsAfresh = !before.enabled || (changes.url ?? before.url) !== before.url;
  if (!startsAfresh) return {};
  return { status: 'active' as const, failingSince: null, failedDeliveries: 0, autoDisabledAt: null };
}

/** Deletes an endpoint and ends what waits for it as failed. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteWebhook(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'webhook.delete');
  await ctx.db.$transaction(async (tx) => {
    const row = await lockWebhook(tx, ctx, id);
    await tx.webhookEndpoint.delete({ where: { id } });
    await endWaiting(tx, { endpointId: id, reason: 'endpoint_deleted', at: ctx.clock.now() });
    const subject = auditSubject(row);
    await recordAudit(tx, ctx, { action: 'webhook.delete', subject, before: auditedFields(row) });
  });
  return { message: 'Webhook endpoint deleted' };
}

/** Locks an endpoint until the transaction ends. Throws NOT_FOUND. */
export async function lockWebhook(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<WebhookEndpoint> {
  await tx.$queryRaw`
    SELECT 1 FROM webhook_endpoint WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  const row = await tx.webhookEndpoint.findFirst({ where: { id, organizationId } });
  if (row === null) throw webhookNotFound();
  return row;
}

/** Refuses (CONFLICT) an endpoint that is disabled: nothing is sent to it, whoever asks. */
export function requireEnabled({ enabled }: Pick<WebhookEndpoint, 'enabled'>): void {
  if (enabled) return;
  throw new DomainError('CONFLICT', 'This webhook endpoint is disabled; enable it first.');
}

/** What the audit log calls an endpoint: its description, or the host it leads to. */
export function auditSubject({ id, description, url }: Pick<WebhookEndpoint, 'id' | 'description' | 'url'>) {
  return { id, label: description || new URL(url).host };
}

/** The fields of an endpoint that the audit log keeps. */
function auditedFields(row: WebhookEndpoint): Fields {
  const { url: receiver, description, events, format, enabled } = row;
  return { receiver, description, events, format, enabled };
}

/**
 * Refuses (BLOCKED_TARGET) a receiver at a literal address or local name that the policy closes; other names are
 * judged at connect time.
 */
export function guardLiteralReceiver(policy: TargetPolicy, url: string): void {
  if (isHostAllowed(new URL(url).hostname, policy)) return;
  throw new DomainError('BLOCKED_TARGET', 'This address may not be called from here.', [
    { path: 'url', code: 'blocked_target', message: 'is an address that may not be called from here' },
  ]);
}

/**
 * Makes a new secret and shows it for the only time. For 24 hours, or until the rotation is finished, the old one goes on
 * signing beside it; `immediate` ends every older secret at once. A rotation during a rotation replaces the new secret.
 * Throws FORBIDDEN and NOT_FOUND.
 */
export async function rotateSecret(
  ctx: OrganizationContext,
  id: string,
  { immediate }: RotateSecret,
): Promise<NewWebhook> {
  requirePermission(ctx, 'webhook.rotate-secret');
  const { keyring } = ctx;
  const now = ctx.clock.now();
  const secret = generateWebhookSecret();
  const row = await ctx.db.$transaction(async (tx) => {
    const before = await lockWebhook(tx, ctx, id);
    const { current } = openSigningSecrets(keyring, id, before, now);
    const secrets = immediate
      ? { secretSealed: keyring.seal(secret, id), nextSecretSealed: null, rotationEndsAt: null }
      : {
          secretSealed: keyring.seal(current, id),
          nextSecretSealed: keyring.seal(secret, id),
          rotationEndsAt: new Date(now.getTime() + ROTATION_MS),
        };
    const after = await tx.webhookEndpoint.update({ where: { id }, data: { ...secrets, updatedAt: now } });
    await recordAudit(tx, ctx, {
      action: 'webhook.rotate-secret',
      subject: auditSubject(after),
      after: { immediate, rotationEndsAt: after.rotationEndsAt },
    });
    return after;
  });
  return { ...serializeWebhook(ctx, row), secret };
}

/**
 * Ends a rotation: from now on the new secret alone signs. Where none is going on it changes nothing. Throws
 * FORBIDDEN and NOT_FOUND.
 */
export async function finishRotation(ctx: OrganizationContext, id: string): Promise<Webhook> {
  requirePermission(ctx, 'webhook.rotate-secret');
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const before = await lockWebhook(tx, ctx, id);
    const { nextSecretSealed: secretSealed } = before;
    if (secretSealed === null) return serializeWebhook(ctx, before);
    const secrets = { secretSealed, nextSecretSealed: null, rotationEndsAt: null };
    const row = await tx.webhookEndpoint.update({ where: { id }, data: { ...secrets, updatedAt: now } });
    await recordAudit(tx, ctx, {
      action: 'webhook.rotate-secret',
      subject: auditSubject(row),
      before: { rotationEndsAt: before.rotationEndsAt },
      after: { rotationEndsAt: null },
    });
    return serializeWebhook(ctx, row);
  });
}
