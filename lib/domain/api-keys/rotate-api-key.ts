import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Transaction } from '@/lib/platform/db/client';
import type { ApiKey } from '@/lib/platform/db/generated/client';
import type { NewApiKey, RotateApiKey } from '@/lib/schemas/api-key';
import { createApiKey } from './change-api-keys';
import { apiKeyNotFound, getApiKey } from './read-api-keys';

const HOUR = 3_600_000;

/**
 * Makes a key of the same name and scope, shown for the only time; the old one ends after the overlap, or earlier where it
 * would have. A key that had a lifetime gives its successor the same. Throws FORBIDDEN, NOT_FOUND, and CONFLICT for a key
 * that works no more.
 */
export async function rotateApiKey(
  ctx: OrganizationContext,
  id: string,
  { overlapHours }: RotateApiKey,
): Promise<NewApiKey> {
  requirePermission(ctx, 'api-key.rotate');
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const made = await ctx.db.$transaction(async (tx) => {
    const old = await lockWorkingKey(tx, { id, organizationId, now });
    const { name, scope, lineageId, createdAt } = old;
    const lifetime = old.expiresAt && old.expiresAt.getTime() - createdAt.getTime();
    const expiresAt = lifetime && new Date(now.getTime() + lifetime);
    const overlapEnd = new Date(now.getTime() + overlapHours * HOUR);
    const oldEnd = old.expiresAt && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
    await tx.apiKey.update({ where: { id }, data: { expiresAt: oldEnd } });
    const made = await createApiKey(tx, {
      organizationId,
      now,
      name,
      scope,
      lineageId,
      expiresAt: expiresAt || null,
    });
    const after = { worksUntil: oldEnd, successor: made.id };
    await recordAudit(tx, ctx, { action: 'api-key.rotate', subject: { id, label: name }, after });
    return made;
  });
  return { ...(await getApiKey(ctx, made.id)), apiKey: made.key };
}

async function lockWorkingKey(
  tx: Transaction,
  { id, organizationId, now }: { id: string; organizationId: string; now: Date },
): Promise<ApiKey> {
  await tx.$queryRaw`SELECT 1 FROM api_key WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
  const key = await tx.apiKey.findFirst({ where: { id, organizationId } });
  if (key === null) throw apiKeyNotFound();
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
    throw new DomainError('CONFLICT', 'This key is revoked or expired; make a new one instead.');
  }
  return key;
}
