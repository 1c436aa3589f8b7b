import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { CLOSED, type Maker, makeFixture } from './fixtures';
import type { LifeClient } from './life-clients';
import { SAMPLE_FILE } from './sample-file';

/** What a story needs besides the client: a receiver of webhooks, and what the API cannot create. */
export type Scene = Maker;

type Story = (client: LifeClient, scene: Scene) => Promise<void>;

const unique = (name: string) => `${name}-${randomBytes(6).toString('hex')}`;
const monitor = () => ({ name: 'Shop', url: CLOSED, enabled: false });

/** From creation to deletion. Every resource is fetched, changed, and sent back whole. */
export const LIVES: Record<string, Story> = {
  monitors: async ({ operations: api, codeOf }, { receiverUrl }) => {
    const tag = unique('tag');
    const created = await api.createMonitor({ ...monitor(), tags: [tag] });
    expect(created).toMatchObject({ name: 'Shop', interval: 60, status: 'pending' });
    expect(await api.listMonitors({ tag, limit: 1 })).toMatchObject([{ id: created.id }]);
    const fetched = await api.getMonitor(created.id);
    const changed = await api.updateMonitor(created.id, { ...fetched, name: 'Store' });
    expect(changed).toMatchObject({ ...fetched, name: 'Store', version: 2, updatedAt: expect.any(String) });
    expect(await codeOf(api.updateMonitor(created.id, fetched))).toBe('CONFLICT');
    expect(await codeOf(api.createMonitor({ name: '', url: 'nowhere' }))).toBe('VALIDATION_ERROR');
    expect(await api.listMonitorResults(created.id)).toEqual([]);
    expect(await api.listMonitorEvidence(created.id)).toEqual([]);
    expect(await api.listMonitorTransitions(created.id)).toEqual(expect.any(Array));
    expect(await api.getMonitorStats(created.id, { window: '7d' })).toMatchObject({ window: '7d' });
    expect(await api.getMonitorListeners(created.id, { severity: 'minor' })).toMatchObject({
      severity: 'minor',
    });
    expect(await api.backtestMonitor(created.id, { days: 1 })).toEqual(expect.any(Object));
    expect(await codeOf(api.checkMonitor(created.id))).toBe('MONITOR_PAUSED');
    const { id: running } = await api.createMonitor({ name: 'Receiver', url: receiverUrl, interval: 300 });
    expect(await api.checkMonitor(running)).toMatchObject({ results: [{ trigger: 'manual' }], missing: [] });
    await api.deleteMonitor(running);
    const backup = await api.createMonitor({ name: 'Backup', url: '', type: 'heartbeat', period: 3600 });
    const rotated = await api.rotateHeartbeat(backup.id);
    expect(rotated.heartbeatUrl).toMatch(/\/heartbeat\/[\w-]{32}$/);
    expect(rotated.heartbeatUrl).not.toBe(backup.heartbeatUrl);
    await api.deleteMonitor(backup.id);
    const tested = await api.testMonitor({ name: 'Receiver', url: receiverUrl });
    expect(JSON.stringify(tested)).toContain('200');
    await api.deleteMonitor(created.id);
    expect(await codeOf(api.getMonitor(created.id))).toBe('NOT_FOUND');
  },

  'monitors by reference, and many at once': async ({ operations: api, codeOf }) => {
    const [ref, other] = [unique('ref'), unique('ref')];
    const created = await api.upsertMonitor(ref, monitor());
    const fetched = await api.getMonitorByRef(ref);
    expect(fetched).toEqual(created);
    expect(await api.upsertMonitor(ref, { ...fetched, interval: 120 })).toMatchObject({ interval: 120 });
    const { results } = await api.createMonitors({
      monitors: [
        { ...monitor(), ref: other },
        { ...monitor(), ref, name: 'Store' },
        { ...monitor(), name: '' },
      ],
      upsert: true,
    });
    expect(results.map(({ status }) => status)).toEqual([201, 200, 400]);
    const imported = await api.importMonitors({
      format: 'list',
      monitors: [
        { ...monitor(), ref },
        { ...monitor(), ref: other, name: '' },
      ],
      dryRun: true,
    });
    expect(imported).toMatchObject({ source: { name: 'main', isNew: true } });
    expect(imported.results.map(({ status }) => status)).toEqual([200, 400]);
    await api.deleteMonitorByRef(ref);
    await api.deleteMonitorByRef(other);
    expect(await codeOf(api.getMonitorByRef(ref))).toBe('NOT_FOUND');
  },

  incidents: async ({ operations: api, codeOf }) => {
    const created = await api.createIncident({ title: 'Slow checkout', severity: 'minor' });
    expect(await api.listIncidents({ open: 'true' })).toMatchObject([{ id: created.id }]);
    const fetched = await api.getIncident(created.id);
    const changed = await api.updateIncident(created.id, { ...fetched, severity: 'major' });
    expect(changed).toMatchObject({ title: 'Slow checkout', severity: 'major' });
    const acknowledged = await api.acknowledgeIncident(created.id);
    expect(acknowledged).toMatchObject({ id: created.id, acknowledgedBy: expect.any(String) });
    expect(await api.unacknowledgeIncident(created.id)).toMatchObject({ acknowledgedAt: null });
    const later = { message: 'More soon.', publishAt: new Date(Date.now() + 86_400_000).toISOString() };
    const planned = await api.addIncidentUpdate(created.id, later);
    const [scheduled] = planned.scheduledUpdates;
    const moved = { ...scheduled, message: 'More tomorrow.' };
    const after = await api.updateScheduledUpdate(created.id, scheduled?.id ?? '', moved);
    expect(after.scheduledUpdates).toMatchObject([{ message: 'More tomorrow.', droppedAt: null }]);
    const canceled = await api.deleteScheduledUpdate(created.id, scheduled?.id ?? '');
    expect(canceled.scheduledUpdates).toEqual([]);
    const update = { message: 'A fix is deployed.', status: 'resolved' as const };
    const resolved = await api.addIncidentUpdate(created.id, update);
    expect(resolved).toMatchObject({ status: 'resolved', resolvedAt: expect.any(String) });
    await api.deleteIncident(created.id);
    expect(await codeOf(api.getIncident(created.id))).toBe('NOT_FOUND');
  },

  'incident templates': async ({ operations: api, codeOf }) => {
    const created = await api.createIncidentTemplate({ name: 'Payments', title: 'Payments fail' });
    expect(created).toMatchObject({ severity: 'major', status: 'investigating', version: 1 });
    expect(await api.listIncidentTemplates()).toEqual([created]);
    const changed = await api.updateIncidentTemplate(created.id, { ...created, message: 'We are on it.' });
    expect(changed).toMatchObject({ title: 'Payments fail', message: 'We are on it.', version: 2 });
    expect(await api.getIncidentTemplate(created.id)).toEqual(changed);
    await api.deleteIncidentTemplate(created.id);
    expect(await codeOf(api.getIncidentTemplate(created.id))).toBe('NOT_FOUND');
  },

  'email recipients': async ({ operations: api, codeOf }, { db }) => {
    const email = `${unique('alerts')}@example.com`;
    const created = await api.createEmailRecipient({ email });
    expect(created).toMatchObject({ email, status: 'pending', rules: [], version: 1 });
    expect(await codeOf(api.createEmailRecipient({ email }))).toBe('VALIDATION_ERROR');
    expect(await api.listEmailRecipients()).toEqual([created]);
    const changed = await api.updateEmailRecipient(created.id, { ...created, description: 'On-call' });
    expect(changed).toMatchObject({ email, description: 'On-call', version: 2 });
    expect(await api.getEmailRecipient(created.id)).toEqual(changed);
    expect(await codeOf(api.resendEmailRecipientConfirmation(created.id))).toBe('RATE_LIMITED');
    await db.emailRecipient.update({ where: { id: created.id }, data: { requestedAt: null } });
    expect(await api.resendEmailRecipientConfirmation(created.id)).toMatchObject({ status: 'pending' });
    await api.deleteEmailRecipient(created.id);
    expect(await codeOf(api.getEmailRecipient(created.id))).toBe('NOT_FOUND');
  },

  corrections: async ({ operations: api, codeOf }) => {
    const { id, createdAt } = await api.createMonitor(monitor());
    const time = { from: createdAt, to: new Date(Date.parse(createdAt) + 1).toISOString() };
    const body = { ...time, state: 'maintenance', reason: 'Upgrade of the network' } as const;
    const created = await api.createMonitorCorrection(id, body);
    expect(created).toMatchObject({ ...body, monitorId: id, maintenanceId: null });
    expect(await codeOf(api.createMonitorCorrection(id, body))).toBe('VALIDATION_ERROR');
    expect(await api.listMonitorCorrections(id)).toEqual([created]);
    await api.deleteMonitorCorrection(id, created.id);
    expect(await codeOf(api.deleteMonitorCorrection(id, created.id))).toBe('NOT_FOUND');
    await api.deleteMonitor(id);
  },

  'deploy markers': async ({ operations: api, codeOf }) => {
    const { id } = await api.createMonitor(monitor());
    const created = await api.createMarker({ title: 'Deploy 42', monitors: [id] });
    expect(created).toMatchObject({ title: 'Deploy 42', url: null, tags: [] });
    expect(await api.listMarkers({ monitor: id })).toMatchObject([{ id: created.id }]);
    expect(await api.getMarker(created.id)).toEqual(created);
    await api.deleteMarker(created.id);
    expect(await codeOf(api.getMarker(created.id))).toBe('NOT_FOUND');
    await api.deleteMonitor(id);
  },

  'maintenance windows': async ({ operations: api, codeOf }) => {
    const { id: monitorId } = await api.createMonitor(monitor());
    const from = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const window = { title: 'Upgrade', monitors: [monitorId], startsAt: from(-1), endsAt: from(2) };
    const created = await api.createMaintenance(window);
    expect(await api.listMaintenance({ monitor: monitorId })).toMatchObject([{ id: created.id }]);
    const fetched = await api.getMaintenance(created.id);
    const changed = await api.updateMaintenance(created.id, { ...fetched, message: 'Back soon.' });
    expect(changed).toMatchObject({ title: 'Upgrade', message: 'Back soon.' });
    expect(await api.endMaintenance(created.id)).toMatchObject({ status: 'finished' });
    await api.deleteMaintenance(created.id);
    expect(await codeOf(api.getMaintenance(created.id))).toBe('NOT_FOUND');
    await api.deleteMonitor(monitorId);
  },

  'status pages': async ({ operations: api, codeOf }, scene) => {
    const [slug, other] = [unique('page'), unique('page')];
    const body = { name: 'Acme', slug, monitors: [], published: true };
    expect(await api.createStatusPage(body)).toMatchObject({ slug, published: true });
    expect(await codeOf(api.createStatusPage(body))).toBe('SLUG_TAKEN');
    expect(await api.listStatusPages()).toMatchObject([{ slug }]);
    const fetched = await api.getStatusPage(slug);
    const changed = await api.updateStatusPage(slug, { ...fetched, customDomain: `${slug}.acme.test` });
    expect(changed).toMatchObject({ name: 'Acme', customDomain: `${slug}.acme.test` });
    const file = new Blob([SAMPLE_FILE.body], { type: 'image/png' });
    const uploaded = await api.uploadLogo(slug, file);
    expect(uploaded.logoUrl).toMatch(/^\/status\/.*-64x32\.png$/);
    const { logoUrl, version } = uploaded;
    expect(await api.updateStatusPage(slug, uploaded)).toMatchObject({ logoUrl, version });
    expect((await api.uploadDarkLogo(slug, file)).darkLogoUrl).toBe(uploaded.logoUrl);
    expect((await api.uploadFavicon(slug, file)).faviconUrl).toBe(uploaded.logoUrl);
    expect(await codeOf(api.uploadLogo(slug, new Blob(['GIF89a'])))).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await api.deleteDarkLogo(slug)).toMatchObject({ darkLogoUrl: null });
    expect(await api.deleteFavicon(slug)).toMatchObject({ faviconUrl: null });
    expect(await api.deleteLogo(slug)).toMatchObject({ logoUrl: null });
    expect(await codeOf(api.deleteLogo(slug))).toBe('NOT_FOUND');
    expect(await api.verifyDomain(slug)).toMatchObject({ slug });
    await api.checkTlsAllowed(`${slug}.acme.test`);
    expect(await codeOf(api.checkTlsAllowed(`${other}.acme.test`))).toBe('NOT_FOUND');
    expect(await api.getPublicStatusPage(slug)).toMatchObject({ name: 'Acme' });
    const upserted = await api.updateStatusPage(other, { name: 'Other', monitors: [] }, { upsert: 'true' });
    expect(upserted).toMatchObject({ slug: other, name: 'Other' });
    const [subscribed = '', , subscriber = ''] = (
      await makeFixture('/status-pages/{slug}/subscribers/{id}', scene)
    ).split('/');
    expect(await api.listSubscribers(subscribed)).toMatchObject([{ id: subscriber }]);
    expect(await api.exportSubscribers(subscribed)).toContain(subscriber);
    const csv = `email\n${subscriber}@example.com\nnobody`;
    const outcome = {
      created: 0,
      existing: 1,
      confirmed: 0,
      invalid: 1,
      refused: [{ line: 3, code: 'invalid_email' }],
    };
    expect(await api.importSubscribers(subscribed, { csv })).toMatchObject(outcome);
    const declared = { csv: `moved-${subscriber}@example.com`, confirmed: true, source: 'Statuspage' };
    expect(await api.importSubscribers(subscribed, declared)).toMatchObject({ created: 1, confirmed: 1 });
    for (const { id } of await api.listSubscribers(subscribed)) await api.removeSubscriber(subscribed, id);
    expect(await api.listSubscribers(subscribed)).toEqual([]);
    const issued = await api.createPageToken(slug, { name: 'Feeds' });
    const renewed = await api.rotatePageToken(slug, issued.id, { overlapHours: 1 });
    await api.revokePageToken(slug, renewed.id);
    expect(await api.listPageTokens(slug)).toMatchObject([
      { id: renewed.id, revokedAt: expect.any(String) },
      { id: issued.id, expiresAt: expect.any(String) },
    ]);
    await api.updateStatusPage(other, { sections: [{ name: 'Services', items: [{ name: 'API' }] }] });
    const [startedAt, resolvedAt] = ['2025-03-01T12:00:00.000Z', '2025-03-01T13:00:00.000Z'];
    const updates = [{ status: 'resolved' as const, message: 'It is over.', createdAt: resolvedAt }];
    const ended = { title: 'Slow', severity: 'minor' as const, startedAt, resolvedAt, updates };
    const [known, unknown] = [unique('statuspage'), unique('statuspage')];
    const incidents = [
      { ...ended, ref: known, rows: ['API'] },
      { ...ended, ref: unknown, rows: ['Login'] },
    ];
    const past = { source: 'Statuspage', incidents };
    const refused = [{ index: 1, ref: unknown, code: 'unknown_row' }];
    expect(await api.importIncidents(other, past)).toMatchObject({ created: 1, existing: 0, refused });
    expect(await api.importIncidents(other, past)).toMatchObject({ created: 0, existing: 1, refused });
    for (const page of [slug, other, subscribed]) await api.deleteStatusPage(page);
    expect(await codeOf(api.getStatusPage(slug))).toBe('NOT_FOUND');
  },

  regions: async ({ operations: api, codeOf }) => {
    const created = await api.createRegion({ name: unique('Office'), place: 'hamburg' });
    expect(created).toMatchObject({ isOwn: true, location: 'Hamburg, Germany' });
    expect((await api.listRegions()).at(-1)).toEqual(created);
    const fetched = await api.getRegion(created.id);
    const changed = await api.updateRegion(created.id, { ...fetched, place: 'berlin' });
    expect(changed).toMatchObject({ name: created.name, place: 'berlin', version: 2 });
    const issued = await api.createRegionToken(created.id, { name: 'Office' });
    expect(issued.token).toMatch(/^ph_probe_/);
    const rotated = await api.rotateRegionToken(created.id, issued.id, { overlapHours: 1 });
    expect(rotated).toMatchObject({ name: 'Office', region: created.id, expiresAt: null });
    await api.revokeRegionToken(created.id, rotated.id);
    expect(await api.listRegionTokens(created.id)).toMatchObject([
      { id: rotated.id, revokedAt: expect.any(String) },
      { id: issued.id, expiresAt: expect.any(String) },
    ]);
    expect(await api.listRegionProbes(created.id)).toEqual([]);
    await api.deleteRegion(created.id);
    expect(await codeOf(api.getRegion(created.id))).toBe('NOT_FOUND');
  },

  'webhooks and deliveries': async ({ operations: api, codeOf }, { receiverUrl }) => {
    const ref = unique('ref');
    const created = await api.createWebhook({ url: receiverUrl, events: ['monitor.up'] });
    expect(created.secret).toMatch(/^whsec_/);
    const fetched = await api.getWebhook(created.id);
    const changed = await api.updateWebhook(created.id, { ...fetched, description: 'On call' });
    expect(changed).toMatchObject({ url: receiverUrl, events: ['monitor.up'], description: 'On call' });
    const { id } = await api.testWebhook(created.id);
    const settle = async () =>
      expect.poll(() => api.getDelivery(id)).toMatchObject({ status: 'delivered', manualAttemptAt: null });
    await settle();
    await api.replayDelivery(id);
    await settle();
    expect(await api.listWebhookDeliveries(created.id)).toMatchObject([{ id, attempts: 2 }]);
    expect(await api.listDeliveries({ webhook: created.id })).toMatchObject([{ id }]);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect(await api.recoverDeliveries(created.id, { since })).toEqual({ queued: 0 });
    expect((await api.rotateSecret(created.id)).secret).not.toBe(created.secret);
    expect(await api.finishSecretRotation(created.id)).toMatchObject({ rotationEndsAt: null });
    expect(await api.upsertWebhook(ref, { url: receiverUrl })).toMatchObject({ ref });
    expect(await api.getWebhookByRef(ref)).toMatchObject({ ref, url: receiverUrl });
    expect(await api.listWebhooks()).toHaveLength(2);
    await api.deleteWebhookByRef(ref);
    await api.deleteWebhook(created.id);
    expect(await codeOf(api.getWebhook(created.id))).toBe('NOT_FOUND');
  },

  'API keys': async ({ operations: api }) => {
    const created = await api.createApiKey({ name: 'Reports', scope: 'read' });
    expect(created.apiKey).toMatch(/^ph_live_/);
    const fetched = await api.getApiKey(created.id);
    expect(await api.updateApiKey(created.id, { ...fetched, name: 'Exports' })).toMatchObject({
      name: 'Exports',
    });
    const rotated = await api.rotateApiKey(created.id, { overlapHours: 1 });
    expect(rotated.apiKey).not.toBe(created.apiKey);
    await api.revokeApiKey(rotated.id);
    expect(await api.listApiKeys()).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: rotated.id, revokedAt: expect.any(String) })]),
    );
  },

  'members and invitations': async ({ operations: api, codeOf }, { addMember }) => {
    const id = await addMember();
    const fetched = await api.getMember(id);
    expect(await api.updateMember(id, { ...fetched, role: 'viewer' })).toMatchObject({ id, role: 'viewer' });
    expect(await api.listMembers()).toHaveLength(2);
    await api.removeMember(id);
    expect(await codeOf(api.getMember(id))).toBe('NOT_FOUND');
    const email = `${unique('invited')}@example.com`;
    const invitation = await api.inviteMember({ email, role: 'member' });
    expect(await api.listInvitations()).toMatchObject([{ id: invitation.id, email }]);
    await api.revokeInvitation(invitation.id);
    expect(await api.listInvitations()).toEqual([]);
  },

  reports: async ({ operations: api }) => {
    const { id } = await api.createMonitor(monitor());
    const query = { timeZone: 'Europe/Berlin', target: '99.95', monitor: id };
    expect(await api.getUptimeReport(query)).toMatchObject({ total: { monitors: 1 }, outages: [] });
    expect(await api.exportUptimeReport(query)).toContain(id);
    await api.deleteMonitor(id);
  },

  'the organization and the service': async ({ operations: api }) => {
    expect(await api.getMe()).toMatchObject({
      organization: { plan: 'enterprise' },
      key: { scope: 'write' },
    });
    expect(await api.listAuditEntries({ limit: 2 })).toMatchObject([{ actor: expect.anything() }, {}]);
    expect(await api.exportAudit()).toContain('monitor.create');
    // A machine that is busy with other tests may be late for a moment, which health reports.
    await expect.poll(() => api.getHealth().catch(() => null)).toMatchObject({ status: 'ok' });
    expect(await api.listRegions()).toMatchObject([{ id: 'us-east', workers: expect.any(Number) }, {}, {}]);
    expect(await api.getLive()).toEqual(expect.any(Object));
    expect(await api.getOpenApiDocument()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  },
};
