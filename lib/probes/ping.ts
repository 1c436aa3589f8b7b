import { startDeadline } from '@/lib/net/deadline';
import { echo, IcmpUnavailableError } from '@/lib/net/icmp-echo';
import { NetError } from '@/lib/net/net-error';
import { pingWithProgram } from '@/lib/net/ping-program';
import { resolveAllowed } from '@/lib/net/resolve';
import { literalAddress } from '@/lib/net/target-policy';
import type { ProbeEnvironment } from './environment';
import { createFailure, createResultOfError, createSuccess } from './result';
import type { ProbeResult, ProbeTarget } from './types';

/**
 * Checks that a host answers an ICMP echo request. `responseTime` is the round trip of the request that was
 * answered. `unknown` where this worker may not ping.
 */
export async function probePing(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const begun = performance.now();
  const deadline = startDeadline(target.timeout * 1000, env.signal, 'no echo reply');
  const { signal } = deadline;
  let dns: number | null = null;
  let resolved = false;
  try {
    const addresses = await resolveAllowed({
      host: target.url,
      policy: env.policy,
      resolver: env.resolver,
      signal,
    });
    if (literalAddress(target.url) === null) dns = performance.now() - begun;
    resolved = true;
    const responseTime = await pingFirst(addresses, signal);
    return createSuccess({ responseTime, phases: { dns } });
  } catch (error) {
    if (error instanceof NetError && error.code === 'timeout' && resolved) {
      return createFailure('no_reply', error.message, { phases: { dns } });
    }
    return createResultOfError(error, { phases: { dns } });
  } finally {
    deadline.release();
  }
}

/** Pings the first address that there is a way to: a host may have an IPv6 address and the worker no IPv6. */
async function pingFirst(addresses: string[], signal: AbortSignal): Promise<number> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await ping(address, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}

async function ping(address: string, signal: AbortSignal): Promise<number> {
  try {
    return await echo(address, signal);
  } catch (error) {
    if (!(error instanceof IcmpUnavailableError)) throw error;
    return await pingWithProgram(address, signal);
  }
}
