import { describe, expect, it } from 'vitest';
import { incidentsQuerySchema } from '@/lib/schemas/incidents/incident';
import { useSharedDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { deleteIncident, updateIncident } from './change-incident';
import { getIncident, listIncidents } from './read-incidents';
import { beginStory } from './testing/story';

const MINUTE = 60_000;
const database = useSharedDatabase();

describe('the list of incidents', () => {
  it('is newest first, in pages that contain each incident once, even within one millisecond', async () => {
    const story = await beginStory(database);
    for (let incident = 0; incident < 5; incident++) await story.open({ title: `Incident ${incident}` });
    story.clock.advance(MINUTE);
    await story.open({ title: 'Newest' });
    const titles: string[] = [];
    let cursor = null;
    do {
      const page = await listIncidents(story.ctx, {
        ...incidentsQuerySchema.parse({ limit: '2' }),
        ...(cursor ? { cursor } : {}),
      });
      titles.push(...page.items.map(({ title }) => title));
      cursor = page.next;
    } while (cursor);
    expect(titles).toEqual(['Newest', ...[4, 3, 2, 1, 0].map((number) => `Incident ${number}`)]);
  });

  it('is filtered by status, severity, origin and monitor', async () => {
    const story = await beginStory(database);
    const monitor = await story.addMonitor();
    const automatic = await story.follow(monitor, 'down');
    const { id: minor } = await story.open({ severity: 'minor', affectedMonitors: [monitor] });
    const { id: resolved } = await story.open({ status: 'resolved' });
    const ids = async (query: object) => (await story.list(query)).items.map(({ id }) => id);
    expect(await ids({ status: 'resolved' })).toEqual([resolved]);
    expect(await ids({ open: 'true' })).toEqual([minor, automatic]);
    expect(await ids({ open: 'false' })).toEqual([resolved]);
    expect(await ids({ severity: 'minor' })).toEqual([minor]);
    expect(await ids({ automatic: 'true' })).toEqual([automatic]);
    expect(await ids({ automatic: 'false' })).toEqual([resolved, minor]);
    expect(await ids({ monitor })).toEqual([minor, automatic]);
    expect(await ids({ monitor, severity: 'critical' })).toEqual([automatic]);
  });

  it('takes as many queries for many incidents as for one', async () => {
    const story = await beginStory(database);
    const counting = openCountingDatabase(database.url);
    const query = incidentsQuerySchema.parse({});
    const count = () => counting.count(() => listIncidents({ ...story.ctx, db: counting.db }, query));
    await story.open();
    const forOne = await count();
    for (let incident = 0; incident < 5; incident++) {
      const { id } = await story.open();
      await updateIncident(story.ctx, id, { message: 'Still looking.' });
    }
    expect(await count()).toBe(forOne);
    await counting.db.$disconnect();
  });

  it('and all other verbs do not see other organizations', async () => {
    const [story, other] = [await beginStory(database), await beginStory(database)];
    const { id } = await story.open();
    expect((await other.list()).items).toEqual([]);
    const rejection = { code: 'NOT_FOUND' };
    await expect(getIncident(other.ctx, id)).rejects.toMatchObject(rejection);
    await expect(updateIncident(other.ctx, id, { title: 'Mine' })).rejects.toMatchObject(rejection);
    await expect(updateIncident(other.ctx, id, {})).rejects.toMatchObject(rejection);
    await expect(updateIncident(other.ctx, id, { message: 'x' })).rejects.toMatchObject(rejection);
    await expect(deleteIncident(other.ctx, id)).rejects.toMatchObject(rejection);
    expect(await getIncident(story.ctx, id)).toMatchObject({ title: 'Checkout is slow' });
  });
});
