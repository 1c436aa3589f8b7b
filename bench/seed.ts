import { randomBytes } from 'node:crypto';
import type { MonitorType } from '@/lib/checks/types';
import { createId } from '@/lib/core/ids';
import { findFreePort } from '@/lib/core/ports';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { checkSecretKey, createServices, type Services } from '@/lib/domain/context/services';
import { switchPeriods } from '@/lib/domain/monitors/history/ledger';
import { copyMonitorTo } from '@/lib/domain/monitors/testing/history';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { createSession } from '@/lib/domain/people/sessions';
import { parseEnvironment } from '@/lib/env';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { PLAIN_FIELDS, pickFields } from '@/lib/schemas/monitor/fields';
import type { RegionId } from '@/lib/schemas/regions';
import { initialState } from '@/lib/state/initial-state';
import { schedulePlace } from '@/lib/state/schedule-grid';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
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
export type Monitors = {
  monitors: number;
  interval: number;
  timeout: number;
  type?: MonitorType | undefined;
  regions?: readonly RegionId[] | undefined;
  alertThreshold?: number | undefined;
  /** Whether they are checked from the start; true, if not given. A worker that runs would decide about the first, which is copied. */
  enabled?: boolean | undefined;
};

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

/**
 * Creates many monitors like `createMonitor`, all an hour overdue: the worker has to spread them over one interval. PostgreSQL copies them from the
 * first: writing 100,000 rows of sixty columns from here would take most of an hour.
 */
export async function addMonitors(
  services: Services,
  organizationId: string,
  options: Monitors,
  urlOf: UrlOf,
): Promise<void> {
  const first = await addMonitor(services, organizationId, options, targetOf(0, urlOf));
  for (let from = 1; from < options.monitors; from += BATCH) {
    const size = Math.min(BATCH, options.monitors - from);
    const targets = Array.from({ length: size }, (_, index) => targetOf(from + index, urlOf));
    await copyMonitors(services, first, targets, options.regions);
  }
  await services.db.$executeRaw`ANALYZE`;
}

type Target = { id: string; name: string; url: string };

function targetOf(number: number, urlOf: UrlOf): Target {
  return { id: createId('monitor'), name: `Service ${number}`, url: urlOf(number) };
}

/** The targets of `startTargets`, in turns. */
export function targetUrls({ responding }: Pick<TargetPorts, 'responding'>): UrlOf {
  return (number) => `http://127.0.0.1:${responding[number % responding.length]}/service/${number}`;
}

/** Creates a monitor with its state and schedule; returns its ID. */
async function addMonitor(
  { db, clock }: Services,
  organizationId: string,
  { interval, timeout, type, regions = [REGION], alertThreshold, enabled = true }: Monitors,
  target: Target,
): Promise<string> {
  const now = clock.now();
  const input = { name: target.name, url: target.url, timeout, type, regions, alertThreshold, enabled };
  const { schedule: _schedule, ...columns } = pickFields(createMonitorSchema.parse(input), PLAIN_FIELDS);
  const { id } = target;
  const machine = initialState(now.getTime());
  const state = { configVersion: 1, status: 'pending' as const, machine, consecutiveFailures: 0 };
  const nextCheckAt = new Date(now.getTime() - LONG_AGO_MS);
  await db.$transaction(async (tx) => {
    await tx.monitor.create({
      data: { id, organizationId, ...columns, interval, createdAt: now, updatedAt: now },
    });
    await tx.monitorState.create({ data: { monitorId: id, ...state } });
    await switchPeriods(tx, [{ monitorId: id, state: 'pending', from: now, decidedAt: now, why: null }]);
    await tx.probeSchedule.createMany({
      data: regions.map((region) => ({ monitorId: id, region, ...schedulePlace(id, region), nextCheckAt })),
    });
  });
  return id;
}

/** Creates monitors with the settings of another, and its state and schedule. */
async function copyMonitors(
  { db }: Services,
  first: string,
  targets: readonly Target[],
  regions: readonly RegionId[] = [REGION],
): Promise<void> {
  const ids = targets.map(({ id }) => id);
  const places = regions.flatMap((region) => ids.map((id) => ({ id, region, ...schedulePlace(id, region) })));
  const column = <Name extends keyof (typeof places)[number]>(name: Name) =>
    places.map((place) => place[name]);
  await copyMonitorTo(db, first, targets);
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO status_period (monitor_id, state, from_at, decided_at, known_before, down_before)
      SELECT copy.id, state, from_at, decided_at, 0, 0
        FROM status_period, unnest(${ids}::text[]) AS copy (id) WHERE monitor_id = ${first}`,
    db.$executeRaw`
      INSERT INTO probe_schedule (monitor_id, region, slot, phase, next_check_at)
      SELECT place.id, region, place.slot, place.phase, next_check_at
        FROM probe_schedule
        JOIN unnest(${column('id')}::text[], ${column('region')}::text[], ${column('slot')}::smallint[],
                    ${column('phase')}::smallint[]) AS place (id, region, slot, phase) USING (region)
       WHERE monitor_id = ${first}`,
  ]);
}

/** Adds a person who is signed in; returns their ID and session cookie. */
export async function addPerson(ctx: OrganizationContext, role: 'member' | 'viewer') {
  const userId = createId('user');
  const now = ctx.clock.now();
  const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
  await ctx.db.user.create({
    data: {
      id: userId,
      email,
      passwordHash: 'no one signs in with this',
      createdAt: now,
      updatedAt: now,
      memberships: { create: { organizationId: ctx.organizationId, role, createdAt: now } },
    },
  });
  const session = await createSession(ctx, { userId, address: null, userAgent: null });
  return { userId, cookie: `${sessionCookieName(false)}=${await sealSession(ctx, session)}` };
}

/** Resolved incidents of the last 400 days, each with a monitor and two updates. */
export async function addIncidents(
  { db, organizationId }: OrganizationContext,
  monitorIds: string[],
  incidents: number,
): Promise<void> {
  const apart = (400 * 86_400_000) / incidents;
  const rows = Array.from({ length: incidents }, (_, number) => ({
    id: createId('incident'),
    at: new Date(Date.now() - (number + 1) * apart),
    affectedMonitors: [monitorIds[number % monitorIds.length] ?? ''],
  }));
  await db.incident.createMany({
    data: rows.map(({ id, at, affectedMonitors }, number) => ({
      id,
      organizationId,
      affectedMonitors,
      title: `Slow responses ${number}`,
      severity: 'major',
      description: 'Some requests take long. '.repeat(20),
      status: 'resolved',
      automatic: false,
      startedAt: at,
      createdAt: at,
      updatedAt: at,
      resolvedAt: at,
    })),
  });
  await db.incidentUpdate.createMany({
    data: rows.flatMap(({ id, at }) =>
      (['investigating', 'resolved'] as const).map((status) => ({
        id: createId('incidentUpdate'),
        incidentId: id,
        status,
        createdAt: at,
        message: 'We found the cause and are working on a fix. '.repeat(10),
      })),
    ),
  });
  await db.$executeRaw`VACUUM (ANALYZE)`;
}
