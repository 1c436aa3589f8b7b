import { randomBytes, randomUUID } from 'node:crypto';
import { createId } from '@/lib/core/ids';
import { pngImage } from '@/lib/core/images/testing/samples';
import { issueApiKey } from '@/lib/domain/api-keys/change-api-keys';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createEmailRecipient } from '@/lib/domain/email-recipients/change-recipients';
import { acknowledgeIncident } from '@/lib/domain/incidents/acknowledge/acknowledge-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { addIncidentUpdate } from '@/lib/domain/incidents/schedule/schedule-update';
import { createIncidentTemplate } from '@/lib/domain/incidents/templates/change-templates';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { createMarker } from '@/lib/domain/markers/create-marker';
import { inviteMember } from '@/lib/domain/members/invitations';
import { requestCheck } from '@/lib/domain/monitors/check-monitor';
import { createCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createRegion } from '@/lib/domain/regions/change-region';
import { createRegionToken } from '@/lib/domain/regions/region-tokens';
import { createPageToken } from '@/lib/domain/status-pages/access/page-tokens';
import { createStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { setPageImage } from '@/lib/domain/status-pages/images/change-image';
import type { PageSettings } from '@/lib/domain/status-pages/page-row';
import { createWebhook, rotateSecret } from '@/lib/domain/webhooks/change-webhook';
import { testWebhook } from '@/lib/domain/webhooks/resend-deliveries';
import { createApiKeySchema } from '@/lib/schemas/api-key';
import { createEmailRecipientSchema } from '@/lib/schemas/email-recipient';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createIncidentTemplateSchema } from '@/lib/schemas/incidents/incident-template';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import type { CreateCorrection } from '@/lib/schemas/monitor/correction';
import { createMarkerSchema } from '@/lib/schemas/monitor/marker';
import { createRegionSchema } from '@/lib/schemas/monitor/region';
import { createInvitationSchema } from '@/lib/schemas/people';
import { pagePreviewSchema } from '@/lib/schemas/status-pages/page-preview';
import { createStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';

/** Part of every secret input: must not appear in the audit log or be returned to read-only actors. */
export const SECRET = 'hunter2-hunter2';
/** The base URL of links. */
export const AT = { baseUrl: 'https://pharos.example' };
/** Nothing listens on this port. */
const CLOSED = 'http://127.0.0.1:9/';
const HOUR = 3_600_000;

export const PROVED: PageSettings = {
  appUrl: undefined,
  needsProof: false,
  dnsServers: [],
  knowsAddresses: true,
};
export const UNPROVED: PageSettings = { ...PROVED, needsProof: true };

/** Valid inputs for creating resources, with secrets where possible. */
export const inputs = {
  monitor: () =>
    createMonitorSchema.parse({
      name: 'Shop',
      url: CLOSED,
      method: 'POST',
      headers: { Authorization: `Bearer ${SECRET}` },
      body: SECRET,
      timeout: 1,
      enabled: false,
    }),
  heartbeat: () => createMonitorSchema.parse({ name: 'Backup', type: 'heartbeat', period: 3600 }),
  incident: () => createIncidentSchema.parse({ title: 'Something is wrong' }),
  emailRecipient: () => createEmailRecipientSchema.parse({ email: `${unique('alerts')}@example.com` }),
  incidentTemplate: () => createIncidentTemplateSchema.parse({ name: 'Outage' }),
  maintenance: (monitor: string) =>
    createMaintenanceSchema.parse({
      title: 'Upgrade',
      monitors: [monitor],
      startsAt: new Date(Date.now() - HOUR).toISOString(),
      endsAt: new Date(Date.now() + HOUR).toISOString(),
    }),
  marker: () => createMarkerSchema.parse({ title: 'Deploy 42' }),
  region: () => createRegionSchema.parse({ name: unique('Office'), place: 'hamburg' }),
  webhook: () => createWebhookSchema.parse({ url: `https://hooks.example/${SECRET}`, format: 'slack' }),
  statusPage: () => createStatusPageSchema.parse({ name: 'Acme', slug: unique('page'), monitors: [] }),
  pagePreview: () =>
    pagePreviewSchema.parse({
      name: 'Acme',
      description: '',
      logoUrl: '',
      theme: {},
      monitors: [],
      showResponseTimes: true,
      scheme: 'light',
    }),
  logo: () => pngImage({ width: 4, height: 2 }),
  apiKey: () => createApiKeySchema.parse({ name: 'CI' }),
  invitation: () => createInvitationSchema.parse({ email: `${unique('new')}@example.com`, role: 'viewer' }),
};

/** The body of an upsert that creates. */
export function creating<Creation>(creation: Creation) {
  return { creation: () => creation, changes: () => ({}), listTexts: () => [] };
}

export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}

