import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { CLOSED } from './testing/fixtures';
import { fieldsOf, rejectionOf } from './testing/rejections';
import { send } from './testing/send';
import { type Backdoor, openBackdoor, type Tenant } from './testing/tenants';

let service: BorrowedService;
let backdoor: Backdoor;
let tenant: Tenant;

beforeAll(async () => {
  service = await borrowService();
  backdoor = await openBackdoor(service);
  tenant = await backdoor.addTenant();
});
afterAll(() => backdoor?.close());

type Result = {
  status: number;
  monitor?: Record<string, unknown> & { id: string };
  error?: { code: string; details?: { path: string; message: string }[] };
};

/** Sends monitors in bulk. */
async function bulk(
  monitors: unknown,
  options: Record<string, unknown> = {},
  { key = tenant.apiKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
) {
  const body = JSON.stringify({ monitors, ...options });
  const response = await send(service, { method: 'POST', path: '/monitors/bulk', key, body, headers });
  return { ...response, results: (response.json as { results?: Result[] } | undefined)?.results ?? [] };
}

const shop = (fields: object = {}) => ({ name: 'Shop', url: CLOSED, enabled: false, ...fields });
const many = (length: number, fields: (index: number) => object = () => ({})) =>
  Array.from({ length }, (_, index) => shop({ name: `Shop ${index}`, ...fields(index) }));
const unique = () => crypto.randomUUID();
const outcomes = (results: Result[]) =>
  results.map(({ status, error }) => (error ? [status, error.code] : status));
const countByRegion = ({ organizationId }: Tenant) =>
  backdoor.db.monitor.count({ where: { organizationId } });

describe('monitors in bulk', () => {
  it('are created as POST /monitors does, in the order sent', async () => {
    const ref = unique();
    const sent = [shop({ name: 'First', headers: { 'X-Token': 'wh1sper' }, ref }), shop({ name: 'Second' })];
    const { status, results } = await bulk(sent);
    expect([status, outcomes(results)]).toEqual([200, [201, 201]]);
    const { body: single } = await tenant.api('POST', '/monitors', shop({ name: 'Second' }));
    const { id, createdAt, updatedAt, statusChangedAt, ...fields } = single;
    expect(results[1]?.monitor).toMatchObject({ ...fields, status: 'pending' });
    expect(results[0]?.monitor).toMatchObject({ name: 'First', ref, headers: { 'X-Token': 'wh1sper' } });
    for (const { monitor } of results) {
      expect((await tenant.api('GET', `/monitors/${monitor?.id}`)).body).toEqual(monitor);
    }
    const created = results.map(({ monitor }) => monitor?.id).toReversed();
    const { body: entries } = await tenant.api('GET', '/audit?limit=3');
    expect(entries).toMatchObject(
      [single.id, ...created].map((each) => ({ action: 'monitor.create', subject: { id: each } })),
    );
  });

  it('begin to be checked', async () => {
    const { results } = await bulk([shop({ enabled: true }), shop({ enabled: true, regions: ['eu-west'] })]);
    for (const { monitor } of results) {
      await expect
        .poll(async () => (await tenant.api('GET', `/monitors/${monitor?.id}`)).body.lastCheckedAt)
        .toEqual(expect.any(String));
    }
  });

  it('stand for themselves: a bad one never holds up a good one', async () => {
    const ref = unique();
    await tenant.api('POST', '/monitors', shop({ ref }));
    const other = unique();
    const { status, results } = await bulk([
      shop(),
      { url: CLOSED, interval: 45 },
      shop({ regions: ['mars'] }),
      shop({ url: 'http://169.254.169.254/' }),
      shop({ ref }),
      shop({ ref: other }),
      shop({ ref: ` ${other} ` }),
      shop({ body: 'x' }),
      shop({ nope: 1 }),
      shop({ version: 1 }),
      null,
      'monitor',
      shop({ name: 'Last' }),
    ]);
    expect([status, outcomes(results)]).toEqual([
      200,
      [
        201,
        [400, 'VALIDATION_ERROR'],
        [400, 'UNKNOWN_REGION'],
        [400, 'BLOCKED_TARGET'],
        [409, 'REF_TAKEN'],
        201,
        [409, 'REF_TAKEN'],
        [400, 'VALIDATION_ERROR'],
        [400, 'VALIDATION_ERROR'],
        [400, 'VALIDATION_ERROR'],
        [400, 'VALIDATION_ERROR'],
        [400, 'VALIDATION_ERROR'],
        201,
      ],
    ]);
    expect(results[1]?.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'The request is not valid: name, interval.',
      details: [
        { path: 'name', code: 'required', message: 'is required' },
        {
          path: 'interval',
          code: 'invalid_value',
          message: 'must be one of 30, 60, 120, 180, 300 (seconds)',
        },
      ],
    });
    const paths = results.map(({ error }) => error?.details?.map(({ path }) => path).join());
    expect(paths).toEqual([
      undefined,
      'name,interval',
      'regions.0',
      'url',
      'ref',
      undefined,
      'ref',
      'body',
      'nope',
      'version',
      '',
      '',
      undefined,
    ]);
  });

  it('are created as far as the quota allows', async () => {
    const small = await backdoor.addTenant('free');
    await bulk(many(48), {}, { key: small.apiKey });
    const refused = [403, 'PLAN_LIMIT_EXCEEDED'];
    const { results } = await bulk(
      [shop({ regions: ['ap-southeast'] }), shop({ interval: 1 }), ...many(4)],
      {},
      { key: small.apiKey },
    );
    expect(outcomes(results)).toEqual([refused, [400, 'VALIDATION_ERROR'], 201, 201, refused, refused]);
    expect(await countByRegion(small)).toBe(50);
  });

  it.each([0, 501])('are at least one and at most 500: not %i', async (length) => {
    const before = await countByRegion(tenant);
    const refused = await bulk(many(length));
    expect([rejectionOf(refused), fieldsOf(refused)]).toEqual([[400, 'VALIDATION_ERROR'], ['monitors']]);
    expect(await countByRegion(tenant)).toBe(before);
  });

  it('need the write scope, and take effect once per Idempotency-Key', async () => {
    const { body: reader } = await tenant.api('POST', '/api-keys', { name: 'Reader', scope: 'read' });
    expect(rejectionOf(await bulk(many(1), {}, { key: reader.apiKey }))).toEqual([403, 'FORBIDDEN']);
    const headers = { 'Idempotency-Key': unique() };
    const before = await countByRegion(tenant);
    const first = await bulk(many(3), {}, { headers });
    const second = await bulk(many(3), {}, { headers });
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(await countByRegion(tenant)).toBe(before + 3);
    expect(rejectionOf(await bulk(many(2), {}, { headers }))).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });
});

