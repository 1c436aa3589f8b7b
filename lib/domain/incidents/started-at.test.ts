import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createIncidentSchema, updateIncidentSchema } from '@/lib/schemas/incidents/incident';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { updateIncident } from './change-incident';
import { createIncident } from './create-incident';
import { getIncident } from './read-incidents';

const NOW = '2026-03-01T12:00:00.000Z';
const EARLIER = '2026-03-01T11:00:00.000Z';
const LATER = '2026-03-01T12:00:00.001Z';
const database = useSharedDatabase();

async function begin() {
  const clock = createManualClock(new Date(NOW));
  const { ctx } = await createTestOrganization(createTestServices({ db: database.db, clock }));
  return {
    clock,
    ctx,
    open: (fields: object = {}) =>
      createIncident(ctx, createIncidentSchema.parse({ title: 'Checkout is slow', ...fields })),
    change: (id: string, body: object) => updateIncident(ctx, id, updateIncidentSchema.parse(body)),
  };
}

const rejection = { code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path: 'startedAt' })] };

describe('the start of a manual incident', () => {
  it('defaults to the time of creation', async () => {
    const { open } = await begin();
    expect(await open()).toMatchObject({ startedAt: NOW, createdAt: NOW });
    expect(await open({ startedAt: null })).toMatchObject({ startedAt: NOW });
    expect(await open({ startedAt: '2026-03-01T12:00:00+01:00' })).toMatchObject({
      startedAt: EARLIER,
      createdAt: NOW,
    });
  });

  it('can be changed later; null resets it to the time of creation', async () => {
    const { clock, open, change } = await begin();
    const { id } = await open();
    clock.advance(60_000);
    expect(await change(id, { startedAt: EARLIER })).toMatchObject({ startedAt: EARLIER, createdAt: NOW });
    expect(await change(id, { title: 'New' })).toMatchObject({ startedAt: EARLIER });
    expect(await change(id, { startedAt: null })).toMatchObject({ startedAt: NOW });
  });

  it('is never in the future', async () => {
    const { open, change } = await begin();
    await expect(open({ startedAt: LATER })).rejects.toMatchObject(rejection);
    const { id } = await open({ startedAt: NOW });
    await expect(change(id, { startedAt: LATER })).rejects.toMatchObject(rejection);
  });

  it('is never after its end', async () => {
    const { clock, open, change } = await begin();
    const { id } = await open({ startedAt: EARLIER, status: 'resolved' });
    clock.advance(60_000);
    await expect(change(id, { startedAt: LATER })).rejects.toMatchObject(rejection);
    expect(await change(id, { startedAt: LATER, status: 'monitoring' })).toMatchObject({ startedAt: LATER });
  });

  it('is read-only for automatic incidents, which are accepted back unchanged', async () => {
    const { ctx, open, change } = await begin();
    const { id } = await open();
    await database.db.incident.update({ where: { id }, data: { automatic: true } });
    const fetched = await getIncident(ctx, id);
    expect(await change(id, { ...fetched, startedAt: EARLIER })).toMatchObject({ startedAt: NOW });
  });
});
