import { expect, it } from 'vitest';
import { addMonitor, addPage, listPages } from '@/lib/domain/status-pages/testing/pages';
import { pagePreviewSchema } from '@/lib/schemas/status-pages/page-preview';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { previewPage, readPageView } from './read-page-view';

const database = useSharedDatabase();
const begin = () => createTestOrganization(createTestServices({ db: database.db }));

function unsaved(changes: object = {}) {
  const typed = { name: 'Acme', description: '', logoUrl: '', monitors: [], showResponseTimes: false };
  const { scheme, ...preview } = pagePreviewSchema.parse({
    ...typed,
    theme: THEME_DEFAULTS,
    scheme: 'light',
    ...changes,
  });
  return preview;
}

it('a preview shows what the saved page will show, in the order of the form', async () => {
  const { ctx } = await begin();
  const [shop, mail] = [
    await addMonitor(ctx, { name: 'Shop' }),
    await addMonitor(ctx, { name: 'Mail', enabled: false }),
  ];
  const items = [{ monitorId: mail, name: 'Post' }, { name: 'Phone' }, { monitorId: shop }];
  const fields = {
    description: 'Of all',
    monitors: [mail, shop],
    published: true,
    showResponseTimes: true,
    uptimeDays: 60,
    appearance: 'light',
    sections: [{ name: 'All', description: 'Of us', items }],
  };
  const { slug } = await addPage(ctx, fields);
  const saved = await readPageView(ctx, slug);

  const empty = { collapsed: false, monitorId: null, componentId: null, name: '', description: '' };
  const sections = saved.sections.map((section) => ({
    ...empty,
    name: section.name,
    description: 'Of us',
    items: items.map((item, place) => ({
      ...empty,
      ...item,
      componentId: saved.components[place - 1]?.id ?? null,
    })),
  }));
  const previewed = await previewPage(ctx, unsaved({ ...fields, sections }));

  expect([previewed.sections, previewed.components]).toEqual([saved.sections, saved.components]);
  expect(previewed.monitors).toEqual(saved.monitors);
  const { name, description, theme, appearance, showResponseTimes, uptimeDays } = saved.page;
  const shown = { name, description, theme, appearance, showResponseTimes, uptimeDays };
  expect(previewed.page).toMatchObject(shown);
});

it('a preview writes nothing and omits monitors of other organizations', async () => {
  const [{ ctx }, other] = [await begin(), await begin()];
  const own = await addMonitor(ctx);
  const foreign = await addMonitor(other.ctx, { name: 'Secret' });
  const monitors = [foreign, own, own, 'mon_0', 'no id\0'];

  const view = await previewPage(ctx, unsaved({ monitors }));

  expect(view.monitors.map(({ id }) => id)).toEqual([own]);
  expect(JSON.stringify(view)).not.toContain('Secret');
  expect(await listPages(ctx)).toEqual([]);
});

it('a nearly empty form can be previewed', async () => {
  const { ctx } = await begin();
  const typing = { name: ' ', logoUrl: 'htt', theme: { primaryColor: '#22', textColor: 7 } };
  const view = await previewPage(ctx, unsaved(typing));
  expect(view.page).toMatchObject({ name: 'Untitled', description: null, logoUrl: 'htt' });
  expect(view.page.theme).toEqual({ ...THEME_DEFAULTS, primaryColor: '#22' });
});

it('a preview has the brand as it is typed, and what is not finished is left out', async () => {
  const { ctx } = await begin();
  const announcement = { text: 'We move.', url: null, endsAt: '2098-01-01T00:00:00.000Z' };
  const links = [
    { label: 'Support', url: 'https://a.test', place: 'header' },
    { label: '', url: '', place: 'footer' },
  ];
  const brand = { font: 'serif', timeZone: 'Asia/Tokyo', poweredBy: false, customCss: 'a{', announcement };
  const { page } = await previewPage(ctx, unsaved({ ...brand, faviconUrl: '', links }));
  expect(page).toMatchObject({ ...brand, faviconUrl: null, links: links.slice(0, 1) });
  const unfinished = { ...announcement, endsAt: '' };
  expect((await previewPage(ctx, unsaved({ announcement: unfinished }))).page.announcement).toBeNull();
});

it('a preview takes as many statements with ten monitors as with one', async () => {
  const { ctx } = await begin();
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1) ids.push(await addMonitor(ctx));
  const { db, count } = openCountingDatabase(database.url);
  const previewing = (monitors: string[]) =>
    previewPage({ ...ctx, db }, unsaved({ monitors, showResponseTimes: true }));
  const one = await count(() => previewing(ids.slice(0, 1)));
  expect(await count(() => previewing(ids))).toBe(one);
  await db.$disconnect();
});
