import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { changePlan } from '@/lib/domain/organizations/change-organization';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { deleteStatusPage } from './change-status-page';
import { addMonitor, addPage, changePage, listPages, newSlug, readPage } from './testing/pages';

const database = useTestDatabase();
const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
let mine: TestOrganization;
let other: TestOrganization;

const begin = (plan: 'free' | 'pro' | 'enterprise' = 'enterprise') =>
  createTestOrganization(createTestServices({ db: database.db, clock }), { plan });

beforeAll(async () => {
  mine = await begin();
  other = await begin();
});

/** What was refused: the code, and each field with the word for why. */
async function refusal(work: Promise<unknown>): Promise<[string, ...string[]]> {
  const error = await work.then(
    () => {
      throw new Error('nothing was refused');
    },
    (reason) => reason,
  );
  if (!error.code) throw error;
  return [
    error.code,
    ...(error.details ?? []).map((d: { path: string; code: string }) => `${d.path} ${d.code}`),
  ];
}

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
      published: false,
      theme: { primaryColor: '#22c55e', backgroundColor: '#0a0a0a', textColor: '#fafafa' },
      logoUrl: null,
      customDomain: null,
      showResponseTimes: false,
      customDomainVerified: false,
      customDomainRecord: null,
      customDomainStatus: expect.objectContaining({ status: 'none', record: null }),
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
      textColor: '#ABCDEF',
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
    ['monitors that are no list', { monitors: 'mon_1' }, ['monitors']],
    ['monitors that are no texts', { monitors: [1] }, ['monitors.0']],
    ['a monitor named twice', { monitors: ['mon_1', 'mon_2', 'mon_1'] }, ['monitors.2']],
    ['published as a text', { published: 'true' }, ['published']],
    ['a short color', { theme: { primaryColor: '#fff' } }, ['theme.primaryColor']],
    ['a color by name', { theme: { textColor: 'red' } }, ['theme.textColor']],
    ['a color with more behind it', { theme: { textColor: '#ffffff;' } }, ['theme.textColor']],
    ['an unknown color', { theme: { linkColor: '#ffffff' } }, ['theme.linkColor']],
    ['a logo over http', { logoUrl: 'http://acme.test/logo.png' }, ['logoUrl']],
    ['a logo as a script', { logoUrl: 'javascript:alert(1)' }, ['logoUrl']],
    ['a logo with credentials', { logoUrl: 'https://me:pw@acme.test/logo.png' }, ['logoUrl']],
    ['a URL as domain', { customDomain: 'https://status.acme.test' }, ['customDomain']],
    ['a domain with a port', { customDomain: 'status.acme.test:443' }, ['customDomain']],
    ['an address as domain', { customDomain: '192.0.2.1' }, ['customDomain']],
    ['a domain of one label', { customDomain: 'localhost' }, ['customDomain']],
    ['a domain with an underscore', { customDomain: '_pharos.acme.test' }, ['customDomain']],
    ['a domain without room for its record', { customDomain: `${'a.'.repeat(122)}test` }, ['customDomain']],
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
    const tries = await Promise.allSettled([
      addPage(mine.ctx, { slug }),
      addPage(other.ctx, { slug }),
      addPage(other.ctx, { slug }),
    ]);
    const codes = tries.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'made'));
    expect(codes.toSorted()).toEqual(['SLUG_TAKEN', 'SLUG_TAKEN', 'made']);
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

