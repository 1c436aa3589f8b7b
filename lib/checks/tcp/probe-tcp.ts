import { parseHostAndPort } from '@/lib/core/addresses';
import { memoizeByObject } from '@/lib/core/memoize';
import { connectGuarded } from '@/lib/platform/net/connect';
import { startDeadline } from '@/lib/platform/net/deadline';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { ProbeEnvironment } from '../probe-environment';
import { createFailure, createResultOfError, createSuccess } from '../probe-result';
import type { ProbeResult } from '../result';

const readAddress = memoizeByObject(({ url }: ProbeTarget) => parseHostAndPort(url));

/** Checks that `host:port` accepts a connection, then closes it. Nothing is sent. */
export async function probeTcp(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const parsed = readAddress(target);
  if (parsed === null) return createFailure('protocol', 'the target is not host:port');
  const begun = performance.now();
  const phases: { dns: number | null; connect: number | null } = { dns: null, connect: null };
  const deadline = startDeadline(target.timeout * 1000, env.signal, 'no connection');
  try {
    const { socket, timings } = await connectGuarded({
      host: parsed.host,
      port: parsed.port,
      isIdle: true,
      policy: env.policy,
      resolver: env.resolver,
      signal: deadline.signal,
      onResolved: (ms) => {
        phases.dns = ms;
      },
    });
    socket.destroy();
    return createSuccess({ responseTime: performance.now() - begun, phases: timings });
  } catch (error) {
    return createResultOfError(error, { phases });
  } finally {
    deadline.release();
  }
}
