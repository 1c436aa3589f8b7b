import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { BRAND_DEFAULTS } from '@/lib/schemas/status-pages/brand-defaults';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { addMonitor, addPage, changePage, newSlug, readPage, refusal } from './testing/pages';

const database = useSharedDatabase();
const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
let mine: TestOrganization;
let other: TestOrganization;

const begin = () =>
  createTestOrganization(createTestServices({ db: database.db, clock }), { plan: 'enterprise' });

beforeAll(async () => {
  mine = await begin();
  other = await begin();
});

describe('a new status page', () => {
  it('has defaults and null for missing fields', async () => {
    const slug = newSlug();
    const page = await addPage(mine.ctx, { name: '  Acme  ', slug });
    expect(page).toEqual({
      id: expect.stringMatching(/^sp_/),
      name: 'Acme',
      slug,
      description: null,
      monitors: [],
      sections: [],
      published: false,
      theme: { primaryColor: '#22c55e', backgroundColor: '#0a0a0a', textColor: '#fafafa' },
      appearance: 'automatic',
      embedOrigins: [],
      logoUrl: null,
      ...BRAND_DEFAULTS,
      customDomain: null,
      showResponseTimes: false,
      uptimeDays: 90,
      automaticIncidents: { show: 'immediately', afterMinutes: null },
      visibility: 'public',
      hasPassword: false,
      allowedCidrs: [],
      customDomainVerified: false,
      customDomainRecord: null,
      customDomainStatus: expect.objectContaining({ status: 'none', record: null }),
      version: 1,
      createdAt: '2026-03-10T12:00:00.000Z',
      updatedAt: '2026-03-10T12:00:00.000Z',
    });
    expect(await readPage(mine.ctx, slug)).toEqual(page);
  });

  it('keeps the order of its monitors', async () => {
    const [first, second, third] = [
      await addMonitor(mine.ctx),
      await addMonitor(mine.ctx),
      await addMonitor(mine.ctx),
    ];
    const monitors = [third, first, second];
    const { slug } = await addPage(mine.ctx, { monitors });
    expect((await readPage(mine.ctx, slug)).monitors).toEqual(monitors);
    await changePage(mine.ctx, slug, { monitors: [second, third] });
    expect((await readPage(mine.ctx, slug)).monitors).toEqual([second, third]);
  });

  it('fills a partial theme with the defaults', async () => {
    const page = await addPage(mine.ctx, { theme: { textColor: '#ABCDEF' } });
    expect(page.theme).toEqual({
      primaryColor: '#22c55e',
      backgroundColor: '#0a0a0a',
      textColor: '#abcdef',
    });
  });

  it.each([
    ['no fields', { name: undefined, slug: undefined, monitors: undefined }, ['name', 'slug', 'monitors']],
    ['an empty name', { name: '  ' }, ['name']],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['name']],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, ['description']],
    ['NUL in a text', { description: 'a\0b' }, ['description']],
    ['an unknown key', { title: 'Acme' }, ['title']],
    ['capitals in the slug', { slug: 'Acme' }, ['slug']],
    ['a slug that begins with a hyphen', { slug: '-acme' }, ['slug']],
    ['a slug with two hyphens in a row', { slug: 'a--b' }, ['slug']],
    ['a slug with a line break', { slug: 'acme\n' }, ['slug']],
    ['a slug of 64 characters', { slug: 'a'.repeat(64) }, ['slug']],
    ['a reserved slug', { slug: 'public' }, ['slug']],
    ['monitors that are not a list', { monitors: 'mon_1' }, ['monitors']],
    ['monitors that are not strings', { monitors: [1] }, ['monitors.0']],
    ['a duplicate monitor', { monitors: ['mon_1', 'mon_2', 'mon_1'] }, ['monitors.2']],
    ['published as a string', { published: 'true' }, ['published']],
    ['a short color', { theme: { primaryColor: '#fff' } }, ['theme.primaryColor']],
    ['a color by name', { theme: { textColor: 'red' } }, ['theme.textColor']],
    ['a color with extra text', { theme: { textColor: '#ffffff;' } }, ['theme.textColor']],
    ['an unknown color', { theme: { linkColor: '#ffffff' } }, ['theme.linkColor']],
    ['a logo over http', { logoUrl: 'http://acme.test/logo.png' }, ['logoUrl']],
    ['a logo as a script', { logoUrl: 'javascript:alert(1)' }, ['logoUrl']],
    ['a favicon over http', { faviconUrl: 'http://acme.test/icon.png' }, ['faviconUrl']],
    ['an announcement without an end', { announcement: { text: 'We move' } }, ['announcement.endsAt']],
    [
      'a long announcement',
      { announcement: { text: 'x'.repeat(301), endsAt: '2030-01-01T00:00:00Z' } },
      ['announcement.text'],
    ],
    ['an unknown font', { font: 'comic' }, ['font']],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, ['timeZone']],
    ['an unsafe link', { links: [{ label: 'Site', url: 'javascript:alert(1)' }] }, ['links.0.url']],
    ['a link without a label', { links: [{ label: ' ', url: 'https://acme.test' }] }, ['links.0.label']],
    [
      'a link to nowhere',
      { links: [{ label: 'Site', url: 'https://a.test', place: 'top' }] },
      ['links.0.place'],
    ],
    ['a logo with credentials', { logoUrl: 'https://me:pw@acme.test/logo.png' }, ['logoUrl']],
    ['a URL as domain', { customDomain: 'https://status.acme.test' }, ['customDomain']],
    ['a domain with a port', { customDomain: 'status.acme.test:443' }, ['customDomain']],
    ['an address as domain', { customDomain: '192.0.2.1' }, ['customDomain']],
    ['a domain of one label', { customDomain: 'localhost' }, ['customDomain']],
    ['a domain with an underscore', { customDomain: '_pharos.acme.test' }, ['customDomain']],
    ['a domain too long for its record', { customDomain: `${'a.'.repeat(122)}test` }, ['customDomain']],
    ["the app's own domain", { customDomain: 'Pharos.Example.com' }, ['customDomain']],
    ["the app's own domain with a dot", { customDomain: 'pharos.example.com.' }, ['customDomain']],
    ["a name below the app's own", { customDomain: 'acme.pharos.example.com' }, ['customDomain']],
  ])('is rejected with %s, naming the field', async (_, fields, paths) => {
    const [code, ...details] = await refusal(addPage(mine.ctx, fields));
    expect(code).toBe('VALIDATION_ERROR');
    expect(details.map((detail) => detail.split(' ')[0])).toEqual(paths);
  });

  it('accepts a name, slug and description of maximum length', async () => {
    const [name, slug, description] = ['n'.repeat(100), `a${'-b'.repeat(31)}`, 'd'.repeat(500)];
    expect(slug).toHaveLength(63);
    expect(await addPage(mine.ctx, { name, slug, description })).toMatchObject({ name, slug, description });
  });

  it('names the index of each monitor that is unknown or of another organization', async () => {
    const [own, foreign] = [await addMonitor(mine.ctx), await addMonitor(other.ctx)];
    expect(await refusal(addPage(mine.ctx, { monitors: [own, foreign, 'mon_unknown', 'a\0b'] }))).toEqual([
      'UNKNOWN_MONITOR',
      'monitors.1 unknown_monitor',
      'monitors.2 unknown_monitor',
      'monitors.3 unknown_monitor',
    ]);
  });
});