describe('an atomic bulk', () => {
  const atomic = { atomic: true };

  it('creates all', async () => {
    const { results } = await bulk(many(3), atomic);
    expect(outcomes(results)).toEqual([201, 201, 201]);
  });

  it.each([
    ['an invalid field', shop({ name: '' }), [400, 'VALIDATION_ERROR'], 'monitors.3.name'],
    ['an unknown region', shop({ regions: ['mars'] }), [400, 'UNKNOWN_REGION'], 'monitors.3.regions.0'],
    ['a blocked target', shop({ url: 'http://169.254.169.254/' }), [400, 'BLOCKED_TARGET'], 'monitors.3.url'],
    ['no object', 7, [400, 'VALIDATION_ERROR'], 'monitors.3'],
    ['a ref twice', shop({ ref: 'twice' }), [409, 'REF_TAKEN'], 'monitors.3.ref'],
  ])('is rejected as a whole for %s', async (_, bad, rejection, path) => {
    const { apiKey: key, ...small } = await backdoor.addTenant();
    const refused = await bulk([shop({ ref: 'twice' }), ...many(2), bad, shop({ name: '' })], atomic, {
      key,
    });
    expect(rejectionOf(refused)).toEqual(rejection);
    expect(fieldsOf(refused)).toEqual([path]);
    expect(await countByRegion({ ...small, apiKey: key })).toBe(0);
  });

  it('is rejected as a whole beyond the quota, and keeps that response for its Idempotency-Key', async () => {
    const small = await backdoor.addTenant('free');
    const options = { key: small.apiKey, headers: { 'Idempotency-Key': unique() } };
    const refused = await bulk(many(51), atomic, options);
    expect(rejectionOf(refused)).toEqual([403, 'PLAN_LIMIT_EXCEEDED']);
    expect(fieldsOf(refused)).toEqual(['monitors.50']);
    const again = await bulk(many(51), atomic, options);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([refused.text, 'true']);
    expect(await countByRegion(small)).toBe(0);
    expect((await bulk(many(50), atomic, { key: small.apiKey })).status).toBe(200);
  });
});

