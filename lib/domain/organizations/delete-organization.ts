import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/notify';
import type { OrganizationName } from '@/lib/schemas/organization';
import { lockOrganization } from './lock-organization';

/** A large organization has many rows to go. */
const TIMEOUT_MS = 300_000;

/**
 * Deletes the organization and everything of it for good: monitors and their history, pages, webhook endpoints with what
 * still waited for them, keys, invitations, the audit log. People stay, with their other organizations. `name` is its name,
 * typed by the owner who asks. Throws FORBIDDEN, and VALIDATION_ERROR for another name.
 */
export async function deleteOrganization(
  ctx: OrganizationContext,
  { name }: OrganizationName,
): Promise<void> {
  requirePermission(ctx, 'organization.delete');
  const { organizationId: id } = ctx;
  await ctx.db.$transaction(
    async (tx) => {
      await lockOrganization(tx, id);
      await requireOwner(tx, ctx);
      const organization = await tx.organization.findUniqueOrThrow({ where: { id } });
      if (organization.name !== name) {
        const detail = { path: 'name', code: 'invalid', message: `must be “${organization.name}”` };
        throw new DomainError('VALIDATION_ERROR', 'The request is not valid: name.', [detail]);
      }
      // The engine takes these first and the organization after them: in its order, so that neither waits in a circle.
      await tx.$queryRaw`
        SELECT 1 FROM monitor_state WHERE monitor_id IN (SELECT id FROM monitor WHERE organization_id = ${id})
         ORDER BY monitor_id FOR UPDATE`;
      await tx.organization.delete({ where: { id } });
      await notify(tx, 'pharos_checks');
    },
    { timeout: TIMEOUT_MS },
  );
}

/** The role may have been taken since the request began. */
async function requireOwner(tx: Transaction, { organizationId, actor }: OrganizationContext): Promise<void> {
  if (actor.kind !== 'user') return;
  const { userId } = actor;
  const isOwner = await tx.membership.count({ where: { organizationId, userId, role: 'owner' } });
  if (isOwner === 0)
    throw new DomainError('FORBIDDEN', 'You are not an owner of this organization any more.');
}
