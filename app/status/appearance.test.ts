import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import type { Hex } from '@/components/status-page/theme/color';
import { readableTheme } from '@/components/status-page/theme/theme-css';
import { APPEARANCES, type Appearance } from '@/lib/schemas/status-pages/appearance';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';

const MIGRATION = 'prisma/migrations/20261130192800_page_brand/migration.sql';

const setting = borrowTenant();
let incident: string;

beforeAll(async () => {
  const { api } = setting.tenant;
  const target = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };
  const monitors = [(await api('POST', '/monitors', target)).body.id];
  for (const appearance of APPEARANCES) {
    const page = { name: 'Acme', monitors, published: true, appearance };
    expect(await api('POST', '/status-pages', { ...page, slug: `looks-${appearance}` })).toMatchObject({
      status: 201,
    });
    const hidden = {
      ...page,
      slug: `hides-${appearance}`,
      visibility: 'password',
      password: 'correct horse',
    };
    expect(await api('POST', '/status-pages', hidden)).toMatchObject({ status: 201 });
  }
  incident = (await api('POST', '/incidents', { title: 'Trouble', affectedMonitors: monitors })).body.id;
});

const get = (path: string) =>
  fetch(`${setting.service.url}/status/${path}`, { headers: { 'X-Forwarded-For': '198.51.100.61' } });

/** In which schemes a document is drawn on a screen, of those that a visitor can prefer. */
function schemesOf(html: string): string[] {
  const css = [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style]) => style).join('');
  const own = /(?<!\{):root\{color-scheme:(light|dark)/.exec(css)?.[1] ?? 'none';
  return css.includes('@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark')
    ? [own, 'dark']
    : [own];
}

describe.each<[Appearance, string[]]>([
  ['automatic', ['light', 'dark']],
  ['light', ['light']],
  ['dark', ['dark']],
])('a page whose appearance is %s', (appearance, schemes) => {
  it('is drawn so in all of its documents', async () => {
    const incidentPath = `looks-${appearance}/incidents/${incident}`;
    const paths = ['', '/history', '/search?q=trouble', '/subscribe', '/embed'].map(
      (path) => `looks-${appearance}${path}`,
    );
    for (const path of [...paths, incidentPath, `hides-${appearance}`]) {
      const html = await (await get(path)).text();
      expect([path, schemesOf(html)]).toEqual([path, schemes]);
    }
  });

  it('is drawn so where it is embedded, within the policy of the embed', async () => {
    const response = await get(`looks-${appearance}/embed`);
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(await response.text()) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
  });

  it('tells so in its public JSON', async () => {
    const response = await fetch(`${setting.service.url}/api/status-pages/public?slug=looks-${appearance}`);
    expect(await response.json()).toMatchObject({ appearance });
  });
});

it('pages from before look as they did: dark on a dark background, else as visitors prefer', async () => {
  const { db } = setting.backdoor;
  const update = /^UPDATE status_page[^;]*;/m.exec(await readFile(MIGRATION, 'utf8'))?.[0] ?? '';
  const colors = fc.sample(
    fc.integer({ min: 0, max: 0xffffff }).map((value): Hex => `#${value.toString(16).padStart(6, '0')}`),
    300,
  );
  // The grays are where light begins, within half a step of each channel.
  for (let gray = 0x70; gray < 0x7c; gray += 1) colors.push(`#${gray.toString(16).repeat(3)}` as Hex);
  const dark = await db.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(
      'CREATE TEMPORARY TABLE status_page (background_color text, appearance text) ON COMMIT DROP',
    );
    await tx.$executeRaw`INSERT INTO pg_temp.status_page SELECT color, 'automatic' FROM unnest(${colors}::text[]) AS color`;
    await tx.$executeRawUnsafe(update);
    return tx.$queryRaw<
      { color: Hex }[]
    >`SELECT background_color AS color FROM pg_temp.status_page WHERE appearance = 'dark'`;
  });
  const isDark = (backgroundColor: Hex) =>
    readableTheme({ ...THEME_DEFAULTS, backgroundColor }).scheme === 'dark';
  expect(dark.map(({ color }) => color).sort()).toEqual(colors.filter(isDark).sort());
});
