import type { HostAndPort } from '@/lib/core/addresses';
import { type StopSignal, startStop } from '@/lib/platform/net/deadline';
import { NetError } from '@/lib/platform/net/net-error';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { Observed } from '../assertions/observed';
import type { ProbeEnvironment } from '../probe-environment';
import { withRemark } from '../probe-result';
import type { ProbeResult } from '../result';
import { formatResolver } from './dns';
import type { SeenReply } from './probe-dns-evidence';

type Resolver = HostAndPort | null;
type Check = { target: ProbeTarget; env: ProbeEnvironment; signal: StopSignal; seen: SeenReply[] };
/** The result at one resolver, and what assertions were compared with. */
type Judged = { resolver: Resolver; result: ProbeResult; observed: Observed | null };

/**
 * Runs a check at several resolvers at the same time. All of them must pass, or any one, which ends the check once it passed without a flaw;
 * the result is that of the one that decides, and names it if something is wrong.
 */
export async function checkAtAll<Own extends Check>(
  check: Own,
  resolvers: readonly Resolver[],
  checkAt: (check: Own, resolver: Resolver) => Promise<ProbeResult>,
): Promise<ProbeResult> {
  const isAnyEnough = check.target.resolverMatch === 'any';
  const stop = startStop(check.signal);
  try {
    const judged = await Promise.all(
      resolvers.map(async (resolver): Promise<Judged> => {
        let observed: Observed | null = null;
        const observe = (seen: Observed) => {
          observed = seen;
        };
        const env = check.env.observe ? { ...check.env, observe } : check.env;
        const seen: SeenReply[] = [];
        const result = await checkAt({ ...check, env, signal: stop.signal, seen }, resolver);
        check.seen.push(...seen);
        const isEnough = isAnyEnough && result.outcome === 'ok' && result.error === null;
        if (isEnough) stop.abort(new NetError('unavailable', 'another resolver was enough'));
        return { resolver, result, observed };
      }),
    );
    const decisive = decide(judged, isAnyEnough);
    if (decisive.observed !== null) check.env.observe?.(decisive.observed);
    return formatDecided(decisive, judged);
  } finally {
    stop.release();
  }
}

/** The result that decides: of several that would, the slowest success, or the first. */
function decide(judged: readonly Judged[], isAnyEnough: boolean): Judged {
  const of = (outcome: ProbeResult['outcome']) => judged.filter(({ result }) => result.outcome === outcome);
  const good = of('ok');
  const [slowest] = good.toSorted((a, b) => (b.result.responseTime ?? 0) - (a.result.responseTime ?? 0));
  const sound = good.find(({ result }) => result.error === null);
  const flawed = good.find(({ result }) => result.error !== null);
  const [[failed], [unknown]] = [of('failed'), of('unknown')];
  const chosen = isAnyEnough
    ? (sound ?? flawed ?? unknown ?? failed)
    : (failed ?? unknown ?? flawed ?? slowest);
  if (chosen === undefined) throw new Error('a check without a resolver');
  return chosen;
}

function formatDecided({ resolver, result }: Judged, judged: readonly Judged[]): ProbeResult {
  if (result.error === null || resolver === null) return result;
  const failed = judged.filter((each) => each.result.outcome === 'failed').length;
  const count = result.outcome === 'failed' ? `; ${failed} of ${judged.length} resolvers failed` : '';
  const remarked = withRemark(result, `resolver ${formatResolver(resolver)}${count}`);
  // One that responded shows that the network works.
  const isReached = judged.some((each) => each.result.outcome !== 'unknown' && !each.result.networkFailure);
  return isReached ? { ...remarked, networkFailure: false } : remarked;
}
