import type { Transaction } from '@/lib/platform/db/client';

/** Who did what a person did before they deleted their account. */
export const DELETED_ACCOUNT = 'Deleted account';

/**
 * Replaces every name of a person, which are email addresses, in what outlives their account: the audit log, incidents, their updates,
 * and corrections of uptime. Client addresses in the audit log are removed. Events that were sent to endpoints keep the name until
 * they expire, 30 days after they occurred.
 */
export async function removeNames(
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
         SET before = replace(before::text, to_json(${name}::text)::text, to_json(${DELETED_ACCOUNT}::text)::text)::jsonb,
             after = replace(after::text, to_json(${name}::text)::text, to_json(${DELETED_ACCOUNT}::text)::text)::jsonb
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
