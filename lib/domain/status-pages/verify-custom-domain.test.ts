import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { changePlan } from '@/lib/domain/organizations/change-organization';
import { serveDns } from '@/lib/platform/net/testing/dns-server';
import { ACCESS_DEFAULTS } from '@/lib/schemas/status-pages/access';
import { BRAND_DEFAULTS } from '@/lib/schemas/status-pages/brand-defaults';
import { type StatusPage, statusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { createStatusPage, deleteStatusPage, updateStatusPage } from './change-status-page';
import { addPage, changePage, newSlug, readPage, SETTINGS } from './testing/pages';
import { verifyCustomDomain } from './verify-custom-domain';

const DAY = 86_400_000;
const START = new Date('2026-03-10T12:00:00.000Z');
const database = useSharedDatabase();
const clock = createManualClock(START);
const WITHOUT_PROOF = { ...SETTINGS, needsProof: false };
let mine: TestOrganization;
let other: TestOrganization;
let count = 0;

/** The TXT records of this test's DNS, by name. No other names exist; `broken` names cannot be looked up. */
let records: Map<string, string[]>;
let broken: Set<string>;
let dnsServers: string[];

beforeAll(async () => {
  const services = createTestServices({ db: database.db, clock });
  mine = await createTestOrganization(services);
  other = await createTestOrganization(services);
});
beforeEach(async () => {
  clock.set(START);
  records = new Map();
  broken = new Set();
  const { server } = await serveDns(({ name }) => {
    if (broken.has(name)) return { rcode: 'SERVFAIL' };
    const texts = records.get(name);
    if (!texts) return { rcode: 'NXDOMAIN' };
    return { answers: texts.map((data) => ({ type: 'TXT', name, data })) };
  });
  dnsServers = [server];
});

const newDomain = () => {
  count += 1;
  return `status-${count}.acme.test`;
};

/** Publishes the records that these pages require. */
function publish(...pages: StatusPage[]): void {
  for (const { customDomainStatus } of pages) {
    const { name = '', value = '' } = customDomainStatus.record ?? {};
    records.set(name, [...(records.get(name) ?? []), value]);
  }
}

const verify = async (slug: string, { ctx } = mine) => {
  const page = await verifyCustomDomain(ctx, slug, { ...SETTINGS, dnsServers });
  expect(statusPageSchema.parse(page)).toEqual(page);
  return page.customDomainStatus;
};
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'fine',
    (error) => error.code,
  );

describe('verifying a custom domain', () => {
  it('returns the record and the error, and verifies the domain once the record exists', async () => {
    const customDomain = newDomain();
    const page = await addPage(mine.ctx, { customDomain });
    const todo = {
      record: {
        name: `_pharos.${customDomain}`,
        type: 'TXT',
        value: expect.stringMatching(/^pharos-verify=[0-9a-f]{40}$/),
      },
      pointTo: { name: customDomain, type: 'CNAME', value: 'pharos.example.com' },
    };
    const pending = { ...todo, status: 'pending', checkedAt: null, verifiedAt: null, error: null };
    expect(page.customDomainStatus).toEqual(pending);

    expect(await verify(page.slug)).toEqual({
      ...pending,
      checkedAt: START.toISOString(),
      error: `_pharos.${customDomain} does not exist in DNS yet.`,
    });
    records.set(`_pharos.${customDomain}`, ['something else']);
    expect(await verify(page.slug)).toMatchObject({
      status: 'pending',
      error: expect.stringMatching(/value/),
    });

    publish(page);
    clock.advance(60_000);
    const now = clock.now().toISOString();
    const verified = { ...todo, status: 'verified', checkedAt: now, verifiedAt: now, error: null };
    expect(await verify(page.slug)).toEqual(verified);
    expect(await readPage(mine.ctx, page.slug)).toMatchObject({
      customDomainVerified: true,
      customDomainStatus: verified,
      updatedAt: page.updatedAt,
    });
    clock.advance(DAY);
    expect(await verify(page.slug)).toMatchObject({ checkedAt: clock.now().toISOString(), verifiedAt: now });
  });

  it('keeps it while its record is missing, with a deadline, and loses it after 3 days', async () => {
    const page = await addPage(mine.ctx, { customDomain: newDomain() });
    publish(page);
    await verify(page.slug);
    records.clear();
    const missing = { status: 'verified', verifiedAt: START.toISOString(), error: /missing since .*3 days/ };
    expect(await verify(page.slug)).toMatchObject({
      ...missing,
      error: expect.stringMatching(missing.error),
    });
    broken.add(page.customDomainStatus.record?.name ?? '');
    clock.advance(10 * DAY);
    expect(await verify(page.slug)).toMatchObject({
      status: 'verified',
      error: expect.stringMatching(/SERVFAIL/),
    });
    broken.clear();
    expect(await verify(page.slug)).toMatchObject({
      status: 'lost',
      verifiedAt: null,
      error: expect.stringMatching(/until the record is found again/),
    });
    publish(page);
    expect(await verify(page.slug)).toMatchObject({ status: 'verified', error: null });
  });

  it('does nothing for a page without a domain', async () => {
    const page = await addPage(mine.ctx);
    const none = { record: null, pointTo: null, checkedAt: null, verifiedAt: null, error: null };
    expect(await verify(page.slug)).toEqual({ status: 'none', ...none });
    expect(await readPage(mine.ctx, page.slug)).toEqual(page);
  });

  it('starts over with another domain and has no status without one', async () => {
    const page = await addPage(mine.ctx, { customDomain: newDomain() });
    publish(page);
    await verify(page.slug);
    const moved = await changePage(mine.ctx, page.slug, { customDomain: newDomain() });
    expect(moved.customDomainStatus).toMatchObject({ status: 'pending', checkedAt: null, verifiedAt: null });
    const cleared = await changePage(mine.ctx, page.slug, { customDomain: null });
    expect(cleared.customDomainStatus.status).toBe('none');
    const row = await database.db.statusPage.findUniqueOrThrow({ where: { slug: page.slug } });
    expect(row).toMatchObject({ domainNextCheckAt: null, domainPendingSince: null, domainCheckedAt: null });
  });

  it('is rejected on a plan without domains, except for a verified domain', async () => {
    const services = createTestServices({ db: database.db, clock });
    const small = await createTestOrganization(services, { plan: 'pro' });
    const kept = await addPage(small.ctx, { customDomain: newDomain() });
    const pending = await addPage(small.ctx, { customDomain: newDomain() });
    publish(kept, pending);
    await verify(kept.slug, small);
    await changePlan(services, small.organizationId, 'free');
    expect(await codeOf(verify(pending.slug, small))).toBe('PLAN_LIMIT_EXCEEDED');
    expect(await verify(kept.slug, small)).toMatchObject({ status: 'verified' });
    expect((await readPage(small.ctx, pending.slug)).customDomainStatus.status).toBe('pending');
  });

  it('cannot find pages of others and requires write permission', async () => {
    const { slug } = await addPage(mine.ctx, { customDomain: newDomain() });
    expect(await codeOf(verify(slug, other))).toBe('NOT_FOUND');
    expect(await codeOf(verify('unknown'))).toBe('NOT_FOUND');
    const actor = { kind: 'key', keyId: 'key_read', scope: 'read' } as const;
    expect(await codeOf(verify(slug, { ...mine, ctx: { ...mine.ctx, actor } }))).toBe('FORBIDDEN');
  });
});

