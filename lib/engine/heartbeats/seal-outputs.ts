import { NO_EVIDENCE, type SeenBody } from '@/lib/checks/evidence';
import { NO_PHASES } from '@/lib/checks/result';
import { type SealedEvidence, sealEvidence } from '@/lib/domain/monitors/evidence/sealed-evidence';
import { wouldKeep } from '@/lib/engine/checks/evidence/keep-evidence';
import { CALLER } from '@/lib/state/types';
import type { CallServices } from './called-monitors';
import { type Call, errorOf } from './judge-calls';

/** A call of a monitor, and what its job wrote; null: nothing. */
export type CallWithOutput = Call & { output: SeenBody | null };

/**
 * Seals the outputs of calls that will be kept as evidence: of failures, of the first success after one, and of one success a day.
 * Before any transaction, as it takes time. Calls without an output cost nothing, and of other successes nothing is written.
 */
export async function sealOutputs(
  { db, clock, keyring }: Pick<CallServices, 'db' | 'clock' | 'keyring'>,
  calls: readonly { id: string; call: CallWithOutput }[],
): Promise<Map<CallWithOutput, SealedEvidence>> {
  const seen = calls.flatMap(toSeen);
  if (seen.length === 0) return new Map();
  const kept = await wouldKeep(db, seen, { firstFailures: new Set(seen), now: clock.now() });
  const sealed = kept.map(async ({ call, output }) => {
    const result = { error: errorOf(call), responseTime: null, statusCode: null, phases: NO_PHASES };
    const evidence = await sealEvidence(keyring, result, () => ({ ...NO_EVIDENCE, body: output }));
    return [call, evidence] as const;
  });
  return new Map(await Promise.all(sealed));
}

function toSeen({ id, call }: { id: string; call: CallWithOutput }) {
  const { kind, at, output } = call;
  if (output === null || kind === 'start') return [];
  return {
    check: { monitor: { id, region: CALLER } },
    startedAt: new Date(at),
    result: { outcome: kind === 'success' ? ('ok' as const) : ('failed' as const) },
    call,
    output,
  };
}
