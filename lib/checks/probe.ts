import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probeDns } from './dns/probe-dns';
import { probeGroup } from './group/probe-group';
import { probeHeartbeat } from './heartbeat/probe-heartbeat';
import { probeHttp } from './http/probe-http';
import { probePing } from './ping/probe-ping';
import type { ProbeEnvironment } from './probe-environment';
import { isOverBoth, probeOverBoth } from './probe-families';
import { createResultOfError, createUnknown } from './probe-result';
import type { ProbeResult } from './result';
import { probeTcp } from './tcp/probe-tcp';
import type { MonitorType } from './types';

const PROBES = {
  http: probeHttp,
  tcp: probeTcp,
  ping: probePing,
  dns: probeDns,
  heartbeat: probeHeartbeat,
  group: probeGroup,
} satisfies Record<MonitorType, (target: ProbeTarget, env: ProbeEnvironment) => Promise<ProbeResult>>;

/**
 * Runs one check within its timeout, and once more if this process was suspended meanwhile; `unknown` if aborted. Never throws, and leaves no socket or timer. What is made of a target
 * is kept for its next check, so a target must not be changed.
 */
export async function probe(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const { suspensions } = env;
  const before = suspensions?.count();
  let result = await attempt(target, env);
  if (suspensions?.count() !== before && !env.signal?.aborted) {
    if (env.beginAgain?.() === false) return createUnknown('unavailable', 'this process was suspended');
    result = await attempt(target, env);
  }
  if (result.outcome !== 'ok' && env.signal?.aborted) {
    return createUnknown('unavailable', 'the check was stopped before it finished');
  }
  return result;
}

async function attempt(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  try {
    const run = PROBES[target.type];
    return isOverBoth(target) ? await probeOverBoth(run, target, env) : await run(target, env);
  } catch (error) {
    return createResultOfError(error);
  }
}
