import { forMembers } from '@/lib/checks/for-members';
import type { ProbeResult } from '@/lib/checks/result';
import { storableJson } from '@/lib/core/storable-text';
import type { Services } from '@/lib/domain/context/services';
import { type Columns, selectFields } from '@/lib/domain/monitors/stored-fields';
import { createSlots } from '@/lib/engine/runtime/slots';
import { formatHint } from '@/lib/platform/live/note-live';
import { PROBED_FIELDS, type ProbedField } from '@/lib/schemas/monitor/fields';
import { type Findings, OUTCOMES } from '@/lib/schemas/monitor/result';
import { type CheckRunner, probeTarget } from './run-check';
import { decryptTarget, hostOf } from './shards/load-monitors';

/** Of one worker at a time. Those on schedule have slots of their own. */
const MAX_AT_ONCE = 20;

type Runner = Pick<CheckRunner, 'probeEnvironment' | 'outageWatch' | 'log'> & {
  services: Services;
  signal: AbortSignal;
};
type Claimed = Columns<ProbedField> & {
  checkId: string;
  region: string;
  /** Of the monitor. */
  id: string;
  organizationId: string;
};

/** Runs the checks that people request, as `requestCheck` stored them, each on one worker only. */
export type ManualChecks = ReturnType<typeof createManualChecks>;

/** Results are stored, and nothing decides by them. What a worker leaves unfinished when it stops stays without a result. */
export function createManualChecks(runner: Runner) {
  const { services, log, signal } = runner;
  let regions: readonly string[] = [];
  let isWoken = false;
  let isClaiming = false;
  const slots = createSlots(MAX_AT_ONCE, () => void wake(regions));

  const run = async (claimed: Claimed): Promise<void> => {
    try {
      await runManualCheck(runner, claimed);
    } catch (error) {
      if (!signal.aborted) log.error({ check: claimed.checkId, err: error }, 'a requested check failed');
    }
  };

  /** Starts what was requested in these regions. Never rejects. */
  const wake = async (served: readonly string[]): Promise<void> => {
    regions = served;
    isWoken = true;
    if (isClaiming) return;
    isClaiming = true;
    try {
      while (isWoken && slots.free() > 0 && !signal.aborted) {
        isWoken = false;
        const claimed = await claimChecks(services, regions, slots.free());
        for (const each of claimed) slots.run(() => run(each));
      }
    } catch (error) {
      log.error({ work: 'requested checks', err: error }, 'could not read requested checks');
    } finally {
      isClaiming = false;
    }
  };
  return { wake, idle: slots.idle };
}

/** Takes at most `limit` checks that somebody still waits for, the oldest first. */
function claimChecks({ db, clock }: Services, regions: readonly string[], limit: number): Promise<Claimed[]> {
  const now = clock.now();
  return db.$queryRaw<Claimed[]>`
    WITH free AS MATERIALIZED (
      SELECT id, region FROM manual_check
       WHERE finished_at IS NULL AND expires_at > ${now} AND claimed_at IS NULL AND region = ANY(${[...regions]})
       ORDER BY requested_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE manual_check AS own SET claimed_at = ${now}
      FROM free, monitor
     WHERE own.id = free.id AND own.region = free.region AND monitor.id = own.monitor_id
    RETURNING own.id AS "checkId", own.region AS "region", monitor.id AS id, organization_id AS "organizationId",
              ${selectFields(PROBED_FIELDS)}`;
}

async function runManualCheck(runner: Runner, { checkId, region, ...monitor }: Claimed): Promise<void> {
  const { services, outageWatch, signal } = runner;
  const { db, clock, keyring } = services;
  const { id, organizationId } = monitor;
  const startedAt = clock.now();
  const decrypted = decryptTarget(keyring, monitor);
  const seen = await probeTarget(runner.log, { id, ...decrypted }, { ...runner.probeEnvironment, signal });
  const result = await outageWatch.judge(hostOf(decrypted.target), seen, startedAt);
  if (signal.aborted && result.outcome === 'unknown') return;
  const findings = storableJson(toFindings(result));
  await db.$executeRaw`
    WITH stored AS (
      UPDATE manual_check
         SET finished_at = ${clock.now()}, checked_at = ${startedAt}, outcome = ${OUTCOMES.indexOf(result.outcome)},
             findings = ${findings}::jsonb
       WHERE id = ${checkId} AND region = ${region}
      RETURNING id
    )
    SELECT pg_notify('pharos_live', hint)
      FROM stored, unnest(${formatHint({ kind: 'results', organizationIds: [organizationId] })}::text[]) AS hint`;
}

function toFindings({ responseTime, statusCode, error, phases }: ProbeResult): Findings {
  return {
    responseTime,
    statusCode,
    errorCode: error?.code ?? null,
    errorMessage: forMembers(error)?.message ?? null,
    phases,
  };
}
