import type { Transaction } from '@/lib/db/client';
import type { ProbeResult } from '@/lib/probes/types';
import { isRegionId, regionNumber } from '@/lib/schemas/regions';
import type { ClaimedCheck } from './claim-checks';

/** A check that was done: what was asked, when it began (the engine's clock), and what it found. */
export type FinishedCheck = { check: ClaimedCheck; startedAt: Date; result: ProbeResult };

/** How `raw.check_result.outcome` stores an outcome. */
const OUTCOMES: Record<ProbeResult['outcome'], number> = { ok: 0, failed: 1, unknown: 2 };

/** Adds raw results, in one statement however many. */
export async function storeResults(tx: Transaction, finished: FinishedCheck[]): Promise<void> {
  if (finished.length === 0) return;
  const rows = finished.map(({ check, startedAt, result }) => ({
    checked_at: startedAt,
    monitor: check.monitorNumber,
    response_time: result.responseTime,
    dns: result.phases.dns,
    connect: result.phases.connect,
    tls: result.phases.tls,
    first_byte: result.phases.firstByte,
    transfer: result.phases.transfer,
    region: isRegionId(check.region) ? regionNumber(check.region) : 0,
    outcome: OUTCOMES[result.outcome],
    status_code: result.statusCode,
    error_code: result.error?.code ?? null,
    error: result.error?.message ?? null,
  }));
  await tx.$executeRaw`
    INSERT INTO raw.check_result
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (
      checked_at timestamptz, monitor int, response_time int, dns int, connect int, tls int, first_byte int, transfer int,
      region smallint, outcome smallint, status_code smallint, error_code text, error text)`;
}
