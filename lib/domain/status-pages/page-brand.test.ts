import { beforeAll, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { changePlan } from '@/lib/domain/organizations/change-organization';
import type { Brand } from '@/lib/schemas/status-pages/brand';
import { BRAND_DEFAULTS } from '@/lib/schemas/status-pages/brand-defaults';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { readHistoryView } from './public/read-history-view';
import { readPageView } from './public/read-page-view';
import { readPublicPage } from './public/read-public-page';
import { addPage, changePage, readPage, refusal } from './testing/pages';

const database = useSharedDatabase();
let pro: TestOrganization;

beforeAll(async () => {
  pro = await createTestOrganization(createTestServices({ db: database.db }), { plan: 'pro' });
});

const BRAND: Brand = {
  darkLogoUrl: 'https://acme.test/dark.svg',
  faviconUrl: 'https://acme.test/icon.svg',
  font: 'serif',
  links: [{ label: 'Support', url: 'mailto:help@acme.test', place: 'header' }],
  timeZone: 'Europe/Berlin',
  noindex: true,
  poweredBy: false,
  announcement: { text: 'We move.', url: null, endsAt: '2099-01-01T00:00:00.000Z' },
  customCss: '/* Ours */\n.banner { border-radius: 0 }\n',
};

it('a brand is stored as it was sent, a change keeps what it does not name, and null resets a field', async () => {
  const { slug, version } = await addPage(pro.ctx, BRAND);
  expect(await readPage(pro.ctx, slug)).toMatchObject({ ...BRAND, version: 1 });

  const changed = await changePage(pro.ctx, slug, { font: 'mono', links: [] });
  expect(changed).toMatchObject({ ...BRAND, font: 'mono', links: [], version: version + 1 });

  const nothing = Object.fromEntries(Object.keys(BRAND).map((name) => [name, null]));
  expect(await changePage(pro.ctx, slug, nothing)).toMatchObject({ ...BRAND_DEFAULTS, version: version + 2 });
});

it('a page that was written before there were brands has the defaults', async () => {
  const { id, slug } = await addPage(pro.ctx, BRAND);
  await database.db.$executeRaw`UPDATE status_page SET brand = DEFAULT WHERE id = ${id}`;
  expect(await readPage(pro.ctx, slug)).toMatchObject(BRAND_DEFAULTS);
});

it('a change of the brand and of other fields counts as one version', async () => {
  const { slug } = await addPage(pro.ctx, {});
  expect(await changePage(pro.ctx, slug, { name: 'Store', font: 'mono' })).toMatchObject({ version: 2 });
  expect(await changePage(pro.ctx, slug, { name: 'Store', font: 'mono' })).toMatchObject({ version: 2 });
});

it('the public JSON has what visitors see of a brand, and nothing else', async () => {
  const { slug } = await addPage(pro.ctx, { ...BRAND, published: true });
  const page = await readPublicPage(pro.ctx, slug);
  const { noindex, poweredBy, announcement, customCss, ...shown } = BRAND;
  expect(page).toMatchObject(shown);
  expect(page).not.toHaveProperty('noindex');
  expect(page).not.toHaveProperty('poweredBy');
  expect(page).not.toHaveProperty('announcement');
  expect(page).not.toHaveProperty('customCss');
});

it('an announcement is on the page until it ends, and kept after that', async () => {
  const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  const sent = { text: ' We move. ', url: 'https://acme.test/', endsAt: '2026-03-10T14:00:00+01:00' };
  const { slug, announcement } = await addPage(ctx, { published: true, announcement: sent });
  expect(announcement).toEqual({ ...sent, text: 'We move.', endsAt: '2026-03-10T13:00:00.000Z' });
  const shown = async () => [
    (await readPageView(services, slug)).page.announcement,
    (await readHistoryView(services, slug, undefined)).page.announcement,
  ];
  clock.advance(3_599_999);
  expect(await shown()).toEqual([announcement, announcement]);
  clock.advance(1);
  expect(await shown()).toEqual([null, null]);
  expect((await readPage(ctx, slug)).announcement).toEqual(announcement);
});

it('the free plan refuses custom CSS and a page without “Powered by”, new or changed; a downgrade keeps them', async () => {
  const services = createTestServices({ db: database.db });
  const { ctx, organizationId } = await createTestOrganization(services, { plan: 'free' });
  expect(await refusal(addPage(ctx, { poweredBy: false }))).toEqual(['PLAN_LIMIT_EXCEEDED']);
  expect(await refusal(addPage(ctx, { customCss: 'a{color:red}' }))).toEqual(['PLAN_LIMIT_EXCEEDED']);
  const { slug } = await addPage(ctx, { timeZone: 'Europe/Berlin' });
  expect(await refusal(changePage(ctx, slug, { poweredBy: false }))).toEqual(['PLAN_LIMIT_EXCEEDED']);

  await changePlan(services, organizationId, 'pro');
  await changePage(ctx, slug, { poweredBy: false, customCss: 'a{color:red}' });
  await changePlan(services, organizationId, 'free');
  const page = await readPage(ctx, slug);
  expect(page.poweredBy).toBe(false);
  expect(await changePage(ctx, slug, { ...page, name: 'Renamed' })).toMatchObject({
    poweredBy: false,
    customCss: 'a{color:red}',
  });
  expect(await refusal(changePage(ctx, slug, { customCss: 'a{color:blue}' }))).toEqual([
    'PLAN_LIMIT_EXCEEDED',
  ]);
  await changePage(ctx, slug, { poweredBy: true });
  expect(await refusal(changePage(ctx, slug, { poweredBy: false }))).toEqual(['PLAN_LIMIT_EXCEEDED']);
});
