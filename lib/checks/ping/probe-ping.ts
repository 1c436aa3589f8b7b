import { RaceLostError, raceStaggered, type StopSignal, startDeadline } from '@/lib/platform/net/deadline';
import { echo, IcmpUnavailableError } from '@/lib/platform/net/icmp/icmp-echo';
import { pingWithProgram } from '@/lib/platform/net/icmp/ping-program';
import { NetError } from '@/lib/platform/net/net-error';
import { resolveAllowed } from '@/lib/platform/net/resolve';
import { literalAddress } from '@/lib/platform/net/target-policy';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { firstOf, showAddresses } from '../evidence';
import type { ProbeEnvironment } from '../probe-environment';
import { familyOf } from '../probe-families';
import { createFailure, createJudgedResult, createResultOfError, wantsEvidence } from '../probe-result';
import type { ProbeResult } from '../result';

/** Delay before the next address is pinged, and the maximum number, same as for connections. */
const STAGGER_MS = 250;
const MAX_ADDRESSES = 6;

/** Checks that a host replies to an ICMP echo request. `unknown` if this worker is not permitted to ping. */
export async function probePing(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const begun = performance.now();
  const deadline = startDeadline(target.timeout * 1000, env.signal, 'no echo reply');
  const { signal } = deadline;
  let dns: number | null = null;
  let addresses: readonly string[] | null = null;
  try {
    const resolved = await resolveAllowed({
      host: target.url,
      policy: env.policy,
      resolver: env.resolver,
      family: familyOf(target),
      signal,
    });
    if (literalAddress(target.url) === null) dns = performance.now() - begun;
    addresses = resolved.addresses;
    const { responseTime, address } = await pingAny(addresses, signal);
    const result = createJudgedResult(target, env, { responseTime, phases: { dns }, address }, () => ({
      responseTime: Math.round(responseTime),
    }));
    if (wantsEvidence(result, env)) result.evidence = showAddresses(addresses, address);
    return result;
  } catch (error) {
    const isSilent = error instanceof NetError && error.code === 'timeout' && addresses !== null;
    const found = { phases: { dns }, address: firstOf(addresses) };
    const result = isSilent
      ? createFailure('no_reply', error.message, found)
      : createResultOfError(error, found);
    if (wantsEvidence(result, env)) result.evidence = showAddresses(addresses, null);
    return result;
  } finally {
    deadline.release();
  }
}

type Reply = { address: string; responseTime: number };

/** Pings addresses with staggered starts: an IPv6 address without a route fails silently. */
async function pingAny(addresses: readonly string[], signal: StopSignal): Promise<Reply> {
  try {
    return await raceStaggered(addresses.slice(0, MAX_ADDRESSES), {
      staggerMs: STAGGER_MS,
      signal,
      attempt: ping,
    });
  } catch (error) {
    throw error instanceof RaceLostError ? error.errors.at(-1) : error;
  }
}

async function ping(address: string, signal: StopSignal): Promise<Reply> {
  try {
    return { address, responseTime: await echo(address, signal) };
  } catch (error) {
    if (!(error instanceof IcmpUnavailableError)) throw error;
    const responseTime = await pingWithProgram(address, signal).catch((second: unknown) => {
      if (!(second instanceof IcmpUnavailableError)) throw second;
      throw new IcmpUnavailableError(`${error.reason}; ${second.reason}`);
    });
    return { address, responseTime };
  }
}
