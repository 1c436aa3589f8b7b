import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { createIncident } from './create-incident';
import { readNotified } from './read-notified';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const LATER = new Date('2026-03-10T18:01:00.000Z');

const database = useSharedDatabase();
let mine: TestOrganization;

beforeAll(async () => {
  mine = await createTestOrganization(createTestServices({ db: database.db, clock: createManualClock(NOW) }));
  for (const description of ['Pager', '']) {
    const url = 'https://hooks.test/a-secret';
    await createWebhook(mine.ctx, createWebhookSchema.parse({ url, description }));
  }
});

async function open(): Promise<{ id: string; createdAt: Date }> {
  const { id } = await createIncident(mine.ctx, createIncidentSchema.parse({ title: 'Shop is down' }));
  return { id, createdAt: NOW };
}

describe('who was notified of an incident', () => {
  it('are the endpoints that its events were sent to, without their secret paths', async () => {
    await open();
    const incident = await open();
    const { endpoints } = await readNotified(mine.ctx, incident);
    expect(new Set(endpoints.map(({ description }) => description))).toEqual(new Set(['Pager', null]));
    expect(endpoints.map(({ host }) => host)).toEqual(['hooks.test', 'hooks.test']);
    expect(endpoints[0]).toMatchObject({ event: 'incident.created', status: 'pending', settledAt: null });
    expect(JSON.stringify(endpoints)).not.toContain('a-secret');
  });

  it('are the members who were emailed about it', async () => {
    const { organizationId } = mine.ctx;
    const [incident, other] = [await open(), await open()];
    const notice = { organizationId, kind: 'monitor.down', subjectId: 'mon_1', subjectName: 'Shop' };
    await database.db.memberNotice.create({
      data: { ...notice, incidentId: incident.id, occurredAt: NOW, mailedAt: LATER },
    });
    const sent = { organizationId, kind: 'alert', createdAt: LATER, nextAttemptAt: null };
    await database.db.mail.createMany({
      data: [
        { ...sent, id: 'mail_sent', recipient: 'a@example.com', sentAt: LATER },
        { ...sent, id: 'mail_failed', recipient: 'b@example.com', failedAt: LATER, error: 'refused' },
        { ...sent, id: 'mail_before', recipient: 'c@example.com', sentAt: NOW, createdAt: NOW },
      ],
    });
    const { members } = await readNotified(mine.ctx, incident);
    expect(members).toEqual([
      { recipient: 'a@example.com', sentAt: LATER, error: null },
      { recipient: 'b@example.com', sentAt: null, error: 'refused' },
    ]);
    expect((await readNotified(mine.ctx, other)).members).toEqual([]);
  });

  it('is nobody to another organization', async () => {
    const other = await createTestOrganization(createTestServices(database));
    expect(await readNotified(other.ctx, await open())).toEqual({
      endpoints: [],
      members: [],
      suppressedBy: null,
    });
  });
});
