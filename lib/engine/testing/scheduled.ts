import { createTarget } from '@/lib/checks/testing/target';
import type { ScheduledMonitor } from '@/lib/engine/checks/shards/scheduled-monitor';
import { schedulePlace } from '@/lib/state/schedule-grid';

/** A monitor in the memory of a worker; its place in the schedule follows from its ID, as always. */
export function createScheduled({
  id = 'mon_1',
  region = 'us-east',
  intervalMs = 60_000,
  confirmMs = null,
  configVersion = 1,
  ...fields
}: Partial<Omit<ScheduledMonitor, 'config'>> & {
  intervalMs?: number;
  confirmMs?: number | null;
} = {}): ScheduledMonitor {
  return {
    id,
    region,
    configVersion,
    ...schedulePlace(id, region),
    number: 1,
    organizationId: 'org_1',
    config: {
      isProbed: true,
      intervalMs,
      confirmMs,
      configVersion,
      regions: [region],
      timeoutMs: 30_000,
      alertThreshold: 1,
      recoveryThreshold: 1,
      degradedThresholdMs: 5000,
      tlsExpiryDays: null,
    },
    target: createTarget('http', 'http://127.0.0.1/'),
    targetError: null,
    host: '127.0.0.1',
    dueAt: 0,
    overdueSince: null,
    scheduledAt: 0,
    begunAt: null,
    nextAt: 0,
    feed: { snapshot: '1:1:' },
    isContested: true,
    lastResultAt: null,
    certificateExpiresAt: null,
    failure: null,
    decidedAt: null,
    failedAt: null,
    awaitsRecovery: false,
    goodDueAt: 0,
    isOutdated: false,
    replacedBy: null,
    ...fields,
  };
}
