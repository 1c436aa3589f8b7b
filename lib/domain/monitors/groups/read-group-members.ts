import { GROUP_TYPES } from '@/lib/checks/types';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import type { GroupMember, MemberRule, MemberState } from '@/lib/state/types';

/** Periods of each member that date most changes of a group: what it was before its last change, and before another one. */
export const FEW_PERIODS = 3;
/** Where these do not suffice: more than there are between two changes of a group. */
export const MANY_PERIODS = 2000;

type Reading = Pick<Database, '$queryRaw'>;

/** A group with the rule and the IDs of its members, in their order. */
export type GroupRule = { id: string; organizationId: string; rule: MemberRule; members: string[] };

/** The rules of those of the monitors that are groups, in one statement. */
export async function readGroupRules(db: Reading, groupIds: readonly string[]): Promise<GroupRule[]> {
  if (groupIds.length === 0) return [];
  const rows = await db.$queryRaw<(MemberRule & Omit<GroupRule, 'rule'>)[]>`
    SELECT id, organization_id AS "organizationId", member_rule AS "memberRule", member_minimum AS "memberMinimum",
           members
      FROM monitor
     WHERE id = ANY(${[...groupIds]}) AND type = ANY(${GROUP_TYPES}::monitor_type[])`;
  return rows.map(({ memberRule, memberMinimum, ...group }) => ({
    ...group,
    rule: { memberRule, memberMinimum },
  }));
}

/** What monitors count as now, by ID, without their names and past: one statement, which reads an entry of an index for each. */
export async function readCurrentStates(
  db: Reading,
  monitorIds: readonly string[],
): Promise<Map<string, GroupMember>> {
  if (monitorIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; state: MemberState; from: number }[]>(
    currentStatesQuery(monitorIds),
  );
  return new Map(
    rows.map(({ id, state, from }) => [id, { name: '', periods: [{ state, from }], isCut: false }]),
  );
}

/** For tests. */
export function currentStatesQuery(monitorIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT monitor_id AS id, state::text AS state, ${toMs(Prisma.sql`from_at`)} AS "from"
      FROM status_period
     WHERE monitor_id = ANY(${[...monitorIds]}) AND to_at IS NULL`;
}

/** Monitors by ID with their names and so many latest periods at `now`: one statement. */
export async function readLatestPeriods(
  db: Reading,
  monitorIds: readonly string[],
  now: Date,
  most: number,
): Promise<Map<string, GroupMember>> {
  if (monitorIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; name: string; periods: string | null }[]>`
    SELECT monitor.id, name,
           (SELECT string_agg(concat_ws(' ', state, ${toMs(Prisma.sql`from_at`)}), ',' ORDER BY from_at DESC, id DESC)
              FROM (SELECT id, state, from_at
                      FROM status_period
                     WHERE monitor_id = monitor.id AND (to_at > from_at OR to_at IS NULL)
                     ORDER BY from_at DESC, id DESC
                     LIMIT ${most}) AS latest) AS periods
      FROM monitor
     WHERE id = ANY(${[...monitorIds]})`;
  return new Map(
    rows.map(({ id, name, periods }) => [
      id,
      { name, ...parsePeriods(periods ?? '', { now: now.getTime(), most }) },
    ]),
  );
}

/** `down 1773144000000,operational 1773140000000`. A period of a clock that is a little ahead has begun, too. */
function parsePeriods(
  text: string,
  { now, most }: { now: number; most: number },
): Pick<GroupMember, 'periods' | 'isCut'> {
  const periods = text.split(',').flatMap((period) => {
    const [state, from] = period.split(' ');
    return from === undefined ? [] : [{ state: state as MemberState, from: Math.min(now, Number(from)) }];
  });
  return { periods, isCut: periods.length === most };
}
