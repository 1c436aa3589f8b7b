import { describe, expect, it } from 'vitest';
import {
  formatDeleting,
  formatFailing,
  formatResolving,
  isHeard,
  offersWaiting,
  WAIT_LABEL,
} from '@/components/incidents/consequences';
import { audienceOf } from '@/components/incidents/shown-on';
import { deleteIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { previewResolution } from '@/lib/domain/incidents/preview-resolution';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginSubscriberStory } from '@/lib/engine/mail/testing/subscriber-story';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { runIncidentSchedule } from '@/lib/engine/upkeep/run-incident-schedule';
import { WHEN_UP } from '@/lib/schemas/incidents/resolution-preview';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();
const QUIET_MS = 90_000;

/** A monitor on a page with subscribers, and what the dialogs of its incidents say. */
async function begin({ subscribers = 2 } = {}) {
  const { db } = database;
  const story = await beginSubscriberStory(db, { subscribers });
  const { ctx, organizationId } = story;
  const addEndpoint = (description: string, fields: object = {}) =>
    createWebhook(ctx, createWebhookSchema.parse({ url: 'http://127.0.0.1:9/', description, ...fields }));
  const readResolving = async (id: string) => {
    const [preview, incident] = [await previewResolution(ctx, id), await getIncident(ctx, id)];
    const affected = [...incident.affectedMonitors, ...incident.affectedComponents];
    const audience = audienceOf(await readAudiences(ctx), affected, incident);
    return preview && { preview, audience };
  };
  return {
    ...story,
    addEndpoint,
    readResolving,
    fail: () => story.check(FAILED),
    recover: () => story.check(OK),
    /** The open automatic incident of the monitor. */
    automatic: async () =>
      (await db.incident.findFirstOrThrow({ where: { organizationId, automatic: true, resolvedAt: null } }))
        .id,
    /** What resolving says. */
    resolving: async (id: string) => {
      const resolving = await readResolving(id);
      return resolving === null ? [] : formatResolving(resolving, (await getIncident(ctx, id)).status);
    },
    deleting: async (id: string) => formatDeleting(await readResolving(id)),
    /** Who is notified of what by `change`: the endpoints with the titles, the texts to subscribers, and emails to members. */
    hears: async (change: () => Promise<unknown>) => {
      const [deliveries, notices, members] = [
        await db.delivery.findMany({ where: { organizationId }, select: { id: true } }),
        await db.pageNotice.findMany({ select: { id: true } }),
        await db.memberNotice.count({ where: { organizationId } }),
      ];
      await change();
      const sent = await db.delivery.findMany({
        where: { organizationId, id: { notIn: deliveries.map(({ id }) => id) }, status: 'pending' },
        include: { event: true },
        orderBy: { number: 'asc' },
      });
      const endpoints = await db.webhookEndpoint.findMany({ where: { organizationId } });
      const nameOf = new Map(endpoints.map(({ id, description }) => [id, description]));
      const said = await db.pageNotice.findMany({
        where: { page: { organizationId }, id: { notIn: notices.map(({ id }) => id) } },
        include: { page: { include: { subscribers: { where: { confirmedAt: { not: null } } } } } },
      });
      return {
        endpoints: sent.map(({ endpointId }) => nameOf.get(endpointId)),
        bodies: sent.flatMap(({ body }) => body ?? []),
        kinds: [...new Set(sent.map(({ event }) => event.kind))],
        subscribers: said.map(({ page, message }) => [page.name, page.subscribers.length, message]),
        members: (await db.memberNotice.count({ where: { organizationId } })) - members,
      };
    },
  };
}

const NOTIFIED = 'This notifies 2 channels (Pager, Ops chat) and 2 subscribers of Acme.';
const OTHERS = 'Subscribers who chose other systems are not notified. Members are not emailed.';
const WORDS = (title: string) =>
  `Subscribers read: “This incident is resolved.” Channels get: “Incident resolved: ${title}”`;

async function beginHeard() {
  const story = await begin();
  await story.addEndpoint('Pager');
  await story.addEndpoint('Ops chat', { format: 'slack', url: 'https://hooks.slack.com/services/T/B/x' });
  await story.addEndpoint('Monitors only', { events: ['monitor.down', 'monitor.up'] });
  await story.addEndpoint('Off', { enabled: false });
  return story;
}

