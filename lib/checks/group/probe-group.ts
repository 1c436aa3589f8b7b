import { createUnknown } from '../probe-result';
import type { ProbeResult } from '../result';

/** A group follows its members. Nothing schedules a probe of it; if one ran, it would tell nothing about them. */
export async function probeGroup(): Promise<ProbeResult> {
  return createUnknown('unavailable', 'groups follow their members, and are not probed');
}
