import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createOrganization, type NewOrganization } from '@/lib/domain/organizations/create-organization';
import { createStatusPage } from '@/lib/domain/status-pages/change-status-page';
import type { PageSettings } from '@/lib/domain/status-pages/page-row';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createIncidentSchema, updateIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createOrganizationSchema } from '@/lib/schemas/people';
import { createStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { toStateConfig } from '@/lib/state/types';
import { DEMO_MONITORS, type DemoMonitor, sampleCheck } from './demo-monitors';
import { replayHistory } from './replay-history';
import { prepareTables, writeHistory } from './write-history';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** How far back individual checks go. */
const RAW = 2 * DAY;
/** How long the paused monitor has been paused. */
const PAUSED = 3 * DAY;

const POSTMORTEM = `## What happened

A mailing to all customers filled the queue that also sends order confirmations.

## What we are changing

- Order confirmations get their own queue.
- A queue that grows for five minutes pages the on-call engineer.`;

export type DemoOptions = {
  email: string;
  password: string;
  slug: string;
  /** Days of history. */
  days: number;
  /** The address of this service, which the demo monitors. */
  service: URL;
  settings: PageSettings;
  /** Called with the monitor being written and the number of monitors. */
  onProgress(name: string, done: number, all: number): void;
};

/** The created organization. Only here, the API key is in plain text. */
export type Demo = NewOrganization & { slug: string };

/**
 * Creates an organization with monitors, some days of history, incidents, maintenance, a webhook endpoint and a status
 * page. From then on, its monitors check this service. Throws CONFLICT and SLUG_TAKEN.
 */
export async function seedDemo(services: Services, options: DemoOptions): Promise<Demo> {
  const { email, password, slug, service, settings } = options;
  const organization = await createOrganization(
    services,
    createOrganizationSchema.parse({ name: 'Demo shop', plan: 'enterprise', email, password }),
  );
  const ctx: OrganizationContext = {
    ...services,
    organizationId: organization.organizationId,
    actor: { kind: 'user', userId: organization.userId, role: 'owner' },
  };
  const ids = await addMonitors(ctx, options);
  const shown = DEMO_MONITORS.filter(({ tags }) => tags.includes('public')).map(({ name }) =>
    idOf(ids, name),
  );
  await createStatusPage(
    ctx,
    createStatusPageSchema.parse({
      name: 'Demo shop',
      slug,
      description: 'Current status of our shop.',
      monitors: shown,
      theme: { primaryColor: '#4f46e5', backgroundColor: '#ffffff', textColor: '#18181b' },
      published: true,
      showResponseTimes: true,
    }),
    settings,
  );
  await addStories(ctx, ids);
  const url = new URL('/api/live', service).href;
  await createWebhook(ctx, createWebhookSchema.parse({ url, description: 'The on-call channel' }));
  return { ...organization, slug };
}

async function addMonitors(
  ctx: OrganizationContext,
  { service, days, onProgress }: DemoOptions,
): Promise<Map<string, string>> {
  const now = ctx.clock.now().getTime();
  const [from, rawSince] = [now - days * DAY, now - RAW];
  await prepareTables(ctx, { from: new Date(from), rawSince: new Date(rawSince) });
  const ids = new Map<string, string>();
  for (const [done, monitor] of DEMO_MONITORS.entries()) {
    onProgress(monitor.name, done, DEMO_MONITORS.length);
    ids.set(monitor.name, await addMonitor(ctx, monitor, { service, from, rawSince, now }));
  }
  return ids;
}

/** Creates a monitor in the past, paused until its history is written. */
async function addMonitor(
  ctx: OrganizationContext,
  demo: DemoMonitor,
  { service, from, rawSince, now }: { service: URL; from: number; rawSince: number; now: number },
): Promise<string> {
  const createdAt = new Date(from);
  const input = createMonitorSchema.parse({
    name: demo.name,
    type: demo.type,
    url: demo.target(service),
    tags: demo.tags,
    regions: demo.regions,
    alertThreshold: 2,
    degradedThreshold: demo.degradedThreshold,
    enabled: false,
  });
  const { id } = await createMonitor({ ...ctx, clock: { now: () => createdAt } }, input);
  const { number } = await ctx.db.monitor.findUniqueOrThrow({ where: { id }, select: { number: true } });
  const pausedSince = demo.isPaused ? now - PAUSED : null;
  // Past checks were fast, whatever the degraded threshold is from now on.
  const config = toStateConfig({ ...input, degradedThreshold: 5000, configVersion: 1 });
  const history = replayHistory(config, { from, until: pausedSince ?? now, rawSince }, (region, at) =>
    sampleCheck(demo, region, at, now),
  );
  const paused = { pausedSince: pausedSince === null ? null : new Date(pausedSince) };
  const target = {
    id,
    number,
    name: demo.name,
    type: demo.type,
    regions: demo.regions,
    createdAt,
    ...paused,
  };
  await writeHistory(ctx, ctx.organizationId, target, history);
  return id;
}

/** A resolved incident, an open incident, and upcoming maintenance. */
async function addStories(ctx: OrganizationContext, ids: Map<string, string>): Promise<void> {
  const now = ctx.clock.now().getTime();
  const at = (msAgo: number): OrganizationContext => ({
    ...ctx,
    clock: { now: () => new Date(now - msAgo) },
  });
  const resolved = await createIncident(
    at(6 * DAY),
    createIncidentSchema.parse({
      title: 'Delayed order confirmations',
      description: 'Order confirmations are delayed by up to 20 minutes. No orders are lost.',
      severity: 'major',
      affectedMonitors: [idOf(ids, 'Checkout API')],
    }),
  );
  await updateIncident(at(6 * DAY - 18 * MINUTE), resolved.id, {
    status: 'identified',
    message: 'The mail queue is growing faster than it is processed. We are adding workers.',
  });
  await updateIncident(at(6 * DAY - 70 * MINUTE), resolved.id, {
    status: 'resolved',
    message: 'The queue is empty and all confirmations have been sent.',
  });
  await updateIncident(
    at(5 * DAY),
    resolved.id,
    updateIncidentSchema.parse({ postmortem: POSTMORTEM, postmortemPublished: true }),
  );
  const open = await createIncident(
    at(50 * MINUTE),
    createIncidentSchema.parse({
      title: 'New products are missing from search',
      description: 'Products added today do not appear in search results yet. Direct links work.',
      severity: 'minor',
      affectedMonitors: [idOf(ids, 'Search API')],
    }),
  );
  await updateIncident(at(25 * MINUTE), open.id, {
    status: 'identified',
    message: 'We are rebuilding the search index. This takes about two hours.',
  });
  const startsAt = new Date(Math.ceil(now / DAY) * DAY + DAY + 2 * 60 * MINUTE);
  await createMaintenance(
    ctx,
    createMaintenanceSchema.parse({
      title: 'Database upgrade',
      message: 'The shop stays available. Reports are unavailable during the upgrade.',
      monitors: [idOf(ids, 'Checkout API'), idOf(ids, 'Reports')],
      startsAt: startsAt.toISOString(),
      endsAt: new Date(startsAt.getTime() + 90 * MINUTE).toISOString(),
    }),
  );
}

function idOf(ids: Map<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`unknown demo monitor ${name}`);
  return id;
}
