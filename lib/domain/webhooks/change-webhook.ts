import { DomainError, requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { type Fields, recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { refTaken } from '@/lib/domain/organizations/ref-taken';
import { requireRuleMonitors } from '@/lib/domain/organizations/require-rule-monitors';
import { requireQuota } from '@/lib/plans/require-quota';
import type { Transaction } from '@/lib/platform/db/client';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import { isHostAllowed, type TargetPolicy } from '@/lib/platform/net/target-policy';
import { storedRulesSchema } from '@/lib/schemas/webhooks/rules';
import type {
  CreateWebhook,
  NewWebhook,
  RotateSecret,
  Webhook,
  WebhookChanges,
} from '@/lib/schemas/webhooks/webhook';
import { sealCredentials, sealHeaders } from './credentials';
import { failPending } from './endpoint-health';
import { dropMessages } from './messages/lease-message';
import { getWebhook, serializeWebhook } from './read-webhooks';
import { resolveChanges } from './resolve-changes';
import { generateWebhookSecret, openSigningSecrets, ROTATION_MS } from './sign';
import { renderSamples, requireRendering } from './templates/require-rendering';

/**
 * Creates a webhook endpoint and returns its secret, only once. Throws FORBIDDEN, BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED,
 * UNKNOWN_MONITOR for one in its rules, and REF_TAKEN if another endpoint of the organization has the same `ref`.
 */
export async function createWebhook(ctx: OrganizationContext, given: CreateWebhook): Promise<NewWebhook> {
  requirePermission(ctx, 'webhook.create');
  const { credentials, headers, ...input } = given;
  guardLiteralReceiver(ctx.targetPolicy, input.url);
  if (input.template !== null)
    requireRendering(await renderSamples(ctx.organizationId, input.template), headers);
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const id = createId('webhook');
  const secret = generateWebhookSecret();
  const row = await ctx.db.$transaction(async (tx) => {
    const plan = await lockOrganization(tx, organizationId);
    requireQuota(plan, 'webhooks', await tx.webhookEndpoint.count({ where: { organizationId } }));
    await requireFreeRef(tx, ctx, input.ref);
    await requireRuleMonitors(tx, organizationId, input.rules);
    const created = await tx.webhookEndpoint.create({
      data: {
        id,
        organizationId,
        ...input,
        status: input.enabled ? 'active' : 'disabled',
        secretSealed: ctx.keyring.seal(secret, id),
        credentialsSealed: sealCredentials(ctx.keyring, id, credentials),
        headersSealed: sealHeaders(ctx.keyring, id, headers),
        createdAt: now,
        updatedAt: now,
      },
    });
    const subject = auditSubject(created);
    await recordAudit(tx, ctx, { action: 'webhook.create', subject, after: auditedFields(created) });
    return created;
  });
  return { ...serializeWebhook(ctx, row), secret };
}

/**
 * Changes the given fields. Disabling an endpoint fails its pending deliveries; enabling it or changing its URL resets its
 * failures. What is hidden is kept. Throws FORBIDDEN, NOT_FOUND, VALIDATION_ERROR as `resolveChanges` does, BLOCKED_TARGET,
 * UNKNOWN_MONITOR for one that its rules did not name before, and REF_TAKEN for a `ref` in use.
 */
export async function updateWebhook(
  ctx: OrganizationContext,
  id: string,
  given: WebhookChanges,
): Promise<Webhook> {
  requirePermission(ctx, 'webhook.update');
  if (Object.keys(given).length > 0) {
    // Before anything is locked. An endpoint of another organization is not found below.
    const samples = given.template == null ? [] : await renderSamples(ctx.organizationId, given.template);
    await ctx.db.$transaction(async (tx) => {
      if (given.ref !== undefined) await lockOrganization(tx, ctx.organizationId);
      const before = await lockWebhook(tx, ctx, id);
      requireExpectedVersion(ctx, before);
      if (given.ref !== before.ref) await requireFreeRef(tx, ctx, given.ref);
      const changes = resolveChanges(ctx.keyring, before, given, samples);
      const stored = storedRulesSchema.parse(before.rules);
      await requireRuleMonitors(tx, ctx.organizationId, given.rules ?? [], stored);
      if (changes.url !== undefined) guardLiteralReceiver(ctx.targetPolicy, changes.url);
      const data = { ...changes, ...followHealth(before, changes), updatedAt: ctx.clock.now() };
      const after = await tx.webhookEndpoint.update({ where: { id }, data });
      if (goesElsewhere(before, changes)) await dropMessages(tx, id);
      if (before.enabled && !after.enabled) {
        await failPending(tx, { endpointId: id, reason: 'endpoint_disabled', at: ctx.clock.now() });
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

/** Throws REF_TAKEN if an endpoint of the organization, which is locked, has this `ref`. */
async function requireFreeRef(tx: Transaction, { organizationId }: OrganizationContext, ref?: string | null) {
  if (ref === null || ref === undefined) return;
  if ((await tx.webhookEndpoint.count({ where: { organizationId, ref } })) > 0) {
    throw refTaken('webhook endpoint');
  }
}

/** Whether messages that were sent before cannot be edited from now on, or not with these credentials. */
function goesElsewhere(
  before: Pick<WebhookEndpoint, 'url' | 'format'>,
  changes: { url?: string; format?: string; credentialsSealed?: unknown },
): boolean {
  const { url = before.url, format = before.format, credentialsSealed } = changes;
  return url !== before.url || format !== before.format || credentialsSealed !== undefined;
}

function followHealth(before: WebhookEndpoint, changes: { enabled?: boolean; url?: string }) {
  const enabled = changes.enabled ?? before.enabled;
  if (!enabled) return { status: 'disabled' as const };
  const resets = !before.enabled || (changes.url ?? before.url) !== before.url;
  if (!resets) return {};
  return { status: 'active' as const, failingSince: null, failedDeliveries: 0, autoDisabledAt: null };
}

/** Deletes an endpoint and fails its pending deliveries. Throws FORBIDDEN and NOT_FOUND. */
export async function deleteWebhook(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'webhook.delete');
  await ctx.db.$transaction(async (tx) => {
    const row = await lockWebhook(tx, ctx, id);
    requireExpectedVersion(ctx, row);
    await tx.webhookEndpoint.delete({ where: { id } });
    await failPending(tx, { endpointId: id, reason: 'endpoint_deleted', at: ctx.clock.now() });
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
  return requireFound(row, 'Webhook endpoint');
}

/** Throws ENDPOINT_DISABLED for a disabled endpoint. */
export function requireEnabled({ enabled }: Pick<WebhookEndpoint, 'enabled'>): void {
  if (enabled) return;
  throw new DomainError('ENDPOINT_DISABLED', 'This webhook endpoint is disabled. Enable it first.');
}

/** An endpoint as an audit log subject, named by its description or host. */
export function auditSubject({ id, description, url }: Pick<WebhookEndpoint, 'id' | 'description' | 'url'>) {
  return { id, label: description || new URL(url).host };
}

/** The fields of an endpoint in the audit log. */
function auditedFields(row: WebhookEndpoint): Fields {
  const {
    url: receiver,
    description,
    events,
    rules,
    format,
    template,
    acknowledgeLinks,
    credentialsSealed,
    headersSealed,
    ref,
    enabled,
  } = row;
  // Their bytes differ if they were changed; the log shows neither.
  const credentials = credentialsSealed && Buffer.from(credentialsSealed).toString('base64');
  const headers = headersSealed && Buffer.from(headersSealed).toString('base64');
  return {
    receiver,
    description,
    events,
    rules,
    format,
    credentials,
    headers,
    template,
    acknowledgeLinks,
    ref,
    enabled,
  };
}

/** Throws BLOCKED_TARGET for a literal address or local name that the policy blocks; other names are checked when connecting. */
export function guardLiteralReceiver(policy: TargetPolicy, url: string): void {
  if (isHostAllowed(new URL(url).hostname, policy)) return;
  throw new DomainError('BLOCKED_TARGET', 'Requests to this address are blocked.', [
    { path: 'url', code: 'blocked_target', message: 'is a blocked address' },
  ]);
}

/**
 * Creates a new secret and returns it, only once. Both secrets sign for 24 hours or until the rotation is finished; `immediate`
 * ends the old one right away. A rotation during a rotation replaces the new secret. Throws FORBIDDEN and NOT_FOUND.
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

/** Finishes a rotation: only the new secret signs from now on. Idempotent. Throws FORBIDDEN and NOT_FOUND. */
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