describe('resolving the incident of a monitor that is still down', () => {
  it('says that it is, who is notified, and with which words; that is what happens', async () => {
    const story = await beginHeard();
    await story.fail();
    const id = await story.automatic();
    expect(await story.resolving(id)).toEqual([
      'Shop is still down. This incident resolves by itself when Shop is operational again.',
      'Once it is resolved, Shop opens no other incident until its status changes.',
      `${NOTIFIED} ${OTHERS}`,
      WORDS('Shop is down'),
    ]);
    const heard = await story.hears(() => updateIncident(story.ctx, id, { status: 'resolved' }));
    expect(heard).toMatchObject({
      endpoints: ['Pager', 'Ops chat'],
      bodies: [expect.stringContaining('Incident resolved: Shop is down')],
      kinds: ['incident.resolved'],
      subscribers: [['Acme', 2, 'This incident is resolved.']],
      members: 0,
    });
    await story.fail();
    await expect(story.automatic()).rejects.toThrow();
    await story.recover();
    await story.fail();
    await expect(story.automatic()).resolves.not.toBe(id);
  });

  it('it resolves by itself when the monitor is operational again', async () => {
    const story = await begin();
    await story.fail();
    const id = await story.automatic();
    await story.recover();
    expect(await getIncident(story.ctx, id)).toMatchObject({ status: 'resolved' });
    expect(await previewResolution(story.ctx, id)).toBeNull();
  });

  it('promises nothing while the monitor is paused, whose status stays as it is', async () => {
    const story = await begin({ subscribers: 0 });
    await story.fail();
    const id = await story.automatic();
    await setMonitorsEnabled(story.ctx, [story.monitor.id], false);
    expect(await story.resolving(id)).toEqual(['Nobody is notified.']);
    expect((await getIncident(story.ctx, id)).resolvedAt).toBeNull();
  });
});

describe('an incident that people opened', () => {
  it('can be left to its monitors, which resolve it once they are up', async () => {
    const story = await begin();
    await story.fail();
    const { id } = await story.incident();
    expect(await story.resolving(id)).toEqual([
      'Shop is still down.',
      `This notifies 2 subscribers of Acme. ${OTHERS}`,
      'Subscribers read: “This incident is resolved.”',
      `“${WAIT_LABEL}” sets the status to Monitoring now and resolves it once they have been operational for 1 minute.`,
    ]);
    await updateIncident(story.ctx, id, WHEN_UP);
    expect(await story.resolving(id)).toContain(
      'Shop is still down. This incident resolves by itself once its monitors have been operational for 1 minute.',
    );
    const look = async () => {
      await runIncidentSchedule(story.services);
      return (await getIncident(story.ctx, id)).status;
    };
    await story.fail();
    expect(await look()).toBe('monitoring');
    await story.recover();
    story.clock.advance(QUIET_MS);
    expect(await look()).toBe('resolved');
  });

  it('cannot be left to a monitor that is paused', async () => {
    const story = await begin();
    await story.fail();
    const paused = await story.addMonitor({ name: 'Paused', enabled: false });
    const { id } = await story.incident({ affectedMonitors: [story.monitor.id, paused.id] });
    const preview = await previewResolution(story.ctx, id);
    expect(preview).toMatchObject({ failing: [{ name: 'Shop', state: 'down' }], canWait: false });
    expect(preview && offersWaiting(preview)).toBe(false);
  });

  it('is resolved without a question if nobody is notified and nothing is failing', async () => {
    const story = await begin({ subscribers: 0 });
    const { id } = await story.incident();
    const resolving = await story.readResolving(id);
    expect(resolving && [isHeard(resolving), formatFailing(resolving.preview)]).toEqual([false, null]);
    const heard = await story.hears(() => updateIncident(story.ctx, id, { status: 'resolved' }));
    expect(heard).toMatchObject({ endpoints: [], subscribers: [], members: 0 });
  });
});

describe('deleting an incident', () => {
  const DELETED =
    'This permanently deletes the incident with its updates and postmortem, and removes it from status pages.';

  it('that is open notifies those who are notified of its end, and its monitor opens no other', async () => {
    const story = await beginHeard();
    await story.fail();
    const id = await story.automatic();
    expect(await story.deleting(id)).toEqual([
      `${DELETED} It is resolved first.`,
      'Once it is resolved, Shop opens no other incident until its status changes.',
      `${NOTIFIED} ${OTHERS}`,
      WORDS('Shop is down'),
    ]);
    expect(await story.hears(() => deleteIncident(story.ctx, id))).toMatchObject({
      endpoints: ['Pager', 'Ops chat'],
      kinds: ['incident.resolved'],
      subscribers: [['Acme', 2, 'This incident is resolved.']],
      members: 0,
    });
    expect(await database.db.incidentUpdate.count({ where: { incidentId: id } })).toBe(0);
    await story.fail();
    await expect(story.automatic()).rejects.toThrow();
  });

  it('that is resolved notifies nobody', async () => {
    const story = await beginHeard();
    const { id } = await story.incident({ status: 'resolved' });
    expect(await story.deleting(id)).toEqual([`${DELETED} No notifications are sent.`]);
    const heard = await story.hears(() => deleteIncident(story.ctx, id));
    expect(heard).toMatchObject({ endpoints: [], subscribers: [], members: 0 });
  });
});
