import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { type Cursor, type Page, pageOf } from '@/lib/schemas/cursor';
import { type Transition, type TransitionsQuery, whySchema } from '@/lib/schemas/transition';
import { findMonitorNumber } from './find-monitor';

type Row = { id: bigint; state: PeriodState; from: Date; to: Date | null; decidedAt: Date; why: unknown };

/**
 * A page of the changes of a monitor's state, newest first, as the ledger keeps them: with why, and back-dated. The first
 * entry of a monitor leads from nothing to pending. Throws NOT_FOUND.
 */
export async function listTransitions(
  ctx: OrganizationContext,
  id: string,
  { limit, cursor }: TransitionsQuery,
): Promise<Page<Transition>> {
  await findMonitorNumber(ctx, id);
  // The row after the page is read as well: it says what state the last one of the page began from.
  const rows = await ctx.db.$queryRaw<Row[]>(transitionsQuery(id, limit, cursor));
  const page = pageOf(rows, limit, (row) => ({ at: row.from, tie: Number(row.id) }));
  return {
    items: page.items.map((row, index) => toTransition(row, rows[index + 1]?.state ?? null)),
    next: page.next,
  };
}

/** Reads backwards through the index of a monitor's periods and stops at the limit. */
export function transitionsQuery(monitorId: string, limit: number, cursor?: Cursor): Prisma.Sql {
  const after = cursor
    ? Prisma.sql`AND from_at <= ${cursor.at} AND (from_at < ${cursor.at} OR id < ${cursor.tie})`
    : Prisma.empty;
  return Prisma.sql`
    SELECT id, state, from_at AS "from", to_at AS "to", decided_at AS "decidedAt", why
      FROM status_period
     WHERE monitor_id = ${monitorId} ${after}
     ORDER BY from_at DESC, id DESC LIMIT ${limit + 1}`;
}

function toTransition({ state, from, to, decidedAt, why }: Row, before: PeriodState | null): Transition {
  return {
    from: before,
    to: state,
    at: from.toISOString(),
    decidedAt: decidedAt.toISOString(),
    endedAt: to?.toISOString() ?? null,
    why: why === null ? null : whySchema.parse(why),
  };
}
