import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Evidence, NO_EVIDENCE } from '@/lib/checks/evidence';
import { createManualClock } from '@/lib/core/time/clock';
import type { Actor } from '@/lib/domain/context/organization-context';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { ownMonitor } from '@/lib/domain/monitors/find-monitor';
import { copyMonitor } from '@/lib/domain/monitors/testing/history';
import { FAILED } from '@/lib/engine/testing/story';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { type EvidenceKind, evidenceQuerySchema, evidenceSchema } from '@/lib/schemas/monitor/evidence';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { evidenceQuery, listEvidence, readCompared } from './read-evidence';
import { sealEvidence } from './sealed-evidence';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const MINUTE = 60_000;
const SEEN: Evidence = {
  ...NO_EVIDENCE,
  address: '192.0.2.1',
  addresses: ['192.0.2.1'],
  redirects: [{ statusCode: 302, location: 'https://example.com/reset?token=t0ken' }],
  statusLine: 'HTTP/1.1 503 Out of order',
  headers: { 'content-type': 'text/plain', 'x-request': 'abc' },
  body: { text: 'pa55word', size: 8, truncated: false, type: 'text/plain', encoding: null },
};

const database = useTestDatabase();
let mine: TestOrganization;

beforeAll(async () => {
  mine = await createTestOrganization(createTestServices({ db: database.db, clock: createManualClock(NOW) }));
});