describe('changing a page', () => {
  it('keeps missing fields and merges a partial theme', async () => {
    const monitors = [await addMonitor(mine.ctx)];
    const page = await addPage(mine.ctx, { monitors, theme: { primaryColor: '#111111' } });
    clock.advance(1000);
    const changed = await changePage(mine.ctx, page.slug, {
      published: true,
      theme: { textColor: '#222222' },
    });
    expect(changed).toEqual({
      ...page,
      published: true,
      theme: { primaryColor: '#111111', backgroundColor: '#0a0a0a', textColor: '#222222' },
      updatedAt: clock.now().toISOString(),
    });
    expect(await readPage(mine.ctx, page.slug)).toEqual(changed);
  });

  it('accepts a fetched page unchanged, and null for optional fields', async () => {
    const page = await addPage(mine.ctx, {
      description: 'All of it',
      logoUrl: 'https://acme.test/logo.png',
      customDomain: 'whole.acme.test',
    });
    expect(await changePage(mine.ctx, page.slug, { ...page, id: 'sp_other', name: 'Store' })).toEqual({
      ...page,
      name: 'Store',
      updatedAt: expect.any(String),
    });
    expect(
      await changePage(mine.ctx, page.slug, { description: null, logoUrl: null, customDomain: null }),
    ).toMatchObject({ description: null, logoUrl: null, customDomain: null, customDomainRecord: null });
  });

  it('changes nothing for an empty body or only read-only fields', async () => {
    const page = await addPage(mine.ctx);
    clock.advance(1000);
    expect(await changePage(mine.ctx, page.slug, {})).toEqual(page);
    expect(await changePage(mine.ctx, page.slug, { id: 'sp_other', createdAt: 'long ago' })).toEqual(page);
  });

  it('follows the same rules as creating and changes nothing when rejected', async () => {
    const page = await addPage(mine.ctx, { monitors: [await addMonitor(mine.ctx)] });
    const foreign = await addMonitor(other.ctx);
    expect(await refusal(changePage(mine.ctx, page.slug, { name: 'Mine', monitors: [foreign] }))).toEqual([
      'UNKNOWN_MONITOR',
      'monitors.0 unknown_monitor',
    ]);
    for (const body of [{ slug: 'new' }, { theme: { textColor: 'x' } }, { color: 'red' }, { name: null }]) {
      expect((await refusal(changePage(mine.ctx, page.slug, body)))[0]).toBe('VALIDATION_ERROR');
    }
    expect(await readPage(mine.ctx, page.slug)).toEqual(page);
  });
});

describe('deleting', () => {
  it('a page keeps its monitors and frees its slug', async () => {
    const id = await addMonitor(mine.ctx);
    const { slug } = await addPage(mine.ctx, { monitors: [id] });
    expect(await deleteStatusPage(mine.ctx, slug)).toEqual({ message: expect.any(String) });
    expect(await refusal(deleteStatusPage(mine.ctx, slug))).toEqual(['NOT_FOUND']);
    expect(await database.db.monitor.count({ where: { id } })).toBe(1);
  });

  it('a monitor removes it from every page and keeps the order of the others', async () => {
    const [first, second, third] = [
      await addMonitor(mine.ctx),
      await addMonitor(mine.ctx),
      await addMonitor(mine.ctx),
    ];
    const page = await addPage(mine.ctx, { monitors: [third, second, first] });
    const lone = await addPage(mine.ctx, { monitors: [second] });
    await deleteMonitor(mine.ctx, second);
    expect((await readPage(mine.ctx, page.slug)).monitors).toEqual([third, first]);
    expect((await readPage(mine.ctx, lone.slug)).monitors).toEqual([]);
  });

  it('a monitor while it is added to pages leaves no page with a missing monitor', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await addMonitor(mine.ctx);
      const page = await addPage(mine.ctx, { monitors: [id] });
      const tries = await Promise.allSettled([
        addPage(mine.ctx, { monitors: [id] }),
        deleteMonitor(mine.ctx, id),
        changePage(mine.ctx, page.slug, { monitors: [id] }),
        addPage(mine.ctx, { monitors: [id] }),
      ]);
      for (const outcome of tries) {
        if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('UNKNOWN_MONITOR');
      }
      expect((await listPages(mine.ctx)).flatMap((one) => one.monitors)).not.toContain(id);
    }
  });
});

