import { NO_EVIDENCE, type SeenBody } from '@/lib/checks/evidence';
import { NO_PHASES } from '@/lib/checks/result';
import { groupBy } from '@/lib/core/groups';
import { type SealedEvidence, sealEvidence } from '@/lib/domain/monitors/evidence/sealed-evidence';
import { IS_PROBED } from '@/lib/domain/monitors/last-checks';
import { wouldKeep } from '@/lib/engine/checks/evidence/keep-evidence';
import { CALLER } from '@/lib/state/types';
import {
  type CalledMonitor,
  type CallServices,
  lockCalled,
  readGapsOf,
  recordJudged,
} from './called-monitors';
import { errorOf, type HeartbeatCall, type Judged, judgeCall, judgeSilence } from './judge-calls';

/** A call, what its job wrote, and the hash of the token in its URL. */
export type ReceivedCall = CallWithOutput & { tokenHash: Uint8Array };

/** Calls of a job in one batch that are kept, the latest; more in a fraction of a second say nothing. */
const MAX_CALLS = 8;

/**
 * Records calls, and everything that follows from them, in one transaction. Returns whether the token of each is known; calls for
 * paused monitors are, and change nothing. Several calls in a row that report the same of a run count as the last of them.
 */
export async function recordCalls(
  services: CallServices,
  calls: readonly ReceivedCall[],
): Promise<boolean[]> {
  const byToken = groupBy(calls, ({ tokenHash }) => keyOf(tokenHash));
  const found = await findCalled(services, [...byToken.values()]);
  if (found.length === 0) return calls.map(() => false);
  const counted = new Map(
    found.map(({ tokenHash }) => [keyOf(tokenHash), lastOfEach(byToken.get(keyOf(tokenHash)) ?? [])]),
  );
  const sealed = await sealOutputs(
    services,
    found.flatMap(({ id, tokenHash }) => (counted.get(keyOf(tokenHash)) ?? []).map((call) => ({ id, call }))),
  );
  await services.db.$transaction(async (tx) => {
    const { monitors, now } = await lockCalled(
      tx,
      services,
      found.map(({ id }) => id),
    );
    const gaps = await readGapsOf(tx, monitors, now);
    const judged = monitors.flatMap((monitor) => {
      // Rotated meanwhile: no calls.
      const own = counted.get(keyOf(monitor.tokenHash)) ?? [];
      const withEvidence = own.map((call) => ({ ...call, evidence: sealed.get(call) }));
      return own.length === 0 ? [] : [{ monitor, judged: judgeCalls(monitor, withEvidence, gaps) }];
    });
    await recordJudged(tx, services, judged, now);
  });
  return calls.map(({ tokenHash }) => counted.has(keyOf(tokenHash)));
}

/** The monitors that are called, by the tokens of the calls. */
function findCalled({ db }: Pick<CallServices, 'db'>, byToken: readonly (readonly ReceivedCall[])[]) {
  const hashes = byToken.flatMap(([call]) => (call ? [call.tokenHash] : []));
  return db.$queryRaw<{ id: string; tokenHash: Uint8Array }[]>`
    SELECT id, heartbeat_token_hash AS "tokenHash" FROM monitor
     WHERE heartbeat_token_hash = ANY(${hashes}) AND NOT ${IS_PROBED}`;
}

/** What follows from calls in their order. */
function judgeCalls(
  { plan, calls: before }: CalledMonitor,
  calls: readonly HeartbeatCall[],
  gaps: Parameters<typeof judgeSilence>[2],
): Judged {
  const all: Judged = { state: before, results: [] };
  for (const call of calls) {
    const late = judgeSilence(plan, all.state, gaps, call.at);
    const reported = judgeCall(plan, late.state, call);
    all.state = reported.state;
    all.results.push(...late.results, ...reported.results);
  }
  return all;
}

/** The calls in order, without those that the next one repeats. */
function lastOfEach(calls: readonly ReceivedCall[]): ReceivedCall[] {
  const ordered = calls.toSorted((a, b) => a.at - b.at);
  const isRepeated = ({ kind, rid }: HeartbeatCall, next: HeartbeatCall | undefined) =>
    kind === next?.kind && rid === next.rid;
  return ordered.filter((call, place) => !isRepeated(call, ordered[place + 1])).slice(-MAX_CALLS);
}

function keyOf(tokenHash: Uint8Array): string {
  return Buffer.from(tokenHash).toString('hex');
}

/** A call of a monitor, and what its job wrote; null: nothing. */
type CallWithOutput = HeartbeatCall & { output: SeenBody | null };

/**
 * Seals the outputs of calls that will be kept as evidence: of failures, of the first success after one, and of one success a day.
 * Before any transaction, as it takes time. Calls without an output cost nothing, and of other successes nothing is written.
 */
async function sealOutputs(
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
