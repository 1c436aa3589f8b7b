import { invalidField, requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import { endOfReplaced } from '@/lib/domain/tokens/token-life';
import type { Transaction } from '@/lib/platform/db/client';
import type { ApiKey as Row } from '@/lib/platform/db/generated/client';
import type { ApiKey, ApiKeyChanges, CreateApiKey, NewApiKey, RotateApiKey } from '@/lib/schemas/api-key';
import { apiKeyHint, generateApiKey, hashApiKey } from './key-format';
import { getApiKey } from './read-api-keys';

/** Creates a key and returns it in clear text, only once. Throws FORBIDDEN, and VALIDATION_ERROR for an expiry in the past. */
export async function issueApiKey(ctx: OrganizationContext, input: CreateApiKey): Promise<NewApiKey> {
  requirePermission(ctx, 'api-key.create');
  requireRecentFactor(ctx);
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  if (input.expiresAt !== null && input.expiresAt <= now) {
    throw invalidField('expiresAt', 'must be in the future');
  }
  const { id, key } = await ctx.db.$transaction(async (tx) => {
    const created = await createApiKey(tx, { organizationId, now, ...input });
    const subject = { id: created.id, label: input.name };
    await recordAudit(tx, ctx, { action: 'api-key.create', subject, after: input });
    return created;
  });
  return { ...(await getApiKey(ctx, id)), apiKey: key };
}

/** Renames a key; does nothing without a name. Throws FORBIDDEN and NOT_FOUND. */
export async function updateApiKey(
  ctx: OrganizationContext,
  id: string,
  { name }: ApiKeyChanges,
): Promise<ApiKey> {
  requirePermission(ctx, 'api-key.update');
  requireRecentFactor(ctx);
  if (name !== undefined) {
    await ctx.db.$transaction(async (tx) => {
      const before = await lockKey(tx, ctx, id);
      requireExpectedVersion(ctx, before);
      await tx.apiKey.update({ where: { id }, data: { name } });
      const subject = { id, label: name };
      await recordAudit(tx, ctx, {
        action: 'api-key.update',
        subject,
        before: { name: before.name },
        after: { name },
      });
    });
  }
  return getApiKey(ctx, id);
}

/** Revokes a key immediately, even the caller's own; its record is kept. Idempotent. Throws FORBIDDEN and NOT_FOUND. */
export async function revokeApiKey(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'api-key.revoke');
  requireRecentFactor(ctx);
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const before = await lockKey(tx, ctx, id);
    requireExpectedVersion(ctx, before);
    if (before.revokedAt !== null) return;
    const revokedAt = now;
    await tx.apiKey.update({ where: { id }, data: { revokedAt } });
    const subject = { id, label: before.name };
    await recordAudit(tx, ctx, { action: 'api-key.revoke', subject, after: { revokedAt } });
  });
  return { message: 'API key revoked' };
}

/**
 * Replaces a key with a new one of the same name, scope and lifetime, returned in clear text only once. The old key expires
 * after the overlap, or earlier if it was due to. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR for a revoked or expired key.
 */
export async function rotateApiKey(
  ctx: OrganizationContext,
  id: string,
  { overlapHours }: RotateApiKey,
): Promise<NewApiKey> {
  requirePermission(ctx, 'api-key.rotate');
  requireRecentFactor(ctx);
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const successor = await ctx.db.$transaction(async (tx) => {
    const old = await lockKey(tx, ctx, id);
    const oldEnd = endOfReplaced('key', old, overlapHours, now);
    const { name, scope, lineageId, createdAt } = old;
    const lifetime = old.expiresAt && old.expiresAt.getTime() - createdAt.getTime();
    const expiresAt = lifetime ? new Date(now.getTime() + lifetime) : null;
    await tx.apiKey.update({ where: { id }, data: { expiresAt: oldEnd } });
    const created = await createApiKey(tx, { organizationId, now, name, scope, lineageId, expiresAt });
    const after = { worksUntil: oldEnd, successor: created.id };
    await recordAudit(tx, ctx, { action: 'api-key.rotate', subject: { id, label: name }, after });
    return created;
  });
  return { ...(await getApiKey(ctx, successor.id)), apiKey: successor.key };
}

/** Locks a key until the transaction ends. Throws NOT_FOUND. */
async function lockKey(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<Row> {
  await tx.$queryRaw`SELECT 1 FROM api_key WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  return requireFound(await tx.apiKey.findFirst({ where: { id, organizationId } }), 'API key');
}

/** Creates a key, in clear text in the return value only. A key that replaces another one by rotation keeps its `lineageId`. */
export async function createApiKey(
  tx: Transaction,
  { now, lineageId, ...fields }: CreateApiKey & { organizationId: string; now: Date; lineageId?: string },
): Promise<{ id: string; key: string }> {
  const key = generateApiKey();
  const id = createId('apiKey');
  const stored = { hash: hashApiKey(key), hint: apiKeyHint(key) };
  await tx.apiKey.create({ data: { id, ...fields, ...stored, lineageId: lineageId ?? id, createdAt: now } });
  return { id, key };
}
