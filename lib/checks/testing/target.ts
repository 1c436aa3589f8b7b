import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { testAuthority } from '@/lib/platform/net/testing/servers';
import { monitorDefaults, PROBED_FIELDS, type ProbeTarget, pickFields } from '@/lib/schemas/monitor/fields';

/** A worker that may probe everything, loopback included. */
export const openEnvironment: ProbeEnvironment = {
  policy: { mode: 'private', allowedCidrs: [] },
  userAgent: 'Pharos-Monitor/1.0',
  secureContext: testAuthority,
};

/** A worker for strangers: loopback is closed. */
export const strictEnvironment: ProbeEnvironment = {
  ...openEnvironment,
  policy: { mode: 'public', allowedCidrs: [] },
};

/** A target with the defaults of a monitor and a short timeout. */
export function createTarget(
  type: ProbeTarget['type'],
  url: string,
  changes: Partial<ProbeTarget> = {},
): ProbeTarget {
  const defaults = pickFields({ ...monitorDefaults, type, url }, PROBED_FIELDS);
  return { ...defaults, timeout: 5, ...changes };
}
