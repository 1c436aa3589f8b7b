import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { eventPayloadSchema } from '@/lib/schemas/webhooks/events';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { updateIncident } from '../change-incident';
import { createIncident } from '../create-incident';
import { acknowledgeIncident, unacknowledgeIncident } from './acknowledge-incident';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const LATER = new Date('2026-03-10T18:05:00.000Z');

const database = useSharedDatabase();
const clock = createManualClock(NOW);
let mine: TestOrganization;

beforeAll(async () => {
  mine = await createTestOrganization(createTestServices({ db: database.db, clock }));
});

const open = () => createIncident(mine.ctx, createIncidentSchema.parse({ title: 'Shop is slow' }));

/** The payloads of acknowledgements that a new endpoint of an organization gets. */
async function listenIn({ ctx }: TestOrganization) {
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'https://receiver.test/' }));
  return async () => {
    const where = { organizationId: ctx.organizationId, kind: 'incident.acknowledged' };
    const rows = await database.db.outboxEvent.findMany({ where, orderBy: { occurredAt: 'asc' } });
    return rows.map(({ payload }) => eventPayloadSchema.parse(JSON.parse(payload)));
  };
}

describe('an acknowledgement', () => {
  it('names who was first, however often it is repeated, and can be undone', async () => {
    const { id } = await open();
    clock.set(NOW);
    const first = await acknowledgeIncident(mine.ctx, id);
    expect([first.acknowledgedAt, first.acknowledgedBy]).toEqual([NOW.toISOString(), expect.any(String)]);
    clock.set(LATER);
    const operator = { ...mine.ctx, actor: { kind: 'operator' as const } };
    expect(await acknowledgeIncident(operator, id)).toEqual(first);
    const undone = await unacknowledgeIncident(mine.ctx, id);
    expect([undone.acknowledgedAt, undone.acknowledgedBy]).toEqual([null, null]);
    expect((await acknowledgeIncident(operator, id)).acknowledgedBy).toBe('command line');
  });

  it('does not change the status, adds no update, and outlasts other changes', async () => {
    const { id, status, version } = await open();
    const acknowledged = await acknowledgeIncident(mine.ctx, id);
    expect(acknowledged).toMatchObject({ status, updates: [expect.anything()] });
    expect(acknowledged.version, 'as with every change of what is returned').toBe(version + 1);
    const changed = await updateIncident(mine.ctx, id, { status: 'identified' });
    expect(changed.acknowledgedAt).toBe(acknowledged.acknowledgedAt);
  });

  it('sends one event, which names who works on it, and none if it is withdrawn', async () => {
    const listened = await listenIn(mine);
    const { id } = await open();
    clock.set(NOW);
    const { acknowledgedBy } = await acknowledgeIncident(mine.ctx, id);
    await acknowledgeIncident(mine.ctx, id);
    const sent = {
      event: 'incident.acknowledged',
      timestamp: NOW.toISOString(),
      incident: { id, title: 'Shop is slow', status: 'investigating', acknowledgedAt: NOW.toISOString() },
      acknowledgedBy: { name: acknowledgedBy },
      via: null,
    };
    expect(await listened()).toMatchObject([sent]);
    await unacknowledgeIncident(mine.ctx, id);
    expect(await listened()).toHaveLength(1);
    clock.set(LATER);
    await acknowledgeIncident({ ...mine.ctx, actor: { kind: 'operator' } }, id);
    expect((await listened())[1]).toMatchObject({ acknowledgedBy: { name: 'command line' } });
  });

  it('stays when the incident is resolved, cannot be given or undone then, and ends when it is reopened', async () => {
    const [{ id }, { id: unseen }] = [await open(), await open()];
    const { acknowledgedBy } = await acknowledgeIncident(mine.ctx, id);
    for (const one of [id, unseen]) await updateIncident(mine.ctx, one, { status: 'resolved' });
    const refusal = { code: 'VALIDATION_ERROR', message: 'The incident is already resolved.' };
    await expect(unacknowledgeIncident(mine.ctx, id)).rejects.toMatchObject(refusal);
    await expect(acknowledgeIncident(mine.ctx, unseen)).rejects.toMatchObject(refusal);
    const repeated = await acknowledgeIncident(mine.ctx, id);
    expect(repeated, 'repeating it changes nothing').toMatchObject({ acknowledgedBy, status: 'resolved' });
    const reopened = await updateIncident(mine.ctx, id, { status: 'investigating' });
    expect([reopened.acknowledgedAt, reopened.acknowledgedBy]).toEqual([null, null]);
    expect((await acknowledgeIncident(mine.ctx, id)).acknowledgedBy).toBe(acknowledgedBy);
  });

  it('of an incident of another organization is NOT_FOUND', async () => {
    const other = await createTestOrganization(createTestServices(database));
    const { id } = await open();
    await expect(acknowledgeIncident(other.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(unacknowledgeIncident(other.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