const addMonitor = async () =>
  (await createMonitor(mine.ctx, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test' }))).id;

async function keep(
  monitorId: string,
  { minutesAgo = 0, region = 1, kind = 'failure' as EvidenceKind } = {},
) {
  const { id, content } = await sealEvidence(mine.ctx.keyring, FAILED, () => SEEN);
  const checkedAt = new Date(NOW.getTime() - minutesAgo * MINUTE);
  await database.db.checkEvidence.create({
    data: { id, monitorId, region, kind, checkedAt, contentSealed: content },
  });
  return id;
}

const list = (id: string, query: object = {}, actor: Actor = mine.ctx.actor) =>
  listEvidence({ ...mine.ctx, actor }, id, evidenceQuerySchema.parse(query));

const user = (role: 'owner' | 'admin' | 'member' | 'viewer'): Actor => ({
  kind: 'user',
  userId: 'usr_1',
  role,
});
const key = (scope: 'read' | 'write'): Actor => ({ kind: 'key', keyId: 'key_1', scope });

describe('the evidence of a monitor', () => {
  it('is returned with everything that was seen', async () => {
    const monitor = await addMonitor();
    const id = await keep(monitor);
    const { items, next } = await list(monitor);
    expect(next).toBeNull();
    expect(items).toEqual([
      {
        id,
        checkedAt: NOW.toISOString(),
        region: 'us-east',
        kind: 'failure',
        responseTime: 12,
        statusCode: 503,
        phases: FAILED.phases,
        errorCode: 'status',
        errorMessage: 'responded with 503, expected 200',
        ...SEEN,
      },
    ]);
    expect(evidenceSchema.parse(items[0])).toEqual(items[0]);
  });

  it.each([
    ['an owner', user('owner'), true],
    ['an admin', user('admin'), true],
    ['a member', user('member'), true],
    ['a viewer', user('viewer'), false],
    ['a key that writes', key('write'), true],
    ['a key that only reads', key('read'), false],
  ] as const)('shows %s what secrets of the monitor they see: %o', async (_, actor, seesAll) => {
    const monitor = await addMonitor();
    await keep(monitor);
    const [item] = (await list(monitor, {}, actor)).items;
    const { headers, redirects, body, ...rest } = SEEN;
    expect(item).toMatchObject(rest);
    expect(item).toMatchObject(
      seesAll
        ? { headers, redirects, body }
        : {
            headers: { 'content-type': 'text/plain', 'x-request': '[hidden]' },
            redirects: [{ statusCode: 302, location: 'https://example.com/[hidden]' }],
            body: { ...body, text: '[hidden]' },
          },
    );
    expect(/t0ken|pa55word|abc/.test(JSON.stringify(item))).toBe(seesAll);
  });

  it('is NOT_FOUND for other organizations, and of unknown monitors', async () => {
    const monitor = await addMonitor();
    await keep(monitor);
    const { ctx } = await createTestOrganization(createTestServices(database));
    const query = evidenceQuerySchema.parse({});
    await expect(listEvidence(ctx, monitor, query)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(list('mon_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await list(await addMonitor())).items).toEqual([]);
  });

  it('comes newest first, in pages, by region and kind', async () => {
    const monitor = await addMonitor();
    for (const minutesAgo of [3, 1, 2]) {
      for (const region of [1, 2]) await keep(monitor, { minutesAgo, region });
    }
    const seen = [];
    let cursor: Awaited<ReturnType<typeof list>>['next'] | undefined;
    do {
      const page = await listEvidence(mine.ctx, monitor, { limit: 4, cursor: cursor ?? undefined });
      seen.push(...page.items);
      cursor = page.next;
    } while (cursor);
    const places = seen.map(({ checkedAt, region }) => `${checkedAt.slice(14, 16)} ${region}`);
    expect(places).toEqual(
      ['59', '58', '57'].flatMap((minute) => [`${minute} eu-west`, `${minute} us-east`]),
    );
    const inEurope = (await list(monitor, { region: 'eu-west', kind: 'failure' })).items;
    expect(inEurope.map(({ region }) => region)).toEqual(['eu-west', 'eu-west', 'eu-west']);
    expect((await list(monitor, { kind: 'good' })).items).toEqual([]);
  });

  it('of another version or another key does not hide the rest', async () => {
    const monitor = await addMonitor();
    const good = await keep(monitor, { minutesAgo: 3 });
    const write = (id: string, content: Uint8Array<ArrayBuffer>, minutesAgo: number) =>
      database.db.checkEvidence.create({
        data: {
          id,
          monitorId: monitor,
          region: 1,
          kind: 'failure',
          contentSealed: content,
          checkedAt: new Date(NOW.getTime() - minutesAgo * MINUTE),
        },
      });
    const next = JSON.stringify({
      statusLine: 'HTTP/3 200',
      body: { text: 'x', color: 'red' },
      mood: 'fine',
    });
    await write('evd_next', mine.ctx.keyring.sealBytes(deflateSync(next), 'evd_next'), 2);
    await write('evd_lost', new Uint8Array([1, 2, 3]), 1);
    const { items } = await list(monitor);
    expect(items.map(({ id }) => id)).toEqual(['evd_lost', 'evd_next', good]);
    expect(items[0]).toMatchObject({
      body: null,
      errorMessage: expect.stringMatching(/cannot be decrypted/),
    });
    expect(items[1]).toMatchObject({ statusLine: 'HTTP/3 200', body: { text: 'x', size: 0 }, addresses: [] });
    expect(items[1]).not.toHaveProperty('mood');
  });

  it('of the last failure comes with the last success before it, of the same region if there is one', async () => {
    const monitor = await addMonitor();
    expect(await readCompared(mine.ctx, monitor)).toBeNull();
    const alone = await keep(monitor, { minutesAgo: 9, region: 2 });
    expect(await readCompared(mine.ctx, monitor)).toMatchObject({ seen: { id: alone }, good: null });
    const own = await keep(monitor, { minutesAgo: 8, region: 1, kind: 'good' });
    const other = await keep(monitor, { minutesAgo: 7, region: 2, kind: 'recovery' });
    for (const [region, good] of [
      [1, own],
      [2, other],
      [3, other],
    ] as const) {
      const failure = await keep(monitor, { minutesAgo: 6 - region, region });
      expect(await readCompared(mine.ctx, monitor)).toMatchObject({
        seen: { id: failure },
        good: { id: good },
      });
    }
    await keep(monitor, { minutesAgo: 0, kind: 'recovery' });
    const seen = await readCompared({ ...mine.ctx, actor: user('viewer') }, monitor);
    expect(seen).toMatchObject({
      seen: { body: { text: '[hidden]' } },
      good: { body: { text: '[hidden]' } },
    });
  });

  it('of a chosen check comes instead, with the success before it, while it is kept and of this monitor', async () => {
    const monitor = await addMonitor();
    const good = await keep(monitor, { minutesAgo: 4, kind: 'good' });
    const earlier = await keep(monitor, { minutesAgo: 3 });
    const recovery = await keep(monitor, { minutesAgo: 2, kind: 'recovery' });
    const last = await keep(monitor, { minutesAgo: 1 });
    const readSeen = async (chosen?: string) => {
      const { seen, good: before } = (await readCompared(mine.ctx, monitor, chosen)) ?? {};
      return [seen?.id, before?.id];
    };
    expect(await readSeen()).toEqual([last, recovery]);
    expect(await readSeen(earlier)).toEqual([earlier, good]);
    expect(await readSeen(recovery)).toEqual([recovery, good]);
    const foreign = await keep(await addMonitor());
    for (const unknown of [foreign, 'evd_0']) expect(await readSeen(unknown)).toEqual([last, recovery]);
  });

  it('is read from the index, however much others have', async () => {
    const monitor = await addMonitor();
    await copyMonitor(database.db, monitor, 200);
    const content = new Uint8Array(500);
    await database.db.$executeRaw`
      INSERT INTO check_evidence (id, monitor_id, region, checked_at, kind, content_sealed)
      SELECT concat('evd_', monitor.id, '_', n), monitor.id, 1, ${NOW}::timestamptz - n * interval '1 minute', 'failure', ${content}
        FROM monitor, generate_series(1, 60) AS n WHERE organization_id = ${mine.organizationId}`;
    await database.db.$executeRawUnsafe('VACUUM ANALYZE check_evidence');
    const { steps, pages } = await explain(
      database.db,
      evidenceQuery(ownMonitor('id', mine.ctx, monitor), { limit: 10 }),
    );
    const read = steps.filter(({ relation }) => relation === 'check_evidence');
    expect(read.map(({ type }) => type)).toEqual(['Index Scan']);
    expect(pages).toBeLessThan(30);
  });
});
