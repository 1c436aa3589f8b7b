import { createId } from '@/lib/core/ids';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { type GroupRule, readGroupRules } from '../groups/read-group-members';
import { type CorrectedPeriod, type Ledger, readLedgers } from '../history/periods';
import { deriveCorrections } from './derive-corrections';

/** Of a group, the latest. People can make 100 of each member, most of which touch each other or change nothing about the group. */
const MAX_DERIVED = 1000;

type Row = CorrectedPeriod & { monitorId: string; derived: boolean };

/**
 * Writes what the corrections of members make of groups, in at most six statements. The caller holds the locks of the groups' states. What stays the
 * same is not written.
 */
export async function correctGroups(tx: Transaction, groupIds: readonly string[], now: Date): Promise<void> {
  // Paused ones, too: what they were before can be corrected.
  const groups = await readGroupRules(tx, groupIds);
  if (groups.length === 0) return;
  const ids = [...new Set(groups.flatMap(({ id, members }) => [id, ...members]))];
  const rows = await tx.ledgerCorrection.findMany({
    where: { monitorId: { in: ids } },
    select: { monitorId: true, state: true, from: true, to: true, derived: true },
    orderBy: { from: 'asc' },
  });
  const since = new Date(Math.min(now.getTime(), ...rows.map(({ from }) => from.getTime())));
  const ledgers =
    rows.length === 0
      ? new Map<string, Ledger>()
      : await readLedgers(tx, Prisma.sql`SELECT unnest(${ids}::text[])`, { since, now, silences: new Map() });
  const changed = groups.flatMap((group) => {
    const known = rows.filter(({ monitorId, derived }) => derived && monitorId === group.id);
    const derived = derive(group, ledgers, rows);
    return keyOf(known) === keyOf(derived) ? [] : [{ group, derived }];
  });
  if (changed.length === 0) return;
  const monitorIds = changed.map(({ group }) => group.id);
  await tx.ledgerCorrection.deleteMany({ where: { monitorId: { in: monitorIds }, derived: true } });
  const data = changed.flatMap(({ group: { id: monitorId, organizationId }, derived }) =>
    derived.map((period) => ({
      id: createId('correction'),
      organizationId,
      monitorId,
      ...period,
      reason: 'Follows from the corrections of members',
      author: 'Pharos',
      createdAt: now,
      derived: true,
    })),
  );
  if (data.length > 0) await tx.ledgerCorrection.createMany({ data });
  await notePagesChanged(tx, { monitorIds });
}

function derive(
  { id, rule, members }: GroupRule,
  ledgers: ReadonlyMap<string, Ledger>,
  rows: readonly Row[],
): CorrectedPeriod[] {
  const own = ledgers.get(id);
  if (own === undefined) return [];
  const corrections = rows.filter(({ monitorId, derived }) => !derived && monitorId === id);
  const found = members.flatMap((member) => ledgers.get(member) ?? []);
  return deriveCorrections(rule, found, { ...own, corrections }).slice(-MAX_DERIVED);
}

function keyOf(periods: readonly CorrectedPeriod[]): string {
  return JSON.stringify(periods.map(({ state, from, to }) => [state, from.getTime(), to.getTime()]));
}