describe('a bulk with upsert', () => {
  const upsert = { upsert: true };

  it('changes what exists, and creates what does not', async () => {
    const [ref, other] = [unique(), unique()];
    const { body: monitor } = await tenant.api('POST', '/monitors', shop({ ref, interval: 300 }));
    const { results } = await bulk(
      [
        { ref, name: 'Store' },
        shop({ ref: other }),
        { ref, name: 'Again' },
        { ref: other, name: 'Again' },
        shop(),
        { name: 'Without a ref' },
      ],
      upsert,
    );
    expect(outcomes(results)).toEqual([
      200,
      201,
      [409, 'REF_TAKEN'],
      [400, 'VALIDATION_ERROR'],
      201,
      [400, 'VALIDATION_ERROR'],
    ]);
    expect(results[0]?.monitor).toMatchObject({ id: monitor.id, name: 'Store', interval: 300, version: 2 });
  });

  it('refuses a stale version, a conflict of fields and a hidden value, each for itself', async () => {
    const refs = [unique(), unique(), unique(), unique()];
    await bulk(refs.map((ref) => shop({ ref })));
    await bulk([{ ref: refs[0], name: 'Changed' }], upsert);
    const { results } = await bulk(
      [
        { ref: refs[0], name: 'Stale', version: 1 },
        { ref: refs[1], type: 'tcp' },
        { ref: refs[2], headers: { 'X-Token': '[hidden]' } },
        { ref: refs[3], name: 'Current', version: 1 },
      ],
      upsert,
    );
    expect(outcomes(results)).toEqual([
      [409, 'CONFLICT'],
      [400, 'VALIDATION_ERROR'],
      [400, 'VALIDATION_ERROR'],
      200,
    ]);
  });

  it('never changes the monitor of another organization', async () => {
    const ref = unique();
    const { body: own } = await tenant.api('POST', '/monitors', shop({ ref }));
    const stranger = await backdoor.addTenant();
    const { results } = await bulk([{ ref, name: 'Theirs' }, shop({ ref })], upsert, {
      key: stranger.apiKey,
    });
    expect(outcomes(results)).toEqual([[400, 'VALIDATION_ERROR'], 201]);
    expect((await tenant.api('GET', `/monitors/${own.id}`)).body).toEqual(own);
  });

  it('is idempotent by itself: what did not change keeps its version and audit log', async () => {
    const { api, apiKey: key } = await backdoor.addTenant();
    const monitors = many(20, (index) => ({ ref: `shop-${index}` }));
    await bulk(monitors, upsert, { key });
    const { body: before } = await api('GET', '/audit?limit=1');
    const { results } = await bulk(monitors, { ...upsert, atomic: true }, { key });
    expect(results.map(({ status, monitor }) => [status, monitor?.version])).toEqual(
      Array(20).fill([200, 1]),
    );
    expect((await api('GET', '/audit?limit=1')).body).toEqual(before);
    const whole = results.map(({ monitor }) => monitor);
    expect(outcomes((await bulk(whole, upsert, { key })).results)).toEqual(Array(20).fill(200));
  });
});
