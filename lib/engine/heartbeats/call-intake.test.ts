import { describe, expect, it, onTestFinished } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import type { SeenBody } from '@/lib/checks/evidence';
import { createToken, hashToken, openToken } from '@/lib/domain/monitors/heartbeats/heartbeat-token';
import { createMonitors } from '@/lib/domain/monitors/writes/create-monitors';
import { createDatabase } from '@/lib/platform/db/client';
import { isDatabaseUnavailable } from '@/lib/platform/db/unavailable';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit } from '@/lib/testing/races';
import { createTestServices } from '@/lib/testing/services';
import { createBatches, createCallIntake, TooManyCallsError } from './call-intake';
import { beginCalls, outputOf } from './testing/call-story';

const database = useTestDatabase();
const JOBS = sized(60, { thorough: 300 });

/** Several heartbeats of one organization, with an intake. */
async function begin(jobs: number) {
  const story = await beginCalls(database.db, { period: 3600 });
  const { services, ctx, organizationId } = story;
  const config = createMonitorSchema.parse({ name: 'Job', type: 'heartbeat', period: 3600 });
  const item = { creation: () => config, changes: () => ({}), listTexts: () => [], ref: null, expected: [] };
  const items = Array.from({ length: jobs - 1 }, () => item);
  if (items.length > 0) await createMonitors(ctx, items, { isAtomic: true, isUpsert: false });
  const rows = await database.db.monitor.findMany({ where: { organizationId } });
  const tokens = rows.map(({ id, heartbeatTokenSealed }) =>
    openToken(services.keyring, id, heartbeatTokenSealed ?? new Uint8Array()),
  );
  const intake = createCallIntake(services);
  const call = (token: string, output: SeenBody | null = null) =>
    intake.receive({
      kind: 'success',
      rid: null,
      at: services.clock.now().getTime(),
      message: null,
      output,
      tokenHash: hashToken(token),
    });
  return { ...story, ctx, tokens, call };
}

/** In how many transactions the last calls of an organization were recorded. */
async function countTransactions(organizationId: string): Promise<number> {
  const rows = await database.db.$queryRaw<{ count: number }[]>`
    SELECT count(DISTINCT heartbeat.xmin::text)::int AS count
      FROM heartbeat JOIN monitor ON monitor.id = monitor_id WHERE organization_id = ${organizationId}`;
  return rows[0]?.count ?? 0;
}

describe('a burst of calls', () => {
  it('is recorded in a few transactions, unknown tokens among them', async () => {
    const { tokens, call, organizationId } = await begin(JOBS);
    const unknown = Array.from({ length: 50 }, (_, place) => String(place).padStart(32, 'x'));
    const [known, others] = await Promise.all([
      Promise.all(tokens.map((token) => call(token))),
      Promise.all(unknown.map((token) => call(token))),
    ]);
    expect(known).toEqual(tokens.map(() => true));
    expect(others).toEqual(unknown.map(() => false));
    const operational = { monitor: { organizationId }, status: 'operational' } as const;
    expect(await database.db.monitorState.count({ where: operational })).toBe(JOBS);
    expect(await countTransactions(organizationId)).toBeLessThanOrEqual(4);
  });

  it('that continues is recorded in batches that begin some time apart', async () => {
    const batches: { size: number; at: number }[] = [];
    const call = { kind: 'success' as const, rid: null, at: 0, message: null, output: null };
    const callTimes = (times: number) =>
      Promise.all(Array.from({ length: times }, () => receive({ ...call, tokenHash: new Uint8Array(1) })));
    let meanwhile: Promise<unknown> = Promise.resolve();
    const { receive } = createBatches(
      async (calls) => {
        batches.push({ size: calls.length, at: performance.now() });
        if (calls.length === 19) meanwhile = callTimes(20);
        return calls.map(() => true);
      },
      { busyWaitMs: 500 },
    );
    await callTimes(20);
    await meanwhile;
    expect(
      batches.map(({ size }) => size),
      'the first at once',
    ).toEqual([1, 19, 20]);
    const [, many, next] = batches.map(({ at }) => at);
    // Measured a little after the batch began.
    expect((next ?? 0) - (many ?? 0)).toBeGreaterThan(400);
  });

  it('is recorded without a call that cannot be: one bad row does not hold up the others', async () => {
    const { tokens, call, services, organizationId } = await begin(3);
    const [first = '', ...rest] = tokens;
    await database.db.$executeRaw`
      UPDATE monitor SET number = -1 WHERE heartbeat_token_hash = ${hashToken(first)}`;
    await database.db.$executeRaw`
      ALTER TABLE raw.check_result ADD CONSTRAINT no_negative CHECK (monitor >= 0)`;
    onTestFinished(async () => {
      await database.db.$executeRaw`ALTER TABLE raw.check_result DROP CONSTRAINT no_negative`;
    });
    const outcomes = await Promise.allSettled([call(rest[0] ?? ''), call(first), call(rest[1] ?? '')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const operational = { monitor: { organizationId }, status: 'operational' } as const;
    expect(await services.db.monitorState.count({ where: operational })).toBe(2);
  });

  it('beyond what can be recorded in time is refused', async () => {
    const { tokens, call } = await begin(1);
    const outcomes = await Promise.allSettled(Array.from({ length: 5500 }, () => call(tokens[0] ?? '')));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(500);
    for (const outcome of refused) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(TooManyCallsError);
    }
  });
});

/** More than the outputs that are kept together. */
const MANY = sized(300, { thorough: 1000 });

it('calls whose outputs together are too large are recorded, the last ones without theirs', async () => {
  const { tokens, call, ctx } = await begin(MANY);
  const output = outputOf('x'.repeat(16 * 1024));
  expect(await Promise.all(tokens.map((token) => call(token, output)))).toEqual(tokens.map(() => true));
  const monitor = { organizationId: ctx.organizationId };
  expect(await database.db.monitorState.count({ where: { monitor, status: 'operational' } })).toBe(MANY);
  expect(await database.db.checkEvidence.count({ where: { monitor } })).toBe(256);
});

it('a call is recorded on a day without a partition, as on a machine suspended for longer than they are created ahead', async () => {
  const { tokens, call, clock } = await begin(1);
  clock.advance(60 * 86_400_000);
  expect(await call(tokens[0] ?? '')).toBe(true);
});

it('the first call of a day does not wait for somebody who reads results', async () => {
  const { tokens, call, clock } = await begin(1);
  await call(tokens[0] ?? '');
  const reader = await holdBeforeCommit(
    database.db,
    (db) => db.$queryRaw`SELECT FROM raw.check_result LIMIT 1`,
  );
  clock.advance(86_400_000);
  expect(await call(tokens[0] ?? '')).toBe(true);
  await reader.release();
});

it('a call while the database is unavailable is rejected as such, and nothing is kept for later', async () => {
  const { services } = await begin(1);
  const away = createDatabase('postgresql://nobody@127.0.0.1:1/none', { poolSize: 1, name: 'none' });
  onTestFinished(() => away.$disconnect());
  const intake = createCallIntake(createTestServices({ db: away }));
  const { heartbeatTokenHash: tokenHash } = createToken(services.keyring, 'mon_1');
  const call = { kind: 'success' as const, rid: null, at: 0, message: null, output: null, tokenHash };
  for (let time = 0; time < 2; time++) {
    const error: unknown = await intake.receive(call).catch((reason: unknown) => reason);
    expect(isDatabaseUnavailable(error)).toBe(true);
  }
});
