import { describe, expect, it } from 'vitest';
import { changePage } from '@/lib/domain/status-pages/testing/pages';
import { useTestDatabase } from '@/lib/testing/database';
import { beginSubscriberStory, HOUR, MINUTE } from './testing/subscriber-story';

const database = useTestDatabase();

/** A page with the rows Shop, Search and Hotline, and subscribers: of everything, of Search, of Hotline, and of rows that are gone. */
async function begin() {
  const story = await beginSubscriberStory(database.db, { subscribers: 4 });
  const search = await story.addMonitor({ name: 'Search' });
  const items = [{ monitorId: story.monitor.id }, { monitorId: search.id }, { name: 'Hotline' }];
  const page = await changePage(story.ctx, story.page.slug, { sections: [{ name: 'All', items }] });
  const hotline = page.sections[0]?.items[2]?.componentId ?? '';
  const confirmed = { pageId: page.id, confirmedAt: { not: null } };
  const found = await database.db.pageSubscriber.findMany({ where: confirmed, orderBy: { id: 'asc' } });
  const names = ['everything', 'search', 'hotline', 'gone'];
  const chosen = [[], [search.id], [hotline], []];
  for (const [index, { id }] of found.entries()) {
    const rowIds = chosen[index] ?? [];
    const email = `${names[index]}-${id}@example.com`;
    await database.db.pageSubscriber.update({ where: { id }, data: { email, rowIds, choseRows: index > 0 } });
  }
  let seen = 0;
  return {
    ...story,
    search,
    hotline,
    /** Who was mailed since the last call, and the subject. */
    mailed: async () => {
      story.clock.advance(MINUTE);
      await story.mail();
      const mails = (await story.mails()).slice(seen);
      seen += mails.length;
      return mails.map(({ recipient, content }) => [recipient.split('-')[0], content.subject]).toSorted();
    },
  };
}

describe('subscribers who chose rows of a page', () => {
  it('are emailed about incidents that affect one of them, and all others about everything', async () => {
    const { incident, update, mailed, search, hotline, monitor } = await begin();
    await incident({ affectedMonitors: [monitor.id] });
    expect(await mailed()).toEqual([
      ['everything', 'Acme: Slow (investigating)'],
      ['gone', 'Acme: Slow (investigating)'],
    ]);
    const { id } = await incident({
      affectedMonitors: [monitor.id, search.id],
      affectedComponents: [hotline],
    });
    expect((await mailed()).map(([who]) => who)).toEqual(['everything', 'gone', 'hotline', 'search']);
    await update(id, { status: 'resolved', message: 'Fixed.' });
    expect((await mailed()).map(([who]) => who)).toEqual(['everything', 'gone', 'hotline', 'search']);
  });

  it('get digests of their own', async () => {
    const { incident, mailed, search, hotline } = await begin();
    await incident({ title: 'Stale index', affectedMonitors: [search.id] });
    await incident({ title: 'Line busy', affectedMonitors: [], affectedComponents: [hotline] });
    expect(await mailed()).toEqual([
      ['everything', 'Acme: updates on 2 incidents'],
      ['gone', 'Acme: updates on 2 incidents'],
      ['hotline', 'Acme: Line busy (investigating)'],
      ['search', 'Acme: Stale index (investigating)'],
    ]);
  });

  it('are emailed about maintenance of one of them', async () => {
    const { plan, mailed, search } = await begin();
    await plan(HOUR, 2 * HOUR, { monitors: [search.id] });
    expect((await mailed()).map(([who]) => who)).toEqual(['everything', 'gone', 'search']);
  });

  it('are all emailed of notices by an older version, which do not name the rows', async () => {
    const { incident, mailed, search, page } = await begin();
    await incident({ affectedMonitors: [search.id] });
    await database.db.pageNotice.updateMany({ where: { pageId: page.id }, data: { rowIds: [] } });
    expect(await mailed()).toHaveLength(4);
  });
});
