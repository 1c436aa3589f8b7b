import type { MonitorType } from '@/lib/checks/types';
import { createId } from '@/lib/core/ids';
import { findFreePort } from '@/lib/core/ports';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { checkSecretKey, createServices, type Services } from '@/lib/domain/context/services';
import { switchPeriods } from '@/lib/domain/monitors/history/ledger';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { parseEnvironment } from '@/lib/env';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { initialState } from '@/lib/state/initial-state';
import { schedulePlace } from '@/lib/state/schedule-grid';
import {
  closePlayground,
  log,
  openPlayground,
  PHAROS_SETTINGS,
  startDatabase,
  type TargetPorts,
} from './playground';

/** The one region of a benchmark. */
export const REGION = 'us-east';
const BATCH = 1000;
const LONG_AGO_MS = 3_600_000;

/** Number of monitors and what they have in common. `interval`, in seconds, may be one that the API rejects. */
export type Monitors = { monitors: number; interval: number; timeout: number; type?: MonitorType };

/** The target of a monitor, by its number. */
export type UrlOf = (number: number) => string;

/**
 * Opens a playground with a migrated database and services on it. `environment` is for the processes to measure: with
 * `settings` added, and a web process at `origin`. `close` stops the database and deletes it; processes are stopped before.
 */
export async function openBench(settings: Record<string, string> = {}) {
  const directory = openPlayground();
  log('starting PostgreSQL');
  const database = await startDatabase(directory);
  const port = String(await findFreePort());
  const environment = { ...PHAROS_SETTINGS, DATABASE_URL: database.url, PORT: port, ...settings };
  const services = createServices(parseEnvironment(environment), 'pharos benchmark');
  await services.clock.measure();
  await checkSecretKey(services);
  const close = async () => {
    await services.db.$disconnect();
    await database.stop();
    closePlayground(directory);
  };
  return { directory, database, environment, services, origin: `http://127.0.0.1:${port}`, close };
}

/** Creates an organization without narrow quotas, and its owner. */
export async function addOrganization(services: Services, name = 'bench') {
  const email = `${name}@example.com`;
  const input = { name: 'Bench', plan: 'enterprise', email, password: 'correct horse battery' } as const;
  const created = await createOrganization(services, input);
  const { organizationId, userId } = created;
  const ctx: OrganizationContext = {
    ...services,
    organizationId,
    actor: { kind: 'user', userId, role: 'owner' },
  };
  return { ...created, ctx };
}

/** Creates many monitors like `createMonitor`, all an hour overdue: the worker has to spread them over one interval. */
export async function addMonitors(
  services: Services,
  organizationId: string,
  options: Monitors,
  urlOf: UrlOf,
): Promise<void> {
  for (let from = 0; from < options.monitors; from += BATCH) {
    const size = Math.min(BATCH, options.monitors - from);
    const numbers = Array.from({ length: size }, (_, index) => from + index);
    const targets = numbers.map((number) => ({ name: `Service ${number}`, url: urlOf(number) }));
    await addBatch(services, organizationId, targets, options);
  }
  await services.db.$executeRaw`ANALYZE`;
}

/** The targets of `startTargets`, in turns. */
export function targetUrls({ responding }: Pick<TargetPorts, 'responding'>): UrlOf {
  return (number) => `http://127.0.0.1:${responding[number % responding.length]}/service/${number}`;
}

async function addBatch(
  { db, clock }: Services,
  organizationId: string,
  targets: { name: string; url: string }[],
  { interval, timeout, type }: Monitors,
): Promise<void> {
  const now = clock.now();
  const monitors = targets.map((target) => {
    const input = { ...target, timeout, type, regions: [REGION] };
    const {
      headers: _headers,
      body: _body,
      send: _send,
      schedule: _schedule,
      ...columns
    } = createMonitorSchema.parse(input);
    return { id: createId('monitor'), organizationId, ...columns, interval, createdAt: now, updatedAt: now };
  });
  const machine = initialState(now.getTime());
  const nextCheckAt = new Date(now.getTime() - LONG_AGO_MS);
  const begin = { state: 'pending' as const, from: now, decidedAt: now, why: null };
  const state = { configVersion: 1, status: 'pending' as const, machine, consecutiveFailures: 0 };
  const ids = monitors.map(({ id }) => id);
  await db.$transaction(async (tx) => {
    await tx.monitor.createMany({ data: monitors });
    await tx.monitorState.createMany({ data: ids.map((monitorId) => ({ monitorId, ...state })) });
    await switchPeriods(
      tx,
      ids.map((monitorId) => ({ monitorId, ...begin })),
    );
    await tx.probeSchedule.createMany({
      data: ids.map((id) => ({
        monitorId: id,
        region: REGION,
        ...schedulePlace(id, REGION),
        nextCheckAt,
      })),
    });
  });
}
