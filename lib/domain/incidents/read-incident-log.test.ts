import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { formatIncidentLog, incidentLogSchema } from '@/lib/schemas/incidents/incident-log';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { updateIncident } from './change-incident';
import { createIncident } from './create-incident';
import { readIncidentLog } from './read-incident-log';

const START = new Date('2026-03-01T12:00:00.000Z');
const database = useSharedDatabase();

async function begin() {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  /** The list for a query string, as its page reads it. */
  const page = (address = '', limit = 50) =>
    readIncidentLog(ctx, {
      ...incidentLogSchema.parse(Object.fromEntries(new URLSearchParams(address))),
      limit,
    });
  return {
    ctx,
    page,
    titles: async (address?: string) => (await page(address)).items.map(({ title }) => title),
    open: async (title: string, fields: object = {}) => {
      clock.advance(60_000);
      return (await createIncident(ctx, createIncidentSchema.parse({ title, ...fields }))).id;
    },
  };
}

describe('the incident log', () => {
  it('has open incidents first, then resolved ones, each newest first', async () => {
    const story = await begin();
    const old = await story.open('Old and open');
    for (const title of ['Over', 'Over too']) await story.open(title, { status: 'resolved' });
    await story.open('New and open', { status: 'monitoring' });
    expect(await story.titles()).toEqual(['New and open', 'Old and open', 'Over too', 'Over']);
    await updateIncident(story.ctx, old, { status: 'resolved', message: 'Fixed.' });
    expect(await story.titles()).toEqual(['New and open', 'Over too', 'Over', 'Old and open']);
  });

  it('pages through all of them, each once', async () => {
    const story = await begin();
    for (const n of [1, 2, 3]) await story.open(`Over ${n}`, { status: 'resolved' });
    for (const n of [1, 2, 3]) await story.open(`Open ${n}`);
    const titles: string[] = [];
    let address: string | null = '';
    while (address !== null) {
      const { items, next } = await story.page(address, 2);
      titles.push(...items.map(({ title }) => title));
      address = next && formatIncidentLog({ ...incidentLogSchema.parse({}), after: next });
    }
    expect(titles).toEqual(['Open 3', 'Open 2', 'Open 1', 'Over 3', 'Over 2', 'Over 1']);
  });

  it('is filtered by its query and shows everything for an invalid one', async () => {
    const story = await begin();
    const input = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/' });
    const { id: monitor } = await createMonitor(story.ctx, input);
    await story.open('Over', { status: 'resolved', severity: 'minor' });
    await story.open('Watched', { status: 'monitoring', affectedMonitors: [monitor] });
    await story.open('Bad', { severity: 'critical' });
    expect(await story.titles('status=open')).toEqual(['Bad', 'Watched']);
    expect(await story.titles('status=resolved')).toEqual(['Over']);
    expect(await story.titles('status=monitoring')).toEqual(['Watched']);
    expect(await story.titles('severity=minor')).toEqual(['Over']);
    expect(await story.titles('origin=automatic')).toEqual([]);
    expect(await story.titles(`origin=manual&monitor=${monitor}`)).toEqual(['Watched']);
    const all = ['Bad', 'Watched', 'Over'];
    for (const odd of ['status=x', 'monitor=1', 'after=x', 'after=open.x']) {
      expect(await story.titles(odd)).toEqual(all);
    }
  });

  it('takes two queries for any number and does not see other organizations', async () => {
    const [story, other] = [await begin(), await begin()];
    for (const n of [1, 2, 3, 4, 5]) await story.open(`Over ${n}`, { status: 'resolved' });
    const counting = openCountingDatabase(database.url);
    const query = { ...incidentLogSchema.parse({}), limit: 50 };
    expect(await counting.count(() => readIncidentLog({ ...story.ctx, db: counting.db }, query))).toBe(2);
    await counting.db.$disconnect();
    expect(await other.titles()).toEqual([]);
  });
});
