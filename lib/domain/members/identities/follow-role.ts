import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import type { Transaction } from '@/lib/platform/db/client';
import { setRole } from '../change-members';

type Following = { organizationId: string; userId: string; role: Role; address: string | null };

/**
 * Gives a member the role that their provider states, in the caller's transaction. The last owner keeps theirs, and people who are
 * not members stay so.
 */
export async function followRole(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  { organizationId, userId, role, address }: Following,
): Promise<void> {
  const readRole = async () => {
    const where = { organizationId_userId: { organizationId, userId } };
    return (await tx.membership.findUnique({ where, select: { role: true } }))?.role ?? null;
  };
  const seen = await readRole();
  if (seen === null || seen === role) return;
  await lockOrganization(tx, organizationId);
  const former = await readRole();
  if (former === null || former === role) return;
  if (former === 'owner') {
    const where = { organizationId, role: 'owner', userId: { not: userId } } as const;
    if ((await tx.membership.count({ where })) === 0) return;
  }
  const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  await setRole(tx, { organizationId, userId, role });
  const actor = { kind: 'user', userId, role: former } as const;
  await recordAudit(
    tx,
    { organizationId, actor, clock, address },
    {
      action: 'member.change',
      subject: { id: userId, label: email },
      before: { role: former },
      after: { role, by: 'provider' },
    },
  );
}
