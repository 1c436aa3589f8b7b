import type { ProbeResult } from '@/lib/checks/result';
import { storableJson } from '@/lib/core/storable-text';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { OUTCOMES } from '@/lib/schemas/monitor/result';
import { isRegionId, regionNumber } from '@/lib/schemas/regions';

/** A finished check: what was requested, when it began (engine clock), and its result. */
export type FinishedCheck = { check: DueCheck; startedAt: Date; result: ProbeResult };

/** The longest phase that fits its column, in milliseconds. Checks end in a minute, so only one exceeds it. */
const MAX_PHASE_MS = 32_767;

type Stored = Pick<FinishedCheck, 'startedAt' | 'result'> & {
  check: { monitor: Pick<DueCheck['monitor'], 'number' | 'region'> };
};

/** Inserts raw results in a single statement. */
export async function storeResults(tx: Transaction, finished: readonly Stored[]): Promise<void> {
  if (finished.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO raw.check_result (${RESULT_COLUMNS})
    SELECT ${RESULT_COLUMNS} FROM ${resultRows(finished.map((each) => toRow(each)))} AS given`;
}

/** The columns of `resultRows` that are stored. */
export const RESULT_COLUMNS = Prisma.sql`checked_at, monitor, response_time, dns, connect, tls, first_byte, transfer,
      region, outcome, status_code, error_code, error`;

/** Rows of `toRow`, perhaps with more, as a subquery; `more` declares the additional columns. */
export function resultRows(rows: readonly object[], more = Prisma.empty): Prisma.Sql {
  return Prisma.sql`(SELECT * FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS r (
      checked_at timestamptz, monitor int, response_time int, dns smallint, connect smallint, tls smallint,
      first_byte smallint, transfer smallint, region smallint, outcome smallint, status_code smallint,
      error_code text, error text ${more}))`;
}

/** A result as a row of raw.check_result. */
export function toRow({ check: { monitor }, startedAt, result }: Stored) {
  return {
    checked_at: startedAt,
    monitor: monitor.number,
    response_time: result.responseTime,
    dns: fitPhase(result.phases.dns),
    connect: fitPhase(result.phases.connect),
    tls: fitPhase(result.phases.tls),
    first_byte: fitPhase(result.phases.firstByte),
    transfer: fitPhase(result.phases.transfer),
    region: isRegionId(monitor.region) ? regionNumber(monitor.region) : 0,
    outcome: OUTCOMES.indexOf(result.outcome),
    status_code: result.statusCode,
    error_code: result.error?.code ?? null,
    error: result.error?.message ?? null,
  };
}

function fitPhase(ms: number | null): number | null {
  return ms === null ? null : Math.min(ms, MAX_PHASE_MS);
}
