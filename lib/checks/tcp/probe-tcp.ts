import { parseHostAndPort } from '@/lib/core/addresses';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import { connectGuarded } from '@/lib/platform/net/connect';
import { startDeadline } from '@/lib/platform/net/deadline';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { showAddresses } from '../evidence';
import type { ProbeEnvironment } from '../probe-environment';
import { createFailure, createJudgedResult, createResultOfError, wantsEvidence } from '../probe-result';
import type { ProbeResult } from '../result';
import { listBannerAssertions, readBanner } from './probe-banner';

const readAddress = memoizeByObject(({ url }: ProbeTarget) => parseHostAndPort(url));

/**
 * Checks that `host:port` accepts a connection, then closes it. Nothing is sent or read unless an assertion is about the banner.
 */
export async function probeTcp(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const parsed = readAddress(target);
  if (parsed === null) return createFailure('protocol', 'the target is not host:port');
  const begun = performance.now();
  const phases: { dns: number | null; connect: number | null } = { dns: null, connect: null };
  let addresses: readonly string[] | null = null;
  const deadline = startDeadline(target.timeout * 1000, env.signal, 'no connection');
  const expected = listBannerAssertions(target);
  try {
    const { socket, address, timings } = await connectGuarded({
      host: parsed.host,
      port: parsed.port,
      isIdle: expected.length === 0,
      policy: env.policy,
      resolver: env.resolver,
      signal: deadline.signal,
      onResolved: (ms, resolved) => {
        phases.dns = ms;
        addresses = resolved;
      },
    });
    const banner =
      expected.length === 0 ? null : await readBanner(socket, target.send, expected, deadline.signal);
    socket.destroy();
    const responseTime = performance.now() - begun;
    const result = createJudgedResult(target, env, { responseTime, phases: timings }, () => ({
      responseTime: Math.round(responseTime),
      banner,
    }));
    if (wantsEvidence(result, env)) result.evidence = showAddresses(addresses, address);
    return result;
  } catch (error) {
    const result = createResultOfError(error, { phases });
    if (wantsEvidence(result, env)) result.evidence = showAddresses(addresses, null);
    return result;
  } finally {
    deadline.release();
  }
}
