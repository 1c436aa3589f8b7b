import { probeDns } from './dns';
import type { ProbeEnvironment } from './environment';
import { probeHttp } from './http';
import { probePing } from './ping';
import { createResultOfError, createUnknown } from './result';
import { probeTcp } from './tcp';
import type { ProbeResult, ProbeTarget } from './types';

const PROBES = { http: probeHttp, tcp: probeTcp, ping: probePing, dns: probeDns };

/**
 * Carries out one check, within the target's timeout. Never throws, and leaves no socket or timer behind.
 * A check that `env.signal` stopped is `unknown`.
 */
export async function probe(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const result = await attempt(target, env);
  if (result.outcome !== 'ok' && env.signal?.aborted) {
    return createUnknown('unavailable', 'the check was stopped before it ended');
  }
  return result;
}

async function attempt(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  try {
    return await PROBES[target.type](target, env);
  } catch (error) {
    return createResultOfError(error);
  }
}
