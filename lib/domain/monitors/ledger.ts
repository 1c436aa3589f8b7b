import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';

/** The rules under which a window begins and ends: by them a replay tells it from a new beginning within one. */
export const MAINTENANCE_BEGAN = 'maintenance began';
export const MAINTENANCE_ENDED = 'maintenance ended';

/** From `from` on (never before the current period began) the monitor is in `state`; `why` is kept for people. */
export type PeriodChange = {
  monitorId: string;
  state: PeriodState;
  from: Date;
  decidedAt: Date;
  why: object | null;
};

/**
 * Ends the current period of each monitor and opens the next, so that periods never overlap and leave no hole. At most
 * one change a monitor in a call; the caller holds the monitors' state rows.
 */
export async function switchPeriods(tx: Transaction, changes: PeriodChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.$executeRaw`
    WITH change AS (
      SELECT * FROM jsonb_to_recordset(${storableJson(changes)}::jsonb)
          AS c ("monitorId" text, state period_state, "from" timestamptz, "decidedAt" timestamptz, why jsonb)
    ), ended AS (
      UPDATE status_period AS period SET to_at = greatest(period.from_at, change."from")
        FROM change WHERE period.monitor_id = change."monitorId" AND period.to_at IS NULL
      RETURNING period.monitor_id, period.to_at
    )
    INSERT INTO status_period (monitor_id, state, from_at, decided_at, why)
    SELECT change."monitorId", change.state, coalesce(ended.to_at, change."from"), change."decidedAt",
           nullif(change.why, 'null'::jsonb)
      FROM change LEFT JOIN ended ON ended.monitor_id = change."monitorId"`;
}
