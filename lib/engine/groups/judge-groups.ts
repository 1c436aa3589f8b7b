import type { Services } from '@/lib/domain/context/services';
import { correctGroups } from '@/lib/domain/monitors/corrections/correct-groups';
import {
  FEW_PERIODS,
  type GroupRule,
  MANY_PERIODS,
  readCurrentStates,
  readGroupRules,
  readLatestPeriods,
} from '@/lib/domain/monitors/groups/read-group-members';
import { type Advance, type AdvanceServices, advanceMonitors } from '@/lib/engine/checks/advance-monitors';
import { type LockedMonitor, lockMonitors } from '@/lib/engine/checks/recording/monitor-states';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { nowIfAny } from '@/lib/platform/db/moments';
import { isCutShort } from '@/lib/state/groups/follow-members';
import { transition } from '@/lib/state/transition';
import type { GroupMember, MembersInput } from '@/lib/state/types';

/** Advisory lock: only one worker judges groups at a time, so that a group is never judged before the groups among its members. */
const GROUPS_LOCK = 7_411_211;
/** Groups in a transaction. */
const BATCH = 200;
/** The next poll handles what remains after this many batches. */
const MAX_BATCHES = 50;

type Judging = Pick<Services, 'db' | 'clock' | 'races'> & AdvanceServices;

/**
 * Judges the groups that something has changed about: a member, the rule, or the group itself. Each batch is one transaction with a fixed number of
 * statements, and groups of groups come after these. Returns how many groups were judged; none while another worker does.
 */
export async function judgeGroups(services: Judging): Promise<number> {
  let judged = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const count = await services.db.$transaction((tx) => judgeBatch(tx, services));
    judged += count;
    if (count === 0) break;
  }
  return judged;
}

/** Now, while there is any group to judge. */
export const groupsDueAt = (now: Date) => nowIfAny(now, Prisma.sql`SELECT FROM raw.group_change`);

async function judgeBatch(tx: Transaction, services: Judging): Promise<number> {
  // The index of members finds groups much faster than a look at all monitors, which a plan made while there were few would be.
  const [lock] = await tx.$queryRaw<{ isMine: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${GROUPS_LOCK}) AS "isMine", set_config('enable_seqscan', 'off', true)`;
  if (!lock?.isMine) return 0;
  const changes = await takeChanges(tx);
  if (changes.length === 0) return 0;
  const notBefore = new Map(changes.map(({ id, editedAt }) => [id, editedAt?.getTime() ?? 0]));
  const { monitors, now } = await lockMonitors(tx, services, [...notBefore.keys()]);
  // After the locks: it sees whatever led to a change that is taken, and what commits from now on is another change.
  const groups = await readGroups(tx, monitors, notBefore);
  const states = await readCurrentStates(tx, membersOf(groups));
  const news = groups.filter((group) => isNews(group.monitor, toInput(group, states), now));
  if (news.length > 0) {
    // For the trigger `status_period_of_member`.
    await tx.$queryRaw`SELECT set_config('pharos.follows_members', 'on', true)`;
    await advanceMonitors(tx, services, await dateNews(tx, news, now), now);
  }
  const corrected = changes.filter((change) => change.corrected).map(({ id }) => id);
  await correctGroups(tx, corrected, now);
  return changes.length;
}

/** What changed about a group: `editedAt`: its rule or its members; `corrected`: the past of these, or its own. */
type GroupChange = { id: string; editedAt: Date | null; corrected: boolean };

/** A group whose state is locked, and since when its rule and its members count, in epoch milliseconds. */
type LockedGroup = GroupRule & { monitor: LockedMonitor; notBefore: number };
type States = ReadonlyMap<string, GroupMember>;

async function readGroups(
  tx: Transaction,
  monitors: readonly LockedMonitor[],
  notBefore: ReadonlyMap<string, number>,
): Promise<LockedGroup[]> {
  const locked = new Map(
    monitors.filter(({ config }) => config.isGroup).map((monitor) => [monitor.id, monitor]),
  );
  const rules = await readGroupRules(tx, [...locked.keys()]);
  return rules.flatMap((rule) => {
    const monitor = locked.get(rule.id);
    return monitor ? [{ ...rule, monitor, notBefore: notBefore.get(rule.id) ?? 0 }] : [];
  });
}

function membersOf(groups: readonly LockedGroup[]): string[] {
  return [...new Set(groups.flatMap(({ members }) => members))];
}

function toInput({ rule, members, notBefore }: LockedGroup, states: States): MembersInput {
  return { kind: 'members', rule, members: members.flatMap((id) => states.get(id) ?? []), notBefore };
}

/** With as much of the past of their members as dates the changes. */
async function dateNews(tx: Transaction, news: readonly LockedGroup[], now: Date): Promise<Advance[]> {
  const latest = await readLatestPeriods(tx, membersOf(news), now, FEW_PERIODS);
  const short = news.filter((group) =>
    isCutShort(group.monitor.state, toInput(group, latest), now.getTime()),
  );
  // Rare: while the change of one member was being confirmed, another one changed often.
  const longer = await readLatestPeriods(tx, membersOf(short), now, MANY_PERIODS);
  return news.map((group) => {
    const input = toInput(group, short.includes(group) ? longer : latest);
    return { monitor: group.monitor, inputs: [input], observation: null };
  });
}

/** Most changes of members change nothing about a group: then nothing is written. */
function isNews({ config, state, stateError }: LockedMonitor, input: MembersInput, now: Date): boolean {
  return stateError !== null || transition(config, state, input, now.getTime()).state !== state;
}

/**
 * Takes the changes of groups that have no group with a change among their members, nor among the members of these. One that commits later is
 * left for the next batch.
 */
function takeChanges(tx: Transaction): Promise<GroupChange[]> {
  return tx.$queryRaw`
    WITH changed AS MATERIALIZED (
      SELECT DISTINCT group_id AS id FROM raw.group_change
    ), around AS MATERIALIZED (
      SELECT DISTINCT monitor.id FROM changed JOIN monitor ON members && ARRAY[changed.id] AND members <> '{}'
    ), farther AS MATERIALIZED (
      SELECT DISTINCT monitor.id FROM around JOIN monitor ON members && ARRAY[around.id] AND members <> '{}'
    ), ready AS (
      SELECT id FROM changed
      EXCEPT SELECT id FROM around
      EXCEPT SELECT id FROM farther
       ORDER BY id
       LIMIT ${BATCH}
    ), taken AS (
      DELETE FROM raw.group_change WHERE group_id IN (SELECT id FROM ready) RETURNING group_id, edited_at, corrected
    )
    SELECT group_id AS id, max(edited_at) AS "editedAt", bool_or(corrected) AS corrected FROM taken GROUP BY 1`;
}
