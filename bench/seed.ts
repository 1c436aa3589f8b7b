import { createId } from '@/lib/core/ids';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import {
  checkSecretKey,
  createServices,
  type ProcessServices,
  type Services,
} from '@/lib/domain/context/services';
import { switchPeriods } from '@/lib/domain/monitors/history/ledger';
import { schedulePlace } from '@/lib/domain/monitors/probe-schedules';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { parseEnvironment } from '@/lib/env';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { initialState } from '@/lib/state/initial-state';
import type { TargetPorts } from './playground';

/** The one region of a benchmark. */
export const REGION = 'us-east';
const BATCH = 1000;
const LONG_AGO_MS = 3_600_000;

/** Number of monitors and seconds between checks; one in `hangingEvery` targets hangs until `timeout` seconds have passed. */
export type Monitors = { monitors: number; interval: number; timeout: number; hangingEvery: number };

/** The services of a benchmark, with a measured clock. */
export async function openServices(environment: Record<string, string>): Promise<ProcessServices> {
  const services = createServices(parseEnvironment(environment), 'pharos benchmark');
  await services.clock.measure();
  await checkSecretKey(services);
  return services;
}

/** Creates an organization without narrow quotas, and its owner. */
export async function addOrganization(services: ProcessServices, name = 'bench') {
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

/**
 * Creates many monitors like `createMonitor`. All are an hour overdue, as after a long stop, so the worker has to spread them
 * over one interval.
 */
export async function addMonitors(
  services: Services,
  organizationId: string,
  options: Monitors,
  ports: TargetPorts,
): Promise<void> {
  for (let from = 0; from < options.monitors; from += BATCH) {
    const size = Math.min(BATCH, options.monitors - from);
    const urls = Array.from({ length: size }, (_, index) => urlOf(from + index, options, ports));
    await addBatch(services, organizationId, urls, options);
  }
  await services.db.$executeRaw`ANALYZE`;
}

function urlOf(number: number, { hangingEvery }: Monitors, { answering, hanging }: TargetPorts): string {
  const port = (number + 1) % hangingEvery === 0 ? hanging : answering[number % answering.length];
  return `http://127.0.0.1:${port}/service/${number}`;
}

async function addBatch(
  { db, clock }: Services,
  organizationId: string,
  urls: string[],
  { interval, timeout }: Monitors,
): Promise<void> {
  const now = clock.now();
  const monitors = urls.map((url, index) => {
    const input = { name: `Service ${index}`, url, interval, timeout, regions: [REGION] };
    const { headers: _headers, body: _body, ...columns } = createMonitorSchema.parse(input);
    return { id: createId('monitor'), organizationId, ...columns, createdAt: now, updatedAt: now };
  });
  const machine = initialState(now.getTime());
  const nextCheckAt = new Date(now.getTime() - LONG_AGO_MS);
  await db.$transaction(async (tx) => {
    await tx.monitor.createMany({ data: monitors });
    await tx.monitorState.createMany({
      data: monitors.map(({ id }) => ({
        monitorId: id,
        configVersion: 1,
        status: 'pending' as const,
        machine,
        consecutiveFailures: 0,
      })),
    });
    await switchPeriods(
      tx,
      monitors.map(({ id }) => ({
        monitorId: id,
        state: 'pending' as const,
        from: now,
        decidedAt: now,
        why: null,
      })),
    );
    await tx.probeSchedule.createMany({
      data: monitors.map(({ id }) => ({
        monitorId: id,
        region: REGION,
        ...schedulePlace(id, REGION),
        nextCheckAt,
      })),
    });
  });
}
