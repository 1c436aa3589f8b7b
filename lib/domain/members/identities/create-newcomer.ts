import { createId } from '@/lib/core/ids';
import { cutText } from '@/lib/core/storable-text';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { insertOrganization } from '@/lib/domain/organizations/create-organization';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import type { PlanId } from '@/lib/plans/catalogue';
import { requireQuota } from '@/lib/plans/limits';
import type { Transaction } from '@/lib/platform/db/client';

type Newcomer = { email: string; name: string | null };

const MAX_NAME = 100;

/** Creates a user without a password in the caller's transaction and returns their ID. */
export async function createNewcomer(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  { email, name }: Newcomer,
): Promise<string> {
  const id = createId('user');
  const now = clock.now();
  const shown = name && cutText(name.trim(), MAX_NAME);
  await tx.user.create({ data: { id, email, name: shown || null, createdAt: now, updatedAt: now } });
  return id;
}

/** Makes a new user a member. Throws PLAN_LIMIT_EXCEEDED if the quota is used up. */
export async function joinOrganization(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  input: { organizationId: string; userId: string; email: string; role: Role; address: string | null },
): Promise<void> {
  const { organizationId, userId, email, role, address } = input;
  const plan = await lockOrganization(tx, organizationId);
  requireQuota(plan, 'members', await tx.membership.count({ where: { organizationId } }));
  await tx.membership.create({ data: { organizationId, userId, role, createdAt: clock.now() } });
  const ctx = { organizationId, actor: { kind: 'user', userId, role }, clock, address } as const;
  await recordAudit(tx, ctx, {
    action: 'member.join',
    subject: { id: userId, label: email },
    after: { role },
  });
}

/** Creates the organization of a new user who signed up, named after them until they rename it. */
export async function foundOrganization(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  input: Newcomer & { userId: string; plan: PlanId; address: string | null },
): Promise<void> {
  const { userId, plan, address, email } = input;
  const name = cutText(input.name?.trim() || email.replace(/@.*$/, ''), MAX_NAME);
  const id = createId('organization');
  await insertOrganization(tx, { id, name, plan, userId, now: clock.now() });
  const ctx = { organizationId: id, actor: { kind: 'user', userId, role: 'owner' }, clock, address } as const;
  await recordAudit(tx, ctx, {
    action: 'organization.create',
    subject: { id, label: name },
    after: { name, plan },
  });
}
