import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { ApiKey, ApiKeyChanges } from '@/lib/schemas/api-key';
import { apiKeyNotFound, getApiKey } from './read-api-keys';

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