/** Creates resources to call verbs on; each function returns the arguments of its verbs. */
export function createWorld(ctx: OrganizationContext) {
  const idOf = async (created: Promise<{ id: string }>) => (await created).id;
  const world = {
    monitor: () => idOf(createMonitor(ctx, inputs.monitor())),
    enabledMonitor: () => idOf(createMonitor(ctx, { ...inputs.monitor(), enabled: true })),
    requestedCheck: async () => idOf(requestCheck(ctx, await world.enabledMonitor())),
    heartbeat: () => idOf(createMonitor(ctx, inputs.heartbeat())),
    monitorRef: async () => {
      const ref = unique('monitor');
      await createMonitor(ctx, { ...inputs.monitor(), ref });
      return ref;
    },
    webhookRef: async () => {
      const ref = unique('webhook');
      await createWebhook(ctx, { ...inputs.webhook(), ref });
      return ref;
    },
    incident: () => idOf(createIncident(ctx, inputs.incident())),
    /** An automatic incident, and a page on which it can be published. */
    publishable: async () => {
      const id = await world.incident();
      await ctx.db.incident.update({ where: { id }, data: { automatic: true } });
      return { id, pageId: await idOf(createStatusPage(ctx, inputs.statusPage(), UNPROVED)) };
    },
    scheduledUpdate: async () => {
      const id = await world.incident();
      const publishAt = new Date(Date.now() + HOUR);
      const { scheduledUpdates } = await addIncidentUpdate(ctx, id, {
        message: 'Soon.',
        status: null,
        translations: null,
        publishAt,
      });
      return { id, updateId: scheduledUpdates[0]?.id ?? '' };
    },
    emailRecipient: () => idOf(createEmailRecipient(ctx, inputs.emailRecipient())),
    incidentTemplate: () => idOf(createIncidentTemplate(ctx, inputs.incidentTemplate())),
    acknowledgedIncident: async () => idOf(acknowledgeIncident(ctx, await world.incident())),
    maintenance: async () => idOf(createMaintenance(ctx, inputs.maintenance(await world.monitor()))),
    marker: () => idOf(createMarker(ctx, inputs.marker())),
    /** A monitor with a past, and a correction of it to create. */
    correctable: async (): Promise<{ monitorId: string; input: CreateCorrection }> => {
      const monitorId = await world.monitor();
      const [from, to] = [new Date(Date.now() - HOUR), new Date(Date.now() - 1)];
      await ctx.db.statusPeriod.updateMany({ where: { monitorId }, data: { from } });
      return { monitorId, input: { from, to, state: 'maintenance', reason: 'Upgrade' } };
    },
    correction: async (): Promise<{ monitorId: string; id: string }> => {
      const { monitorId, input } = await world.correctable();
      return { monitorId, id: await idOf(createCorrection(ctx, monitorId, input)) };
    },
    region: () => idOf(createRegion(ctx, inputs.region())),
    /** A region with no tokens but this one: both are limited. */
    probeToken: async () => {
      const { db, organizationId } = ctx;
      const where = { organizationId, deletedAt: null };
      const { id: regionId } = (await db.region.findFirst({ where })) ?? { id: await world.region() };
      await db.probeToken.deleteMany({ where: { region: regionId } });
      return { regionId, tokenId: await idOf(createRegionToken(ctx, regionId, { name: 'Office' })) };
    },
    probe: async () => {
      const token = await world.probeToken();
      const { tokenId, regionId: region } = token;
      const [id, now] = [`${tokenId}/${randomUUID()}`, ctx.clock.now()];
      const place = { host: 'office-1', machine: 'machine', address: '203.0.113.7' };
      await ctx.db.probe.create({ data: { id, tokenId, region, ...place, startedAt: now, seenAt: now } });
      return token;
    },
    webhook: () => idOf(createWebhook(ctx, inputs.webhook())),
    statusPage: async (customDomain: string | null = null) =>
      (await createStatusPage(ctx, { ...inputs.statusPage(), customDomain }, UNPROVED)).slug,
    /** A page with a component. */
    componentPage: async () => {
      const slug = unique('page');
      const sections = [{ name: 'Services', items: [{ name: 'API' }] }];
      const page = createStatusPageSchema.parse({ name: 'Acme', slug, sections });
      return (await createStatusPage(ctx, page, UNPROVED)).slug;
    },
    /** A page with a logo that was uploaded. */
    pageImage: async () => {
      const named = { slug: await world.statusPage(), place: 'logo' as const };
      await setPageImage(ctx, named, inputs.logo(), UNPROVED);
      const { name } = await ctx.db.pageImage.findFirstOrThrow({ where: { page: { slug: named.slug } } });
      return { ...named, name };
    },
    pageToken: async () => {
      const slug = await world.statusPage();
      return { slug, tokenId: await idOf(createPageToken(ctx, slug, { name: 'Feed reader' })) };
    },
    subscriber: async () => {
      const slug = await world.statusPage();
      const { id: pageId } = await ctx.db.statusPage.findUniqueOrThrow({ where: { slug } });
      const id = createId('subscriber');
      const [email, at] = [`${unique('reader')}@example.com`, ctx.clock.now()];
      await ctx.db.pageSubscriber.create({
        data: {
          id,
          pageId,
          email,
          language: 'en',
          tokenHash: randomBytes(32),
          requestedAt: at,
          createdAt: at,
        },
      });
      return { slug, id };
    },
    apiKey: () => idOf(issueApiKey(ctx, inputs.apiKey())),
    invitation: () => idOf(inviteMember(ctx, inputs.invitation(), AT)),
    /** A new viewer. Makes `ctx` an owner again, in case a previous verb transferred the organization. */
    memberWithFactor: async () => {
      const [userId, at] = [await world.member(), ctx.clock.now()];
      const secretSealed = ctx.keyring.seal('a secret', `${userId}/totp`);
      await ctx.db.totpFactor.create({ data: { userId, secretSealed, confirmedAt: at, createdAt: at } });
      return userId;
    },
    /** The organization requires a second factor, but not yet. */
    factorRequirement: async () => {
      const secondFactorFrom = new Date(Date.now() + HOUR);
      await ctx.db.organization.update({ where: { id: ctx.organizationId }, data: { secondFactorFrom } });
    },
    member: async () => {
      const { db, organizationId, actor } = ctx;
      const now = ctx.clock.now();
      const id = createId('user');
      await db.user.create({
        data: {
          id,
          email: `${unique('member')}@example.com`,
          passwordHash: '-',
          createdAt: now,
          updatedAt: now,
        },
      });
      const membership = { organizationId, role: 'viewer' as const, createdAt: now };
      await db.membership.create({ data: { ...membership, userId: id } });
      const userId = actor.kind === 'user' ? actor.userId : '';
      await db.membership.updateMany({ where: { organizationId, userId }, data: { role: 'owner' } });
      return id;
    },
    rotatingWebhook: async () => {
      const id = await world.webhook();
      await rotateSecret(ctx, id, { immediate: false });
      return id;
    },
    /** A failed delivery, of a test event by default. */
    delivery: async (kind?: string) => {
      const { url, ...input } = inputs.webhook();
      const webhook = await idOf(createWebhook(ctx, { ...input, url, format: 'standard' }));
      const { id } = await testWebhook(ctx, webhook);
      const at = ctx.clock.now();
      const settled = { nextAttemptAt: null, manualAttemptAt: null, settledAt: at };
      await ctx.db.deliveryAttempt.create({
        data: {
          id: createId('attempt'),
          deliveryId: id,
          number: 1,
          startedAt: at,
          finishedAt: at,
          url,
          requestHeaders: { 'X-Service-Signature': `sha256=${SECRET}`, 'Content-Type': 'application/json' },
          statusCode: 404,
          responseHeaders: { location: url },
          responseBody: `no hook ${SECRET}`,
        },
      });
      await ctx.db.delivery.update({
        where: { id },
        data: {
          status: 'failed',
          reason: 'exhausted',
          attempts: 1,
          ...settled,
          ...(kind ? { event: { update: { kind } } } : {}),
        },
      });
      return { id, webhook };
    },
  };
  return world;
}

export type World = ReturnType<typeof createWorld>;
