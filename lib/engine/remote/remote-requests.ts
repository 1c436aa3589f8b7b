import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '@/lib/core/errors';
import {
  type DryRunStore,
  type RequestedDryRun,
  runDryRuns,
} from '@/lib/engine/checks/requested/run-dry-runs';
import {
  type ClaimedManualCheck,
  createManualChecks,
  type ManualCheckStore,
} from '@/lib/engine/checks/requested/run-manual-checks';
import type { CheckRunner } from '@/lib/engine/checks/run-check';
import type { Exchange } from './exchange';
import { MAX_WAIT_MS } from './protocol';
import type { SealingKeys } from './sealed-secrets';

const MAX_AT_ONCE = 20;
const RETRY_MS = 2000;

type Runner = Pick<CheckRunner, 'clock' | 'probeEnvironment' | 'outageWatch' | 'log'> & {
  exchange: Pick<Exchange, 'request'>;
  keys: SealingKeys;
  region: string;
  signal: AbortSignal;
};

/** Runs the checks and dry runs that people request in the region of a probe, until the signal. Resolves once those that run have ended. */
export async function followRequests(runner: Runner): Promise<void> {
  const { exchange, region, signal, log, clock } = runner;
  const checks: ClaimedManualCheck[] = [];
  const dryRuns: RequestedDryRun[] = [];
  const manualStore: ManualCheckStore = {
    claim: async (_regions, limit) => checks.splice(0, limit),
    store: async ({ checkId }, { checkedAt, ...found }) => {
      await exchange.request('storeManualCheck', { checkId, checkedAt: checkedAt.getTime(), ...found });
    },
  };
  const dryRunStore: DryRunStore = {
    claim: async () => dryRuns.splice(0),
    store: async ({ id }, result) => {
      await exchange.request('storeDryRun', { id, result });
    },
  };
  const manualChecks = createManualChecks({ ...runner, requests: manualStore });
  const environment = { ...runner.probeEnvironment, signal };
  const take = createTake(runner);
  while (!signal.aborted) {
    const taken = await take(MAX_AT_ONCE - checks.length);
    if (taken === null) {
      await delay(RETRY_MS, undefined, { signal }).catch(() => 'the probe is stopping');
      continue;
    }
    checks.push(...taken.manualChecks);
    dryRuns.push(...taken.dryRuns);
    void manualChecks.wake([region]);
    runDryRuns({ requests: dryRunStore, clock, running: new Map() }, [region], environment).catch(
      (error: unknown) => log.error({ work: 'dry runs', err: error }, 'dry runs failed'),
    );
  }
  await manualChecks.idle();
}

/** Takes requests; null if the service cannot be reached, which is logged once. */
function createTake({ exchange, keys, log }: Pick<Runner, 'exchange' | 'keys' | 'log'>) {
  let failure: string | null = null;
  return async (limit: number) => {
    try {
      const { publicKey } = keys;
      const taken = await exchange.request('takeRequests', { limit, publicKey, waitMs: MAX_WAIT_MS });
      failure = null;
      return {
        manualChecks: await keys.restore(taken.manualChecks),
        dryRuns: await keys.restore(taken.dryRuns),
      };
    } catch (error) {
      const reason = describeError(error);
      if (reason !== failure) log.warn({ error: reason }, 'could not ask for requested checks; retrying');
      failure = reason;
      return null;
    }
  };
}
