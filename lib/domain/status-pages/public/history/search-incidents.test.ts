import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createManualClock } from '@/lib/core/time/clock';
import { addMonitor, addPage, changePage } from '@/lib/domain/status-pages/testing/pages';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { readSearchView } from './search-incidents';

const database = useSharedDatabase();
const NOW = new Date('2026-03-10T12:00:00.000Z');
const clock = createManualClock(NOW);
let organization: TestOrganization;

beforeAll(async () => {
  organization = await createTestOrganization(createTestServices({ db: database.db, clock }));
});

type Fields = Partial<Prisma.IncidentUncheckedCreateInput> & {
  messages?: { message: string; author: string | null; translations?: Prisma.InputJsonObject }[];
};

/** An incident that ended an hour after it started, `hours` before now. */
async function addIncident({ messages = [], ...fields }: Fields, hours = 2): Promise<string> {
  const id = createId('incident');
  const startedAt = new Date(NOW.getTime() - hours * 3_600_000);
  const updates = messages.map((message) => ({
    ...message,
    id: createId('incidentUpdate'),
    status: 'resolved' as const,
    createdAt: startedAt,
  }));
  await database.db.incident.create({
    data: {
      id,
      organizationId: organization.organizationId,
      title: 'Trouble',
      description: '',
      status: 'resolved',
      severity: 'major',
      automatic: false,
      startedAt,
      createdAt: startedAt,
      updatedAt: startedAt,
      resolvedAt: new Date(startedAt.getTime() + 3_600_000),
      updates: { create: updates },
      ...fields,
    },
  });
  return id;
}

async function begin(name = 'Shop') {
  const { ctx } = organization;
  const monitor = await addMonitor(ctx, { name });
  const { slug } = await addPage(ctx, { published: true, monitors: [monitor] });
  const search = async (text: string) => {
    const { incidents } = await readSearchView({ db: database.db, clock }, slug, text);
    return incidents.map(({ id }) => id);
  };
  return { ctx, monitor, slug, search };
}

describe('searching the incidents of a page', () => {
  it('matches the words of translations, but not the names of languages and texts', async () => {
    const { monitor, search } = await begin();
    const id = await addIncident({
      affectedMonitors: [monitor],
      translations: { de: { title: 'Zahlungen schlagen fehl' } },
      messages: [{ message: 'Fixed.', author: 'Ann', translations: { fr: { message: 'C’est réglé.' } } }],
    });
    expect(await search('zahlungen')).toEqual([id]);
    expect(await search('réglé fehl')).toEqual([id]);
    for (const text of ['de', 'title', 'message']) expect(await search(text), text).toEqual([]);
  });

  it('matches all words in any order and case, in titles, descriptions, updates, postmortems, and row names', async () => {
    const { monitor, search } = await begin();
    const affectedMonitors = [monitor];
    const id = await addIncident({
      affectedMonitors,
      title: 'Payments fail',
      description: 'Cards only.',
      messages: [{ message: 'A REPLICA is out of disk.', author: 'Ann' }],
      postmortem: 'We add an **alarm**.',
      postmortemPublishedAt: NOW,
    });
    const other = await addIncident({ affectedMonitors, title: 'Payments are slow' }, 1);
    for (const text of ['fail payments', 'cards', 'replica alarm', 'ALARM', 'shop disk']) {
      expect(await search(text), text).toEqual([id]);
    }
    expect(await search('payments')).toEqual([other, id]);
    expect(await search('payments missing')).toEqual([]);
    expect(await search('')).toEqual([]);
  });

  it('matches special characters literally', async () => {
    const { monitor, search } = await begin();
    const id = await addIncident({ affectedMonitors: [monitor], title: String.raw`50%_off \ sale` });
    await addIncident({ affectedMonitors: [monitor], title: '500 coffee sale' });
    for (const text of ['50%_off', '%', '_', '\\']) expect(await search(text), text).toEqual([id]);
    expect(await search("'; DROP TABLE incident; --")).toEqual([]);
  });

  it('does not match anything that the page does not show', async () => {
    const { ctx, monitor, search } = await begin();
    const affectedMonitors = [monitor];
    await addIncident({ affectedMonitors, postmortem: 'Draft about Bob', postmortemPublishedAt: null });
    await addIncident({ affectedMonitors: [await addMonitor(ctx)], title: 'Elsewhere' });
    const foreign = await createTestOrganization(createTestServices({ db: database.db, clock }));
    await addIncident({ affectedMonitors, title: 'Foreign', organizationId: foreign.organizationId });
    for (const text of ['bob', 'elsewhere', 'foreign']) expect(await search(text), text).toEqual([]);
  });

  it('matches automatic incidents by the public name of their monitor, not by its internal name', async () => {
    const { ctx, monitor, slug, search } = await begin('db-internal-7');
    const id = await addIncident({
      affectedMonitors: [monitor],
      monitorId: monitor,
      automatic: true,
      title: 'db-internal-7 is down',
      description: 'db-internal-7 is down.',
      messages: [
        { message: 'db-internal-7 is down.', author: null },
        { message: 'We are replacing a disk.', author: 'Ann' },
      ],
    });
    expect(await search('internal down')).toEqual([id]);
    const items = [{ monitorId: monitor, name: 'Database' }];
    await changePage(ctx, slug, { sections: [{ name: 'Storage', items }] });
    expect(await search('internal')).toEqual([]);
    expect(await search('database down disk')).toEqual([id]);
  });

  it('returns the newest 50, whether there are more, and which have a postmortem', async () => {
    const { monitor, slug } = await begin();
    const affectedMonitors = [monitor];
    const ids: string[] = [];
    for (let hour = 1; hour <= 51; hour += 1) {
      ids.push(await addIncident({ affectedMonitors, title: 'Flood' }, hour));
    }
    const [newest = ''] = ids;
    const view = () => readSearchView({ db: database.db, clock }, slug, ' flood ');
    const withPostmortem = async () =>
      (await view()).incidents.flatMap(({ id, hasPostmortem }) => (hasPostmortem ? [id] : []));
    expect(await view()).toMatchObject({ text: 'flood', isCut: true });
    expect(await withPostmortem()).toEqual([]);
    const data = { postmortem: 'Why', postmortemPublishedAt: NOW };
    await database.db.incident.update({ where: { id: newest }, data });
    const { incidents } = await view();
    expect(incidents.map(({ id }) => id)).toEqual(ids.slice(0, 50));
    expect(await withPostmortem()).toEqual([newest]);
  });

  it('throws NOT_FOUND for an unpublished page', async () => {
    const { slug } = await addPage(organization.ctx);
    await expect(readSearchView({ db: database.db, clock }, slug, 'x')).rejects.toThrow(/not found/i);
  });
});
