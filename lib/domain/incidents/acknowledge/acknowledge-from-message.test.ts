import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createWebhook, deleteWebhook, updateWebhook } from '@/lib/domain/webhooks/change-webhook';
import { addAcknowledgeLink, hiddenAcknowledgeUrl } from '@/lib/notify/acknowledge-link';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { EVENT_KINDS } from '@/lib/schemas/webhooks/event-kinds';
import { eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { deleteIncident, updateIncident } from '../change-incident';
import { createIncident } from '../create-incident';
import { getIncident } from '../read-incidents';
import { acknowledgeFromMessage, readMessageLink } from './acknowledge-from-message';
import { acknowledgeIncident, unacknowledgeIncident } from './acknowledge-incident';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const APP_URL = 'https://pharos.example.com';
const READERS = 'Slack (#ops)';
const ADDRESS = '203.0.113.1';

const database = useSharedDatabase();

/** An open incident, and the link in the message of an endpoint about it. */
async function begin() {
  const { db } = database;
  const clock = createManualClock(NOW);
  const services = { ...createTestServices({ db, clock }), appUrl: APP_URL };
  const { ctx, organizationId } = await createTestOrganization(services);
  const { userId } = await db.membership.findFirstOrThrow({ where: { organizationId } });
  const events = EVENT_KINDS;
  const input = { url: 'https://hooks.example.com/x', description: '#ops', format: 'slack', events };
  const { id: webhookId } = await createWebhook(ctx, createWebhookSchema.parse(input));
  const { id } = await createIncident(ctx, createIncidentSchema.parse({ title: 'Shop is slow' }));
  const delivery = await db.delivery.findFirstOrThrow({ where: { endpointId: webhookId } });
  const linked = addAcknowledgeLink(
    services.keyring,
    { id: delivery.id, occurredAt: NOW },
    hiddenAcknowledgeUrl(APP_URL, delivery.id) ?? '',
  );
  const token = linked.secrets.link ?? '';
  return {
    db,
    clock,
    services,
    ctx,
    organizationId,
    userId,
    webhookId,
    id,
    token,
    email: (await db.user.findUniqueOrThrow({ where: { id: userId } })).email,
    press: (visitor: string | null = null, with_ = token) =>
      acknowledgeFromMessage(services, with_, { userId: visitor, address: ADDRESS }),
    visit: async (visitor: string | null = null) => {
      const { incidents, ...link } = await readMessageLink(services, token, { userId: visitor });
      expect(incidents).toHaveLength(1);
      return { ...incidents[0], ...link };
    },
    readBy: async () => (await getIncident(ctx, id)).acknowledgedBy,
    entries: () =>
      db.auditEntry.findMany({
        where: { organizationId, action: 'incident.acknowledge' },
        orderBy: { at: 'asc' },
      }),
    event: async () => {
      const where = { organizationId, kind: 'incident.acknowledged' };
      const { payload } = await db.outboxEvent.findFirstOrThrow({ where });
      return eventPayloadSchema.parse(JSON.parse(payload));
    },
  };
}

const NOT_VALID = { code: 'NOT_FOUND' };
const NOTHING_LEFT = { code: 'VALIDATION_ERROR' };

describe('the link in a message', () => {
  it('acknowledges the incident for somebody who reads it, as incident, audit log and event say', async () => {
    const story = await begin();
    expect(await story.visit()).toMatchObject({ readers: READERS, isMember: false, acknowledgedBy: null });
    await story.press();
    expect(await story.readBy()).toBe(`someone in ${READERS}`);
    expect(await story.entries()).toMatchObject([
      {
        actorKind: 'endpoint',
        actorId: story.webhookId,
        actorLabel: `someone in ${READERS}`,
        address: ADDRESS,
        after: { acknowledgedBy: `someone in ${READERS}` },
      },
    ]);
    expect(await story.event()).toMatchObject({ acknowledgedBy: null, via: READERS });
  });

  it('acknowledges it for the member who is signed in', async () => {
    const story = await begin();
    expect(await story.visit(story.userId)).toMatchObject({ isMember: true });
    await story.press(story.userId);
    expect(await story.readBy()).toBe(story.email);
    expect(await story.entries()).toMatchObject([{ actorKind: 'user', actorId: story.userId }]);
    expect(await story.event()).toMatchObject({ acknowledgedBy: { name: story.email }, via: null });
  });

  it.each(['a viewer', 'a member of another organization'])('takes %s for any other reader', async (who) => {
    const [story, other] = [await begin(), await begin()];
    if (who === 'a viewer') {
      await story.db.membership.updateMany({ where: { userId: story.userId }, data: { role: 'viewer' } });
    }
    await story.press(who === 'a viewer' ? story.userId : other.userId);
    expect(await story.readBy()).toBe(`someone in ${READERS}`);
  });

  it('works once: after that it does nothing, also if the acknowledgement was withdrawn', async () => {
    const story = await begin();
    await story.press();
    await unacknowledgeIncident(story.ctx, story.id);
    expect(await story.visit()).toMatchObject({ isUsed: true, acknowledgedBy: null });
    await expect(story.press()).rejects.toMatchObject(NOTHING_LEFT);
    expect(await story.readBy()).toBeNull();
  });

  it('is used once when it is pressed many times at once', async () => {
    const story = await begin();
    const pressed = await Promise.allSettled(Array.from({ length: 8 }, () => story.press()));
    expect(pressed.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await story.entries()).toHaveLength(1);
  });

  it('does not replace who works on it already', async () => {
    const story = await begin();
    const { acknowledgedBy } = await acknowledgeIncident(story.ctx, story.id);
    expect(await story.visit()).toMatchObject({ acknowledgedBy });
    await expect(story.press()).rejects.toMatchObject(NOTHING_LEFT);
    expect(await story.readBy()).toBe(acknowledgedBy);
  });

  it('does nothing once the incident is resolved', async () => {
    const story = await begin();
    await updateIncident(story.ctx, story.id, { status: 'resolved' });
    expect(await story.visit()).toMatchObject({ isResolved: true });
    await expect(story.press()).rejects.toMatchObject(NOTHING_LEFT);
    expect(await story.readBy()).toBeNull();
  });

  it('is not valid after seven days', async () => {
    const story = await begin();
    story.clock.advance(7 * 86_400_000);
    await expect(story.visit()).rejects.toMatchObject(NOT_VALID);
    await expect(story.press()).rejects.toMatchObject(NOT_VALID);
  });

  it.each<[string, (story: Awaited<ReturnType<typeof begin>>) => Promise<unknown>]>([
    ['its endpoint is deleted', ({ ctx, webhookId }) => deleteWebhook(ctx, webhookId)],
    [
      'links are turned off',
      ({ ctx, webhookId }) => updateWebhook(ctx, webhookId, { acknowledgeLinks: false }),
    ],
    ['its incident is deleted', ({ ctx, id }) => deleteIncident(ctx, id)],
  ])('is not valid once %s', async (_, change) => {
    const story = await begin();
    await change(story);
    await expect(story.visit()).rejects.toMatchObject(NOT_VALID);
    await expect(story.press()).rejects.toMatchObject(NOT_VALID);
  });

  it('is not valid for another delivery, nor forged', async () => {
    const [mine, other] = [await begin(), await begin()];
    const forged = other.token.replace(/^[^.]+/, mine.token.split('.')[0] ?? '');
    await expect(mine.press(null, forged)).rejects.toMatchObject(NOT_VALID);
    await expect(mine.press(null, '')).rejects.toMatchObject(NOT_VALID);
    expect([await mine.readBy(), await other.readBy()]).toEqual([null, null]);
  });
});
