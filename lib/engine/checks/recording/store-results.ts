import { forMembers } from '@/lib/checks/for-members';
import type { ProbeResult } from '@/lib/checks/result';
import { storableText } from '@/lib/core/storable-text';
import type { SealedEvidence } from '@/lib/domain/monitors/evidence/sealed-evidence';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { OUTCOMES } from '@/lib/schemas/monitor/result';
import { isRegionId, regionNumber } from '@/lib/schemas/regions';

/** A finished check: what was requested, when it began (engine clock), its result, and what it saw if that may be kept. */
export type FinishedCheck = {
  check: DueCheck;
  startedAt: Date;
  result: ProbeResult;
  evidence?: SealedEvidence;
};

/** The longest phase that fits its column, in milliseconds. Checks end in a minute, so only one exceeds it. */
const MAX_PHASE_MS = 32_767;

type Stored = Pick<FinishedCheck, 'startedAt' | 'result'> & {
  check: { monitor: Pick<DueCheck['monitor'], 'number' | 'region'> };
};

/** The columns of raw.check_result, and their types. */
const COLUMNS = {
  checked_at: 'timestamptz',
  monitor: 'int',
  response_time: 'int',
  dns: 'smallint',
  connect: 'smallint',
  tls: 'smallint',
  first_byte: 'smallint',
  transfer: 'smallint',
  region: 'smallint',
  outcome: 'smallint',
  status_code: 'smallint',
  error_code: 'text',
  error: 'text',
} as const;

export const RESULT_COLUMNS = Prisma.raw(Object.keys(COLUMNS).join(', '));

/** Inserts raw results in a single statement. */
export async function storeResults(tx: Transaction, finished: readonly Stored[]): Promise<void> {
  if (finished.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO raw.check_result (${RESULT_COLUMNS})
    SELECT ${RESULT_COLUMNS} FROM ${resultRows(finished.map((each) => toRow(each)))}`;
}

/**
 * Rows of `toRow` as a table `given`, perhaps with more columns, whose types are in `more`. One array per column: PostgreSQL reads
 * them three times as fast as one JSON text.
 */
export function resultRows<More extends Record<string, string>>(
  rows: readonly (ReturnType<typeof toRow> & Record<keyof More, unknown>)[],
  more?: More,
): Prisma.Sql {
  const columns = Object.entries({ ...COLUMNS, ...more });
  const values: readonly Readonly<Record<string, unknown>>[] = rows;
  const arrays = columns.map(([name, type]) => {
    const column = values.map((row) => row[name]);
    return Prisma.sql`${type === 'text' ? column : formatArray(column)}::${Prisma.raw(type)}[]`;
  });
  const names = columns.map(([name]) => name).join(', ');
  return Prisma.sql`unnest(${Prisma.join(arrays)}) AS given (${Prisma.raw(names)})`;
}

/** An array of numbers and moments as PostgreSQL reads it: one text costs the clients of the database much less than many values. */
function formatArray(values: readonly unknown[]): string {
  const texts = values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'NULL')));
  return `{${texts.join(',')}}`;
}

/** A result as a row of raw.check_result. */
export function toRow({ check: { monitor }, startedAt, result }: Stored) {
  const { responseTime, phases, outcome, statusCode, error } = result;
  return {
    checked_at: startedAt,
    monitor: monitor.number,
    response_time: responseTime,
    dns: fitPhase(phases.dns),
    connect: fitPhase(phases.connect),
    tls: fitPhase(phases.tls),
    first_byte: fitPhase(phases.firstByte),
    transfer: fitPhase(phases.transfer),
    region: regionOfCheck({ monitor }),
    outcome: OUTCOMES.indexOf(outcome),
    status_code: statusCode,
    error_code: error?.code ?? null,
    error: error === null ? null : storableText(forMembers(error).message),
  } satisfies Record<keyof typeof COLUMNS, unknown>;
}

/** The number of the region of a check, as it is stored; 0 if this version does not know it. */
export function regionOfCheck({
  monitor: { region },
}: {
  monitor: Pick<DueCheck['monitor'], 'region'>;
}): number {
  return isRegionId(region) ? regionNumber(region) : 0;
}

function fitPhase(ms: number | null): number | null {
  return ms === null ? null : Math.min(ms, MAX_PHASE_MS);
}