describe('custom domains', () => {
  const verify = (slug: string) =>
    database.db.statusPage.update({ where: { slug }, data: { customDomainVerifiedAt: clock.now() } });

  it('are stored in lower case, with the record that verifies them', async () => {
    const page = await addPage(mine.ctx, { customDomain: ' Status.Acme.test ' });
    expect(page).toMatchObject({
      customDomain: 'status.acme.test',
      customDomainVerified: false,
      customDomainRecord: {
        name: '_pharos.status.acme.test',
        value: expect.stringMatching(/^pharos-verify=[0-9a-f]{40}$/),
      },
    });
    const rival = await addPage(other.ctx, { customDomain: 'status.acme.test' });
    expect(rival.customDomainRecord?.value).not.toBe(page.customDomainRecord?.value);
  });

  it('belong to the page that verified them', async () => {
    const customDomain = 'taken.acme.test';
    const page = await addPage(mine.ctx, { customDomain });
    await verify(page.slug);
    const taken = ['DOMAIN_TAKEN', 'customDomain domain_taken'];
    expect(await refusal(addPage(other.ctx, { customDomain }))).toEqual(taken);
    const rival = await addPage(other.ctx);
    expect(await refusal(changePage(other.ctx, rival.slug, { customDomain }))).toEqual(taken);
    expect(await changePage(mine.ctx, page.slug, { customDomain })).toMatchObject({
      customDomainVerified: true,
    });
  });

  it('have to be verified again when they change', async () => {
    const page = await addPage(mine.ctx, { customDomain: 'old.acme.test' });
    await verify(page.slug);
    expect(await changePage(mine.ctx, page.slug, { customDomain: 'new.acme.test' })).toMatchObject({
      customDomainVerified: false,
      customDomainRecord: { name: '_pharos.new.acme.test', value: page.customDomainRecord?.value },
    });
  });

  it('require the pro plan; a page keeps its domain after a downgrade', async () => {
    const { ctx, organizationId } = await begin('pro');
    const page = await addPage(ctx, { customDomain: 'kept.acme.test' });
    await changePlan(createTestServices({ db: database.db, clock }), organizationId, 'free');
    expect(await refusal(addPage(ctx, { customDomain: 'more.acme.test' }))).toEqual(['PLAN_LIMIT_EXCEEDED']);
    expect(await refusal(changePage(ctx, page.slug, { customDomain: 'more.acme.test' }))).toEqual([
      'PLAN_LIMIT_EXCEEDED',
    ]);
    expect(await changePage(ctx, page.slug, { ...page, name: 'Store' })).toMatchObject({
      name: 'Store',
      customDomain: 'kept.acme.test',
    });
    expect(await changePage(ctx, page.slug, { customDomain: null })).toMatchObject({ customDomain: null });
  });
});

describe('an organization', () => {
  it('creates exactly as many pages as its plan allows, even concurrently', async () => {
    const { ctx, organizationId } = await begin('free');
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => addPage(ctx)));
    const codes = tries.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'made'));
    expect(codes.filter((code) => code === 'made')).toHaveLength(3);
    expect(codes.filter((code) => code === 'PLAN_LIMIT_EXCEEDED')).toHaveLength(17);
    expect(await database.db.statusPage.count({ where: { organizationId } })).toBe(3);
  });

  it('lists its own pages, newest first, in one query', async () => {
    const { ctx } = await begin();
    const monitors = [await addMonitor(ctx), await addMonitor(ctx)];
    const older = await addPage(ctx, { monitors });
    clock.advance(1000);
    const newer = await addPage(ctx);
    const counting = openCountingDatabase(database.url);
    try {
      const read = async () => expect(await listPages({ ...ctx, db: counting.db })).toEqual([newer, older]);
      expect(await counting.count(read)).toBe(1);
    } finally {
      await counting.db.$disconnect();
    }
  });

  it('cannot find pages of others', async () => {
    const page = await addPage(mine.ctx);
    for (const slug of [page.slug, 'unknown', 'no\0slug', 'NO SLUG']) {
      expect(await refusal(readPage(other.ctx, slug))).toEqual(['NOT_FOUND']);
      expect(await refusal(changePage(other.ctx, slug, { name: 'Mine' }))).toEqual(['NOT_FOUND']);
      expect(await refusal(changePage(other.ctx, slug, {}))).toEqual(['NOT_FOUND']);
      expect(await refusal(deleteStatusPage(other.ctx, slug))).toEqual(['NOT_FOUND']);
    }
    expect(await readPage(mine.ctx, page.slug)).toEqual(page);
  });

  it('can read but not write with a read-only key', async () => {
    const page = await addPage(mine.ctx);
    const actor = { kind: 'key', keyId: 'key_read', scope: 'read' } as const;
    const reader = { ...mine.ctx, actor };
    expect(await readPage(reader, page.slug)).toEqual(page);
    expect(await refusal(addPage(reader))).toEqual(['FORBIDDEN']);
    expect(await refusal(changePage(reader, page.slug, { name: 'Mine' }))).toEqual(['FORBIDDEN']);
    expect(await refusal(deleteStatusPage(reader, page.slug))).toEqual(['FORBIDDEN']);
  });
});