describe('a domain claimed by two organizations', () => {
  const rivals = async () => {
    const customDomain = newDomain();
    const first = await addPage(mine.ctx, { customDomain });
    const second = await addPage(other.ctx, { customDomain });
    return { customDomain, first, second };
  };

  it('goes to the first that verifies it, and to the other once the first gives it up', async () => {
    const { first, second } = await rivals();
    publish(first, second);
    expect(await verify(second.slug, other)).toMatchObject({ status: 'verified' });
    expect(await verify(first.slug)).toMatchObject({
      status: 'taken',
      verifiedAt: null,
      error: expect.stringMatching(/another status page has already verified/),
    });
    await deleteStatusPage(other.ctx, second.slug);
    expect(await verify(first.slug)).toMatchObject({ status: 'verified', error: null });
  });

  it('goes to exactly one when both verify it concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { customDomain, first, second } = await rivals();
      publish(first, second);
      const statuses = await Promise.all([
        verify(first.slug),
        verify(second.slug, other),
        verify(first.slug),
        verify(second.slug, other),
      ]);
      const kinds = statuses.map(({ status }) => status);
      expect(kinds.filter((kind) => kind === 'verified')).toHaveLength(2);
      expect(kinds.filter((kind) => kind === 'taken')).toHaveLength(2);
      const owners = { customDomain, customDomainVerifiedAt: { not: null } };
      expect(await database.db.statusPage.count({ where: owners })).toBe(1);
    }
  });
});

describe('without proof (CUSTOM_DOMAIN_VERIFY=off)', () => {
  const make = ({ ctx }: TestOrganization, customDomain: string | null) =>
    createStatusPage(
      ctx,
      {
        name: 'Acme',
        slug: newSlug(),
        description: null,
        monitors: [],
        sections: [],
        published: true,
        logoUrl: null,
        appearance: 'automatic',
        embedOrigins: [],
        showResponseTimes: false,
        uptimeDays: 90,
        automaticIncidents: { show: 'immediately', afterMinutes: null },
        ...ACCESS_DEFAULTS,
        allowedCidrs: [],
        customDomain,
        ...BRAND_DEFAULTS,
        theme: { primaryColor: '#111111', backgroundColor: '#111111', textColor: '#111111' },
      },
      WITHOUT_PROOF,
    );

  it('a domain is verified immediately, new or changed, and nobody else can use it', async () => {
    const [one, two] = [newDomain(), newDomain()];
    const page = await make(mine, one);
    expect(page.customDomainStatus).toMatchObject({ status: 'verified', verifiedAt: START.toISOString() });
    const moved = await updateStatusPage(mine.ctx, page.slug, { customDomain: two }, WITHOUT_PROOF);
    expect(moved.customDomainStatus).toMatchObject({ status: 'verified' });
    expect(await codeOf(make(other, two))).toBe('DOMAIN_TAKEN');
    expect((await make(other, one)).customDomainStatus.status).toBe('verified');
  });

  it('goes to exactly one of several concurrent requests', async () => {
    const customDomain = newDomain();
    const bare = await make(other, null);
    const codes = await Promise.all([
      codeOf(make(mine, customDomain)),
      codeOf(make(other, customDomain)),
      codeOf(updateStatusPage(other.ctx, bare.slug, { customDomain }, WITHOUT_PROOF)),
    ]);
    expect(codes.toSorted()).toEqual(['DOMAIN_TAKEN', 'DOMAIN_TAKEN', 'fine']);
    expect(await database.db.statusPage.count({ where: { customDomain } })).toBe(1);
  });
});
