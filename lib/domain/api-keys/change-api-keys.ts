import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Transaction } from '@/lib/platform/db/client';
import type { ApiKey, ApiKeyChanges } from '@/lib/schemas/api-key';
import { apiKeyHint, generateApiKey, hashApiKey } from './key-format';
import { apiKeyNotFound, getApiKey } from './read-api-keys';

export type NewApiKey = { name: string; scope: 'read' | 'write'; expiresAt: Date | null };

/**
 * Creates a key of the organization and returns it in clear text, for the only time. One that replaces another by rotation
 * carries on its `lineageId`.
 */
export async function createApiKey(
  tx: Transaction,
  {
    organizationId,
    now,
    name,
    scope,
    expiresAt,
    lineageId,
  }: NewApiKey & { organizationId: string; now: Date; lineageId?: string },
): Promise<{ id: string; key: string }> {
  const key = generateApiKey();
  const id = createId('apiKey');
  await tx.apiKey.create({
    data: {
      id,
      organizationId,
      name,
      scope,
      lineageId: lineageId ?? id,
      expiresAt,
      hash: hashApiKey(key),
      hint: apiKeyHint(key),
      createdAt: now,
    },
  });
  return { id, key };
}

/** Renames a key; without a name it changes nothing. Throws FORBIDDEN and NOT_FOUND. */
export async function updateApiKey(
  ctx: OrganizationContext,
  id: string,
  { name }: ApiKeyChanges,
): Promise<ApiKey> {
  requirePermission(ctx, 'api-key.update');
  if (name !== undefined) {
    await ctx.db.$transaction(async (tx) => {
      const where = { id, organizationId: ctx.organizationId };
      const before = await tx.apiKey.findFirst({ where, select: { name: true } });
      if (before === null) throw apiKeyNotFound();
      await tx.apiKey.update({ where: { id }, data: { name } });
      const subject = { id, label: name };
      await recordAudit(tx, ctx, { action: 'api-key.update', subject, before, after: { name } });
    });
  }
  return getApiKey(ctx, id);
}

/**
 * Ends a key at once, the caller's own included; its record stays. Revoking it again changes nothing. Throws FORBIDDEN and
 * NOT_FOUND.
 */
export async function revokeApiKey(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'api-key.revoke');
  const { name } = await getApiKey(ctx, id);
  const revokedAt = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const where = { id, organizationId: ctx.organizationId, revokedAt: null };
    const { count } = await tx.apiKey.updateMany({ where, data: { revokedAt } });
    if (count === 0) return;
    const subject = { id, label: name };
    await recordAudit(tx, ctx, { action: 'api-key.revoke', subject, after: { revokedAt } });
  });
  return { message: 'API key revoked' };
}
