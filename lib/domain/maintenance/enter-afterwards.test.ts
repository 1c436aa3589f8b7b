import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { deleteMonitors } from '@/lib/domain/monitors/change-selected';
import {
  createCorrection,
  deleteCorrection,
  listCorrections,
} from '@/lib/domain/monitors/corrections/change-corrections';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { writePeriods } from '@/lib/domain/monitors/testing/history';
import { readPastMaintenance } from '@/lib/domain/status-pages/public/read-public-maintenance';
import { readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { addMonitor as addMonitorTo, addPage, refusal } from '@/lib/domain/status-pages/testing/pages';
import { createMaintenanceSchema, updateMaintenanceSchema } from '@/lib/schemas/maintenance';
import { parseInput } from '@/lib/schemas/validation';
import { useSharedDatabase } from '@/lib/testing/database';
import { holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { deleteMaintenance, updateMaintenance } from './change-maintenance';
import { createMaintenance } from './create-maintenance';
import { listMaintenance } from './read-maintenance';

const HOUR = 3_600_000;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR);

const database = useSharedDatabase();
let services: ReturnType<typeof createTestServices>;
let mine: TestOrganization;
beforeAll(async () => {
  services = createTestServices({ db: database.db, clock: createManualClock(NOW) });
  mine = await createTestOrganization(services);
});

/** A monitor that was down from five to four hours ago, with 80 days of ledger. */
async function addMonitor(): Promise<string> {
  const id = await addMonitorTo(mine.ctx, { enabled: false });
  await writePeriods(database.db, id, [
    { state: 'operational', from: ago(80 * 24) },
    { state: 'down', from: ago(5) },
    { state: 'operational', from: ago(4) },
  ]);
  return id;
}

const enter = (monitors: string[], fields: object = {}) =>
  createMaintenance(
    mine.ctx,
    parseInput(createMaintenanceSchema, {
      title: 'New disks',
      monitors,
      startsAt: ago(5).toISOString(),
      endsAt: ago(4).toISOString(),
      ...fields,
    }),
  );
const change = (id: string, body: object) =>
  updateMaintenance(mine.ctx, id, parseInput(updateMaintenanceSchema, body));
const actions = async (id: string) =>
  (await database.db.auditEntry.findMany({ where: { subjectId: id }, orderBy: { number: 'asc' } })).map(
    ({ action }) => action,
  );

describe('maintenance that is entered afterwards', () => {
  it('counts as maintenance next to what was measured, for each of its monitors', async () => {
    const ids = [await addMonitor(), await addMonitor()];
    const window = await enter(ids);
    expect(window).toMatchObject({ status: 'finished', occurrence: null, monitors: ids });
    expect(await actions(window.id)).toEqual(['maintenance.create']);
    for (const id of ids) {
      expect(await listCorrections(mine.ctx, id)).toMatchObject([
        { state: 'maintenance', reason: 'New disks', maintenanceId: window.id },
      ]);
      expect(await getMonitor(mine.ctx, id)).toMatchObject({
        uptimePercentage: 100,
        measuredUptimePercentage: 99.86,
      });
    }
  });

  it('is completed maintenance of status pages, which show both figures', async () => {
    const id = await addMonitor();
    const { slug } = await addPage(mine.ctx, { published: true, monitors: [id] });
    const window = await enter([id]);
    const page = await readPublicPage(services, slug);
    expect(page.maintenance).toEqual([]);
    expect(page.monitors[0]).toMatchObject({ uptimePercentage: 100, measuredUptimePercentage: 99.86 });
    const past = { start: ago(24), end: NOW, now: NOW };
    expect(await readPastMaintenance(database.db, [id], past)).toMatchObject([{ id: window.id }]);
  });

  it('is moved with what it corrects, and gives its title as the reason', async () => {
    const [id, other] = [await addMonitor(), await addMonitor()];
    const window = await enter([id]);
    await change(window.id, { title: 'Old disks', message: 'Sorry.' });
    expect(await listCorrections(mine.ctx, id)).toMatchObject([{ reason: 'Old disks' }]);
    const moved = { startsAt: ago(4.5).toISOString(), monitors: [other] };
    expect(await change(window.id, moved)).toMatchObject({ status: 'finished', ...moved });
    expect(await listCorrections(mine.ctx, id)).toEqual([]);
    expect(await getMonitor(mine.ctx, id)).toMatchObject({ measuredUptimePercentage: null });
    expect(await listCorrections(mine.ctx, other)).toMatchObject([
      { from: moved.startsAt, to: ago(4).toISOString(), reason: 'Old disks' },
    ]);
    expect(
      await database.db.maintenanceOccurrence.findMany({ where: { windowId: window.id } }),
    ).toMatchObject([{ startsAt: ago(4.5), endsAt: ago(4), endedAt: ago(4) }]);
  });

  it('stays in the past', async () => {
    const id = await addMonitor();
    const window = await enter([id]);
    const later = { endsAt: new Date(NOW.getTime() + HOUR).toISOString() };
    expect(await refusal(change(window.id, later))).toEqual(['VALIDATION_ERROR', 'endsAt invalid']);
    const again = { rrule: 'FREQ=DAILY' };
    expect(await refusal(change(window.id, again))).toEqual(['VALIDATION_ERROR', 'rrule invalid']);
    expect(await listCorrections(mine.ctx, id)).toHaveLength(1);
  });

  it('waits for the deletion of its monitors, which it does not know afterwards', async () => {
    const [id, other] = [await addMonitor(), await addMonitor()];
    const window = await enter([id]);
    const deletion = await holdBeforeCommit(database.db, (db) =>
      deleteMonitors({ ...mine.ctx, db }, [other]),
    );
    const entering = refusal(enter([other]));
    const moving = refusal(change(window.id, { monitors: [id, other] }));
    await untilBlocked(database.db, 2);
    await deletion.release();
    expect(await entering).toEqual(['UNKNOWN_MONITOR', 'monitors.0 unknown_monitor']);
    expect(await moving).toEqual(['UNKNOWN_MONITOR', 'monitors.1 unknown_monitor']);
  });

  it('never deadlocks with the deletion of its monitors', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = [await addMonitor(), await addMonitor()];
      const ended = await Promise.allSettled([
        enter(ids),
        deleteMonitors(mine.ctx, ids),
        enter(ids.toReversed(), { startsAt: ago(3).toISOString(), endsAt: ago(2).toISOString() }),
      ]);
      const refusals = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
      expect(refusals.every((code) => code === 'UNKNOWN_MONITOR')).toBe(true);
    }
  });

  it('is deleted with its corrections, which cannot be deleted on their own', async () => {
    const id = await addMonitor();
    const window = await enter([id]);
    const [correction] = await listCorrections(mine.ctx, id);
    expect(await refusal(deleteCorrection(mine.ctx, id, correction?.id ?? ''))).toEqual(['VALIDATION_ERROR']);
    await deleteMaintenance(mine.ctx, window.id);
    expect(await listCorrections(mine.ctx, id)).toEqual([]);
    expect(await getMonitor(mine.ctx, id)).toMatchObject({
      uptimePercentage: 99.86,
      measuredUptimePercentage: null,
    });
    expect(await actions(window.id)).toEqual(['maintenance.create', 'maintenance.delete']);
  });

  it.each([
    ['begins before the ledger', { startsAt: ago(81 * 24), endsAt: ago(79 * 24) }, 'startsAt invalid'],
    ['begins more than 400 days ago', { startsAt: ago(401 * 24), endsAt: ago(400 * 24) }, 'startsAt invalid'],
    ['lasts more than 31 days', { startsAt: ago(40 * 24), endsAt: ago(1) }, 'endsAt invalid'],
    ['overlaps a correction', { startsAt: ago(26), endsAt: ago(23) }, 'startsAt invalid'],
    ['recurs only in the past', { rrule: 'FREQ=HOURLY;INTERVAL=2;COUNT=2' }, 'rrule invalid'],
  ])('is refused if it %s, and leaves no trace', async (_, fields, field) => {
    const ids = [await addMonitor(), await addMonitor()];
    const corrected = ids[1] ?? '';
    const reason = 'The probe was wrong';
    await createCorrection(mine.ctx, corrected, { from: ago(25), to: ago(24), state: 'operational', reason });
    const body = JSON.parse(JSON.stringify(fields));
    expect(await refusal(enter(ids, body))).toEqual(['VALIDATION_ERROR', field]);
    expect(await listCorrections(mine.ctx, ids[0] ?? '')).toEqual([]);
    const { items } = await listMaintenance(mine.ctx, { limit: 10, monitor: ids[0] ?? '' });
    expect(items).toEqual([]);
  });

  it('corrects nothing if it is still running', async () => {
    const id = await addMonitor();
    const endsAt = new Date(NOW.getTime() + HOUR).toISOString();
    expect(await enter([id], { endsAt })).toMatchObject({ status: 'active' });
    expect(await listCorrections(mine.ctx, id)).toEqual([]);
  });
});
