import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { deleteIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { changeScheduledUpdate } from '@/lib/domain/incidents/schedule/schedule-update';
import { deleteMaintenance, updateMaintenance } from '@/lib/domain/maintenance/change-maintenance';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { createCorrection, deleteCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { deleteStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { addPage, changePage } from '@/lib/domain/status-pages/testing/pages';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import { beginMaintenance, endMaintenance } from '@/lib/engine/upkeep/run-maintenance-windows';
import { type Listening, listen } from '@/lib/platform/db/listen';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { useTestDatabase } from '@/lib/testing/database';
import { waitUntil } from '@/lib/testing/wait-for';
import { notePagesChanged, parsePageChange } from './application';

const database = useTestDatabase();
let listening: Listening;
let received: [channel: string, payload: string | null][] = [];

beforeAll(async () => {
  listening = listen(database.url, ['pharos_pages', 'pharos_domains'], {
    onNotify: (channel, payload) => received.push([channel, payload]),
    log: createLogger('silent', 'test'),
  });
  await waitUntil(() => received.length === 2);
});
afterAll(() => listening?.stop());

const HOUR = 3_600_000;
const ONE_REGION = { alertThreshold: 1, regions: ['us-east'] };

/** The notifications sent by the time `act` is done. */
async function sentBy(act: () => Promise<unknown>): Promise<[channel: string, payload: string | null][]> {
  await listening.catchUp();
  received = [];
  await act();
  await listening.catchUp();
  return received;
}

/** An organization with a page, a monitor on it, and another one. */
async function begin() {
  const story = await beginStory(database.db);
  const shown = (await story.addMonitor(ONE_REGION)).id;
  const hidden = (await story.addMonitor(ONE_REGION)).id;
  const page = await addPage(story.ctx, { monitors: [shown], published: true });
  const incident = (affectedMonitors: string[]) =>
    createIncident(story.ctx, createIncidentSchema.parse({ title: 'Trouble', affectedMonitors }));
  const maintain = (act: typeof endMaintenance) => () =>
    database.db.$transaction((tx) => act(tx, story.services, [shown]));
  return { ...story, check: story.check.bind(story), shown, hidden, page, incident, maintain };
}

const changed = (...pages: { id: string }[]) => pages.map(({ id }) => ['pharos_pages', id]);
const moved = ({ id }: { id: string }) => [
  ['pharos_pages', `-${id}`],
  ['pharos_domains', ''],
];

describe('a change that a page shows sends a notification:', () => {
  it('a status and its incident: once per batch, and only if it changes', async () => {
    const { check, addMonitor, ctx, page, shown } = await begin();
    const second = (await addMonitor(ONE_REGION)).id;
    await changePage(ctx, page.slug, { monitors: [shown, second] });
    expect(await sentBy(() => check(OK, { afterMs: 0 }))).toEqual(changed(page));
    expect(await sentBy(() => check(OK))).toEqual([]);
    expect(await sentBy(() => check(FAILED))).toEqual(changed(page));
    expect(await sentBy(() => check(OK))).toEqual(changed(page));
  });

  it('a monitor is renamed, paused, resumed or deleted', async () => {
    const { ctx, page, shown, hidden, services, check } = await begin();
    await check(OK, { afterMs: 0 });
    await check(FAILED);
    expect(await sentBy(() => updateMonitor(ctx, shown, { name: 'Store' }))).toEqual(changed(page));
    expect(await sentBy(() => updateMonitor(ctx, shown, { enabled: false }))).toEqual(changed(page));
    expect(await sentBy(() => resolveOrphanedIncidents(services))).toEqual(changed(page));
    expect(await sentBy(() => updateMonitor(ctx, shown, { enabled: true }))).toEqual(changed(page));
    expect(await sentBy(() => updateMonitor(ctx, hidden, { name: 'Store' }))).toEqual([]);
    expect(await sentBy(() => deleteMonitor(ctx, shown))).toEqual(changed(page));
    expect(await sentBy(() => deleteMonitor(ctx, hidden))).toEqual([]);
  });

  it('an incident is opened, changed, updated or deleted', async () => {
    const { ctx, page, shown, hidden, incident } = await begin();
    let id = '';
    const open = async () => {
      ({ id } = await incident([shown]));
    };
    expect(await sentBy(open)).toEqual(changed(page));
    expect(await sentBy(() => updateIncident(ctx, id, { title: 'More trouble' }))).toEqual(changed(page));
    expect(await sentBy(() => updateIncident(ctx, id, { message: 'We look.' }))).toEqual(changed(page));
    const [update] = (await getIncident(ctx, id)).updates;
    const translations = { de: { message: 'Wir schauen.' } };
    const translate = () => changeScheduledUpdate(ctx, id, update?.id ?? '', { translations });
    expect(await sentBy(translate)).toEqual(changed(page));
    expect(
      await sentBy(() => updateIncident(ctx, id, { affectedMonitors: [hidden] })),
      'no longer on the page',
    ).toEqual(changed(page));
    expect(await sentBy(() => updateIncident(ctx, id, { affectedMonitors: [shown] }))).toEqual(changed(page));
    expect(await sentBy(() => deleteIncident(ctx, id))).toEqual(changed(page));
    expect(await sentBy(() => incident([hidden]))).toEqual([]);
  });

  it('an incident of a component alone is opened, updated, translated or deleted', async () => {
    const { ctx } = await begin();
    const items = [{ monitorId: null, name: 'Phones' }];
    const page = await addPage(ctx, { published: true, sections: [{ name: 'Office', items }] });
    const component = page.sections[0]?.items[0]?.componentId ?? '';
    let id = '';
    const open = async () => {
      const input = { title: 'Trouble', affectedComponents: [component] };
      ({ id } = await createIncident(ctx, createIncidentSchema.parse(input)));
    };
    expect(await sentBy(open)).toEqual(changed(page));
    expect(await sentBy(() => updateIncident(ctx, id, { message: 'We look.' }))).toEqual(changed(page));
    const [update] = (await getIncident(ctx, id)).updates;
    const translations = { de: { message: 'Wir schauen.' } };
    const translate = () => changeScheduledUpdate(ctx, id, update?.id ?? '', { translations });
    expect(await sentBy(translate)).toEqual(changed(page));
    expect(await sentBy(() => deleteIncident(ctx, id))).toEqual(changed(page));
  });

  it('an automatic incident is published or hidden: the pages where it is new or was, not the others', async () => {
    const { ctx, shown, check } = await begin();
    const manually = { automaticIncidents: { show: 'manually', afterMinutes: null } } as const;
    const first = await addPage(ctx, { monitors: [shown], published: true, ...manually });
    const second = await addPage(ctx, { monitors: [shown], published: true, ...manually });
    await check(OK, { afterMs: 0 });
    await check(FAILED);
    const { id } = await database.db.incident.findFirstOrThrow({ where: { monitorId: shown } });
    const publish = (...pages: { id: string }[]) =>
      sentBy(() => updateIncident(ctx, id, { publishedOn: pages.map((each) => each.id) }));
    expect(await publish(first)).toEqual(changed(first));
    expect(await publish(first, second)).toEqual(changed(second));
    expect(await publish(second)).toEqual(changed(first));
  });

  it('maintenance begins or ends', async () => {
    const { page, maintain, check } = await begin();
    await check(OK, { afterMs: 0 });
    expect(await sentBy(maintain(beginMaintenance))).toEqual(changed(page));
    expect(await sentBy(maintain(endMaintenance))).toEqual(changed(page));
  });

  it('what was measured is corrected, and what maintenance was entered afterwards corrects', async () => {
    const { ctx, page, shown, hidden, check, clock } = await begin();
    await check(OK, { afterMs: 0 });
    const [from, to] = [clock.now(), new Date(clock.now().getTime() + HOUR)];
    clock.advance(3 * HOUR);
    const wrong = { from, to, state: 'down', reason: 'Not seen' } as const;
    let id = '';
    const correct = async () => {
      ({ id } = await createCorrection(ctx, shown, wrong));
    };
    expect(await sentBy(correct)).toEqual(changed(page));
    expect(await sentBy(() => deleteCorrection(ctx, shown, id))).toEqual(changed(page));
    expect(await sentBy(() => createCorrection(ctx, hidden, wrong))).toEqual([]);
    const past = { startsAt: from.toISOString(), endsAt: to.toISOString() };
    const enter = async () => {
      const window = { title: 'New disks', monitors: [shown], ...past };
      ({ id } = await createMaintenance(ctx, createMaintenanceSchema.parse(window)));
    };
    const move = () => updateMaintenance(ctx, id, { endsAt: new Date(to.getTime() + HOUR) });
    expect(await sentBy(enter)).toEqual(changed(page));
    expect(await sentBy(move)).toEqual(changed(page));
    expect(await sentBy(() => deleteMaintenance(ctx, id))).toEqual(changed(page));
  });

  it('a page is changed, or moved together with its domain', async () => {
    const { ctx, page } = await begin();
    const change = (slug: string, body: object) => sentBy(() => changePage(ctx, slug, body));
    expect(await change(page.slug, { name: 'Store' })).toEqual(changed(page));
    expect(await change(page.slug, { slug: `${page.slug}-2` })).toEqual(moved(page));
    expect(await change(`${page.slug}-2`, { customDomain: 'status.acme.test' })).toEqual(moved(page));
    expect(await change(`${page.slug}-2`, { published: false })).toEqual(moved(page));
    expect(await change(`${page.slug}-2`, { published: true })).toEqual(changed(page));
    expect(await sentBy(() => deleteStatusPage(ctx, `${page.slug}-2`))).toEqual(moved(page));
  });

  it('all pages of an organization', async () => {
    const { ctx, page, organizationId } = await begin();
    const other = await addPage(ctx);
    const sent = await sentBy(() =>
      database.db.$transaction((tx) => notePagesChanged(tx, { organizationId })),
    );
    expect(sent[0]?.[1]?.split(',').toSorted()).toEqual([page.id, other.id].toSorted());
  });

  it('too many pages to list', async () => {
    const noteMany = (count: number) => () => {
      const pageIds = Array.from({ length: count }, (_, index) => `sp_${String(index).padStart(26, '0')}`);
      return database.db.$transaction((tx) => notePagesChanged(tx, { pageIds }));
    };
    const [most] = await sentBy(noteMany(200));
    expect(most?.[1]?.split(',')).toHaveLength(200);
    expect(await sentBy(noteMany(201))).toEqual([['pharos_pages', '*']]);
    expect(await sentBy(noteMany(0))).toEqual([]);
  });
});

it('a rollback sends no notification', async () => {
  const { page } = await begin();
  const undo = () =>
    database.db.$transaction(async (tx) => {
      await notePagesChanged(tx, { pageIds: [page.id] });
      throw new Error('undone');
    });
  expect(await sentBy(() => expect(undo()).rejects.toThrow('undone'))).toEqual([]);
});

it('notifications can be parsed', () => {
  expect(parsePageChange('*')).toEqual({ kind: 'all' });
  expect(parsePageChange('sp_1,-sp_2,sp_3')).toEqual({
    kind: 'pages',
    changed: ['sp_1', 'sp_3'],
    gone: ['sp_2'],
  });
  expect(parsePageChange('')).toEqual({ kind: 'pages', changed: [], gone: [] });
});
