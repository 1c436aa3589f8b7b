import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { changePlan } from '@/lib/domain/organizations/change-organization';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { joinTransaction } from '@/lib/platform/db/client';
import { serveDns } from '@/lib/platform/net/testing/dns-server';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { claimDomains, verifyDueDomains } from './verify-domains';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = new Date('2026-03-10T12:00:00.000Z');
const database = useTestDatabase();
const clock = createManualClock(START);
let organization: TestOrganization;
let records: Set<string>;
let queried: string[];
let dnsServers: string[];

const services = () => createTestServices({ db: database.db, clock });
const verifyDue = () => verifyDueDomains(services(), { needsProof: true, dnsServers });
const statusOf = (id: string) =>
  database.db.statusPage.findUniqueOrThrow({
    where: { id },
    select: { customDomainVerifiedAt: true, domainSetback: true, domainNextCheckAt: true },
  });

beforeAll(async () => {
  organization = await createTestOrganization(services(), { plan: 'pro' });
});
beforeEach(async () => {
  await database.db.statusPage.deleteMany();
  clock.set(START);
  records = new Set();
  queried = [];
  const { server } = await serveDns(({ name }) => {
    queried.push(name);
    const value = [...records].find((record) => record.startsWith(`${name} `))?.split(' ')[1];
    return value ? { answers: [{ type: 'TXT', name, data: value }] } : { rcode: 'NXDOMAIN' };
  });
  dnsServers = [server];
});

async function addDomain(customDomain: string, { isPublished = true } = {}): Promise<string> {
  const { id, customDomainRecord } = await addPage(organization.ctx, { customDomain });
  if (isPublished) records.add(`${customDomainRecord?.name} ${customDomainRecord?.value}`);
  return id;
}

it('verifies a domain automatically within minutes of its record', async () => {
  const id = await addDomain('auto.acme.test', { isPublished: false });
  expect([await verifyDue(), await verifyDue()]).toEqual([1, 0]);
  expect(await statusOf(id)).toMatchObject({ customDomainVerifiedAt: null });
  const { customDomain, domainToken } = await database.db.statusPage.findUniqueOrThrow({ where: { id } });
  records.add(`_pharos.${customDomain} pharos-verify=${domainToken}`);
  clock.advance(5 * MINUTE);
  expect(await verifyDue()).toBe(1);
  expect(await statusOf(id)).toMatchObject({ customDomainVerifiedAt: clock.now() });
});

it('checks again every day, and takes a page down only after 3 days without its record', async () => {
  const [kept, lost] = [await addDomain('kept.acme.test'), await addDomain('lost.acme.test')];
  await verifyDue();
  for (const record of records) if (record.startsWith('_pharos.lost.')) records.delete(record);
  queried = [];
  let takenDownAfter: number | null = null;
  for (let hour = 4; hour <= 5 * 24; hour += 4) {
    clock.advance(4 * 60 * MINUTE);
    await verifyDue();
    if ((await statusOf(lost)).domainSetback === 'lost') takenDownAfter ??= hour;
  }
  // Missed first after a day.
  expect(takenDownAfter).toBe(4 * 24);
  expect(await statusOf(kept)).toMatchObject({ customDomainVerifiedAt: START });
  expect(queried.filter((name) => name === '_pharos.kept.acme.test')).toHaveLength(5);
});

it('keeps domains while no name server responds', async () => {
  const id = await addDomain('silent.acme.test');
  await verifyDue();
  dnsServers = ['127.0.0.1:9'];
  for (let day = 0; day < 10; day += 1) {
    clock.advance(DAY);
    expect(await verifyDue()).toBe(1);
  }
  expect(await statusOf(id)).toMatchObject({ customDomainVerifiedAt: START });
});

it('verifies each domain once with concurrent workers, a few at a time', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, index) => addDomain(`d${index}.acme.test`)));
  expect((await Promise.all([verifyDue(), verifyDue(), verifyDue()])).reduce((a, b) => a + b)).toBe(12);
  expect(queried).toHaveLength(12);
  expect(new Set(queried).size).toBe(12);
});

it('skips what another worker is claiming, without waiting', async () => {
  await Promise.all(Array.from({ length: 5 }, (_, index) => addDomain(`w${index}.acme.test`)));
  const idsOf = (due: { pageId: string }[]) => due.map(({ pageId }) => pageId);
  const [mine, theirs] = await database.db.$transaction(async (tx) => {
    const taking = await claimDomains({ ...services(), db: joinTransaction(tx) }, 3);
    return [idsOf(taking), idsOf(await claimDomains(services(), 9))];
  });
  expect([mine?.length, theirs?.length]).toEqual([3, 2]);
  expect(new Set([...(mine ?? []), ...(theirs ?? [])]).size).toBe(5);
});

it('claims the longest overdue first, including those of a dead worker', async () => {
  const first = await addDomain('first.acme.test');
  clock.advance(1000);
  const second = await addDomain('second.acme.test');
  const claim = async () => (await claimDomains(services(), 1)).map(({ pageId }) => pageId);
  expect([await claim(), await claim(), await claim()]).toEqual([[first], [second], []]);
  clock.advance(15 * MINUTE);
  expect((await claimDomains(services(), 9)).map(({ pageId }) => pageId).toSorted()).toEqual(
    [first, second].toSorted(),
  );
});

it('verifies no new domain on a plan without custom domains, until the plan changes', async () => {
  const id = await addDomain('planned.acme.test');
  await changePlan(services(), organization.organizationId, 'free');
  await verifyDue();
  expect(queried).toEqual([]);
  await changePlan(services(), organization.organizationId, 'pro');
  clock.advance(5 * MINUTE);
  await verifyDue();
  expect(await statusOf(id)).toMatchObject({ customDomainVerifiedAt: clock.now() });
});
