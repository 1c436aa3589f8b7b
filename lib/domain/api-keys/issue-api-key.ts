import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { CreateApiKey, NewApiKey } from '@/lib/schemas/api-key';
import { createApiKey } from './change-api-keys';
import { getApiKey } from './read-api-keys';

/** Makes a key and shows it for the only time. Throws FORBIDDEN, and VALIDATION_ERROR for an expiry that lies behind. */
export async function issueApiKey(ctx: OrganizationContext, input: CreateApiKey): Promise<NewApiKey> {
  requirePermission(ctx, 'api-key.create');
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  if (input.expiresAt !== null && input.expiresAt <= now) {
    const detail = { path: 'expiresAt', code: 'invalid', message: 'must be in the future' };
    throw new DomainError('VALIDATION_ERROR', 'The request is not valid: expiresAt.', [detail]);
  }
  const { id, key } = await ctx.db.$transaction(async (tx) => {
    const made = await createApiKey(tx, { organizationId, now, ...input });
    const subject = { id: made.id, label: input.name };
    await recordAudit(tx, ctx, { action: 'api-key.create', subject, after: input });
    return made;
  });
  return { ...(await getApiKey(ctx, id)), apiKey: key };
}
