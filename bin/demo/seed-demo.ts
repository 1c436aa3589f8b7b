import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { addIncidentUpdate, updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createOrganization, type NewOrganization } from '@/lib/domain/organizations/create-organization';
import { createStatusPage } from '@/lib/domain/status-pages/change-status-page';
import type { DomainSettings } from '@/lib/domain/status-pages/page-row';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createIncidentSchema, updateIncidentSchema } from '@/lib/schemas/incident';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createOrganizationSchema } from '@/lib/schemas/people';
import { createStatusPageSchema } from '@/lib/schemas/status-page';
import { createWebhookSchema } from '@/lib/schemas/webhook';
import { toStateConfig } from '@/lib/state/types';
import { DEMO_MONITORS, type DemoMonitor, sampleCheck } from './demo-monitors';
import { replayHistory } from './replay-history';
import { prepareTables, writeHistory } from './write-history';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** So long ago single checks begin. */
const RAW = 2 * DAY;
/** The paused monitor has been so for this long. */
const PAUSED = 3 * DAY;

const POSTMORTEM = `## What happened

A mailing to all customers put its messages into the queue that confirmations of orders wait in.

## What we do about it

- Confirmations have a queue of their own.
- A queue that grows for five minutes calls somebody.`;

export type DemoOptions = {
  email: string;
  password: string;
  slug: string;
  /** How many days the monitors have behind them. */
  days: number;
  /** Where the service answers: it is what the demo watches. */
  service: URL;
  settings: DomainSettings;
  /** Told which monitor is written, and how many there are. */
  onProgress(name: string, done: number, all: number): void;
};

/** What was made; the API key is in clear text here and nowhere else. */
export type Demo = NewOrganization & { slug: string };

/**
 * Makes an organization with monitors that have a past of some days, incidents, maintenance, a webhook endpoint and a
 * status page. Its monitors watch the service itself from then on. Throws CONFLICT and SLUG_TAKEN.
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
      description: 'How the parts of the shop are doing.',
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

/** Made as it was long ago, and paused, so that the engine waits for its history. */
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
  // Their history is of good checks, whatever counts as slow from now on.
  const config = toStateConfig({ ...input, degradedThreshold: 5000, configVersion: 1 });
  const history = replayHistory(config, { from, until: pausedSince ?? now, rawSince }, (region, at) =>
    sampleCheck(demo, region, at, now),
  );
  const watched = { id, number, name: demo.name, regions: demo.regions, createdAt };
  await writeHistory(
    ctx,
    ctx.organizationId,
    { ...watched, pausedSince: pausedSince === null ? null : new Date(pausedSince) },
    history,
  );
  return id;
}

/** What people wrote: an incident that is over, one that goes on, and maintenance to come. */
async function addStories(ctx: OrganizationContext, ids: Map<string, string>): Promise<void> {
  const now = ctx.clock.now().getTime();
  const at = (msAgo: number): OrganizationContext => ({
    ...ctx,
    clock: { now: () => new Date(now - msAgo) },
  });
  const over = await createIncident(
    at(6 * DAY),
    createIncidentSchema.parse({
      title: 'Orders are confirmed late',
      description: 'Confirmations of orders reach customers up to twenty minutes late. No order is lost.',
      severity: 'major',
      affectedMonitors: [idOf(ids, 'Checkout API')],
    }),
  );
  await addIncidentUpdate(at(6 * DAY - 18 * MINUTE), over.id, {
    status: 'identified',
    message: 'A queue fills faster than it is emptied. More workers are being started.',
  });
  await addIncidentUpdate(at(6 * DAY - 70 * MINUTE), over.id, {
    status: 'resolved',
    message: 'The queue is empty again, and every confirmation was sent.',
  });
  await updateIncident(
    at(5 * DAY),
    over.id,
    updateIncidentSchema.parse({ postmortem: POSTMORTEM, postmortemPublished: true }),
  );
  const open = await createIncident(
    at(50 * MINUTE),
    createIncidentSchema.parse({
      title: 'New products are missing from the search',
      description:
        'Products that were added today cannot be found yet. They can be ordered by their address.',
      severity: 'minor',
      affectedMonitors: [idOf(ids, 'Search API')],
    }),
  );
  await addIncidentUpdate(at(25 * MINUTE), open.id, {
    status: 'identified',
    message: 'The index is being built anew. This takes about two hours.',
  });
  const startsAt = new Date(Math.ceil(now / DAY) * DAY + DAY + 2 * 60 * MINUTE);
  await createMaintenance(
    ctx,
    createMaintenanceSchema.parse({
      title: 'Move to a larger database',
      message: 'The shop stays open; reports are not available meanwhile.',
      monitors: [idOf(ids, 'Checkout API'), idOf(ids, 'Reports')],
      startsAt: startsAt.toISOString(),
      endsAt: new Date(startsAt.getTime() + 90 * MINUTE).toISOString(),
    }),
  );
}

function idOf(ids: Map<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`there is no demo monitor ${name}`);
  return id;
}
