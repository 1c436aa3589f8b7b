import { createUnknown } from '../probe-result';
import type { ProbeResult } from '../result';

/** A heartbeat is received. Nothing schedules a probe of it; if one ran, it would tell nothing about the job. */
export async function probeHeartbeat(): Promise<ProbeResult> {
  return createUnknown('unavailable', 'heartbeats are received, not probed');
}
