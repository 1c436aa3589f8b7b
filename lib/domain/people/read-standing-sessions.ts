import type { Services } from '@/lib/domain/context/services';
import { chosenMembership } from './chosen-membership';

/** For which organization each of these sessions acts now, by session; those that are over are not among them. */
export async function readStandingSessions(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.$queryRaw<{ id: string; organizationId: string }[]>`
    SELECT session.id, chosen.organization_id AS "organizationId"
      FROM session CROSS JOIN LATERAL (${chosenMembership}) AS chosen
     WHERE session.id = ANY(${[...ids]}) AND session.expires_at > ${clock.now()}`;
  return new Map(rows.map(({ id, organizationId }) => [id, organizationId]));
}
