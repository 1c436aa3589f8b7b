import { invalidField, invalidState, requireFound } from '@/lib/core/errors';
import { recordAudits } from '@/lib/domain/audit/record-audit';
import { SecondFactorNeeded } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { accountDeletedMail } from '../account-mails';
import { lockPerson } from '../lock-person';
import { revokeHandedLinks } from '../one-time-links';
import type { Person } from '../profile';

/** Who did what a person did before they deleted their account. */
const DELETED_ACCOUNT = 'Deleted account';

/**
 * Replaces every name of a person, which are email addresses, in what outlives their account: the audit log, incidents, their updates,
 * and corrections of uptime. Client addresses in the audit log are removed. Events that were sent to endpoints keep the name until
 * they expire, 30 days after they occurred.
 */
async function removeNames(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const { names, organizations } = await readTraces(tx, { userId, email });
  await tx.$executeRaw`
    UPDATE audit_entry SET actor_label = ${DELETED_ACCOUNT}, address = NULL
     WHERE organization_id = ANY(${organizations}) AND actor_kind = 'user' AND actor_id = ${userId}`;
  await tx.$executeRaw`
    UPDATE audit_entry SET subject_label = ${DELETED_ACCOUNT}
     WHERE organization_id = ANY(${organizations}) AND (subject_id = ${userId} OR subject_label = ANY(${names}))`;
  for (const name of names) {
    await tx.$executeRaw`
      UPDATE audit_entry
         SET before = replace(before::text, to_json(${name}::text)::text,
                              to_json(${DELETED_ACCOUNT}::text)::text)::jsonb,
             after = replace(after::text, to_json(${name}::text)::text,
                             to_json(${DELETED_ACCOUNT}::text)::text)::jsonb
       WHERE organization_id = ANY(${organizations})
         AND (strpos(before::text, to_json(${name}::text)::text) > 0
              OR strpos(after::text, to_json(${name}::text)::text) > 0)`;
  }
  await tx.$executeRaw`
    UPDATE incident SET acknowledged_by = ${DELETED_ACCOUNT}
     WHERE organization_id = ANY(${organizations}) AND acknowledged_by = ANY(${names})`;
  await tx.$executeRaw`
    UPDATE incident_update SET author = ${DELETED_ACCOUNT} FROM incident
     WHERE incident.id = incident_id AND organization_id = ANY(${organizations}) AND author = ANY(${names})`;
  await tx.$executeRaw`
    UPDATE scheduled_update SET author = ${DELETED_ACCOUNT} FROM incident
     WHERE incident.id = incident_id AND organization_id = ANY(${organizations}) AND author = ANY(${names})`;
  await tx.$executeRaw`
    UPDATE ledger_correction SET author = ${DELETED_ACCOUNT}
     WHERE organization_id = ANY(${organizations}) AND author = ANY(${names})`;
}

/** The organizations that know a person, and the addresses under which: those they had before are in the audit log. */
async function readTraces(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
): Promise<{ names: string[]; organizations: string[] }> {
  const rows = await tx.$queryRaw<{ name: string; organizationId: string }[]>`
    SELECT DISTINCT actor_label AS name, organization_id AS "organizationId" FROM audit_entry
     WHERE actor_kind = 'user' AND actor_id = ${userId}
     UNION
    SELECT subject_label, organization_id FROM audit_entry WHERE subject_id = ${userId}
     UNION
    SELECT ${email}, organization_id FROM membership WHERE user_id = ${userId}`;
  const names = new Set([email, ...rows.map(({ name }) => name)]);
  names.delete(DELETED_ACCOUNT);
  return { names: [...names], organizations: [...new Set(rows.map((row) => row.organizationId))] };
}

/** The audit log and incidents of large organizations are searched for the person's name. */
const TIMEOUT_MS = 60_000;

type Confirmed = Pick<Person, 'userId' | 'isFactorStale'> & { confirmation: string; address: string | null };

/**
 * Permanently deletes a person's account at their own request: memberships, sessions, second factors, linked accounts, and emails
 * to them. What they did in organizations stays, under the name “Deleted account”. Their address confirms it. Throws VALIDATION_ERROR if
 * that differs or an organization would be left without an owner, and `SecondFactorNeeded`.
 */
export async function deleteAccount(
  services: Services,
  { userId, isFactorStale, confirmation, address }: Confirmed,
): Promise<void> {
  if (isFactorStale) throw new SecondFactorNeeded();
  await endAccount(services, { userId, address, confirmation });
}

/** The same for the operator. Throws NOT_FOUND. */
export async function deleteAccountByOperator(services: Services, email: string): Promise<void> {
  const user = await services.db.user.findUnique({ where: { email }, select: { id: true } });
  await endAccount(services, { userId: requireFound(user, `User ${email}`).id, address: null });
}

async function endAccount(
  services: Services,
  { userId, address, confirmation }: { userId: string; address: string | null; confirmation?: string },
): Promise<void> {
  await services.db.$transaction(
    async (tx) => {
      const owned = await lockAccount(tx, userId);
      const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } });
      const { email } = requireFound(user, 'User');
      if (confirmation !== undefined && confirmation.trim().toLowerCase() !== email.toLowerCase()) {
        throw invalidField('confirmation', `must be “${email}”`);
      }
      await requireOtherOwners(tx, userId, owned);
      await recordEnd(tx, services, { userId, address });
      await removeNames(tx, { userId, email });
      await tx.oneTimeToken.deleteMany({ where: { email } });
      await tx.mail.deleteMany({ where: { recipient: email } });
      await tx.user.delete({ where: { id: userId } });
      if (!services.mail.isOn) return;
      const content = accountDeletedMail();
      await queueMail(tx, services, { organizationId: null, kind: 'account-security', to: email, content });
    },
    { timeout: TIMEOUT_MS },
  );
}

/** Locks the organizations of a person before the person, as changes of members do; returns the IDs of those they own. */
async function lockAccount(tx: Transaction, userId: string): Promise<string[]> {
  await tx.$queryRaw`
    SELECT 1 FROM organization
     WHERE id IN (SELECT organization_id FROM membership WHERE user_id = ${userId}) ORDER BY id FOR NO KEY UPDATE`;
  await lockPerson(tx, userId);
  const owned = await tx.membership.findMany({
    where: { userId, role: 'owner' },
    select: { organizationId: true },
  });
  return owned.map(({ organizationId }) => organizationId);
}

async function requireOtherOwners(tx: Transaction, userId: string, owned: string[]): Promise<void> {
  const orphaned = await tx.organization.findMany({
    where: {
      id: { in: owned },
      memberships: { none: { role: 'owner', userId: { not: userId } } },
    },
    select: { name: true },
    orderBy: { name: 'asc' },
  });
  if (orphaned.length === 0) return;
  const names = orphaned.map(({ name }) => name).join(', ');
  throw invalidState(
    `You are the only owner of ${names}. Make another member an owner, or delete the organization, first.`,
  );
}

/** The audit log of each organization says that a member left, and shows no name. */
async function recordEnd(
  tx: Transaction,
  { clock }: Services,
  { userId, address }: { userId: string; address: string | null },
): Promise<void> {
  const memberships = await tx.membership.findMany({ where: { userId } });
  for (const { organizationId, role } of memberships) {
    const actor = { kind: 'user' as const, userId, role };
    const subject = { id: userId, label: DELETED_ACCOUNT };
    await recordAudits(tx, { organizationId, actor, clock, address }, [
      { action: 'member.leave', subject, before: { role } },
    ]);
    await revokeHandedLinks(tx, { organizationId, userId });
  }
}
