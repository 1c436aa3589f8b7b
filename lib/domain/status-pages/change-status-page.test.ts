import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { changePlan } from '@/lib/domain/organizations/change-organization';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { deleteStatusPage } from './change-status-page';
import { addMonitor, addPage, changePage, listPages, readPage, refusal } from './testing/pages';

const database = useSharedDatabase();
const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
let mine: TestOrganization;
let other: TestOrganization;

const begin = (plan: 'free' | 'pro' | 'enterprise' = 'enterprise') =>
  createTestOrganization(createTestServices({ db: database.db, clock }), { plan });

beforeAll(async () => {
  mine = await begin();
  other = await begin();
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
      version: 2,
      published: true,
      theme: { primaryColor: '#111111', backgroundColor: '#0a0a0a', textColor: '#222222' },
      updatedAt: clock.now().toISOString(),
    });
    expect(await readPage(mine.ctx, page.slug)).toEqual(changed);
  });

  it('counts another window of uptimes as a version, and null as the default', async () => {
    const page = await addPage(mine.ctx, {});
    expect(page.uptimeDays).toBe(90);
    const change = (uptimeDays: 30 | 60 | 90 | null) => changePage(mine.ctx, page.slug, { uptimeDays });
    expect(await change(30)).toMatchObject({ uptimeDays: 30, version: 2 });
    expect(await change(30)).toMatchObject({ uptimeDays: 30, version: 2 });
    expect(await change(null)).toMatchObject({ uptimeDays: 90, version: 3 });
  });

  it('counts another appearance as a version, and null as the default', async () => {
    const page = await addPage(mine.ctx, { appearance: 'light' });
    expect(page.appearance).toBe('light');
    const change = (appearance: 'dark' | null) => changePage(mine.ctx, page.slug, { appearance });
    expect(await change('dark')).toMatchObject({ appearance: 'dark', version: 2 });
    expect(await change('dark')).toMatchObject({ appearance: 'dark', version: 2 });
    expect(await change(null)).toMatchObject({ appearance: 'automatic', version: 3 });
    expect(await refusal(changePage(mine.ctx, page.slug, { appearance: 'sepia' }))).toEqual([
      'VALIDATION_ERROR',
      'appearance invalid_value',
    ]);
  });

  it('counts other websites that may frame it as a version, and null as none', async () => {
    const page = await addPage(mine.ctx, { embedOrigins: ['https://A.example'] });
    expect(page.embedOrigins).toEqual(['https://a.example']);
    const change = (embedOrigins: string[] | null) => changePage(mine.ctx, page.slug, { embedOrigins });
    expect(await change(['*'])).toMatchObject({ embedOrigins: ['*'], version: 2 });
    expect(await change(['*'])).toMatchObject({ embedOrigins: ['*'], version: 2 });
    expect(await change(null)).toMatchObject({ embedOrigins: [], version: 3 });
  });

  it('accepts a fetched page unchanged, and null for optional fields', async () => {
    const page = await addPage(mine.ctx, {
      description: 'Everything',
      logoUrl: 'https://acme.test/logo.png',
      customDomain: 'whole.acme.test',
    });
    expect(await changePage(mine.ctx, page.slug, { ...page, id: 'sp_other', name: 'Store' })).toEqual({
      ...page,
      version: 2,
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
      const attempts = await Promise.allSettled([
        addPage(mine.ctx, { monitors: [id] }),
        deleteMonitor(mine.ctx, id),
        changePage(mine.ctx, page.slug, { monitors: [id] }),
        addPage(mine.ctx, { monitors: [id] }),
      ]);
      for (const outcome of attempts) {
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
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => addPage(ctx)));
    const codes = attempts.map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.code : 'created',
    );
    expect(codes.filter((code) => code === 'created')).toHaveLength(3);
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