describe('slugs', () => {
  it('are unique over all organizations', async () => {
    const { slug } = await addPage(other.ctx);
    expect(await refusal(addPage(mine.ctx, { slug }))).toEqual(['SLUG_TAKEN', 'slug slug_taken']);
    const own = await addPage(mine.ctx);
    expect(await refusal(changePage(mine.ctx, own.slug, { slug }))).toEqual([
      'SLUG_TAKEN',
      'slug slug_taken',
    ]);
    expect(await readPage(mine.ctx, own.slug)).toEqual(own);
  });

  it('go to one of several concurrent requests', async () => {
    const slug = newSlug();
    const attempts = await Promise.allSettled([
      addPage(mine.ctx, { slug }),
      addPage(other.ctx, { slug }),
      addPage(other.ctx, { slug }),
    ]);
    const codes = attempts.map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.code : 'created',
    );
    expect(codes.toSorted()).toEqual(['SLUG_TAKEN', 'SLUG_TAKEN', 'created']);
    expect(await database.db.statusPage.count({ where: { slug } })).toBe(1);
  });

  it('can be changed and become available again', async () => {
    const { slug, id } = await addPage(mine.ctx);
    const next = newSlug();
    expect(await changePage(mine.ctx, slug, { slug: next })).toMatchObject({ id, slug: next });
    expect(await refusal(readPage(mine.ctx, slug))).toEqual(['NOT_FOUND']);
    expect((await addPage(other.ctx, { slug })).slug).toBe(slug);
  });
});
