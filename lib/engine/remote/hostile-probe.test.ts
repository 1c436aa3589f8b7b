import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { createProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { ExchangeError } from './exchange';
import { isSnapshot } from './foreign-values';
import { OPERATIONS, type OperationName } from './protocol';
import { createSecretKeys } from './sealed-secrets';
import { connectDirectly } from './testing/remote-story';

const database = useTestDatabase();

async function connect() {
  const services = createTestServices({ db: database.db });
  const { token } = await createProbeToken(services, { region: 'eu-west', name: 'Test' });
  return connectDirectly(services, { token });
}

const PHASES = { dns: 1, connect: 1, tls: null, firstByte: 1, transfer: 1 };
const FAILED = { code: 'timeout', message: 'too slow', detail: 'no response' };
const CHECK = {
  id: 'mon_none',
  configVersion: 1,
  startedAt: 1_790_000_000_000,
  outcome: 'failed',
  responseTime: 3,
  statusCode: 503,
  error: FAILED,
  phases: PHASES,
};
const SEEN = {
  certificateExpiresAt: null,
  certificateIssuer: 'an issuer',
  bodySize: 3,
  networkFailure: false,
};

/** A request of each operation that is served. */
async function validInputs(): Promise<Record<OperationName, object>> {
  const { publicKey } = await createSecretKeys();
  const judgedAgoMs = 0;
  const shown = { responseTime: 3, statusCode: 503, errorCode: 'timeout', errorMessage: 'too slow' };
  return {
    hello: {},
    register: {},
    renew: {},
    announceLeaving: {},
    forget: {},
    beat: {
      snapshot: '5:9:5,7',
      dueSince: null,
      judgedAgoMs,
      own: [{ shard: 1, epoch: 1 }],
      waitMs: 0,
      machine: { id: 'machine', host: 'host.test' },
      startedAt: 1,
      cutOffAt: 1,
      pendingMs: 1,
      statistics: { version: '1.0.0', checksPerSecond: 1, latenessMs: 1, backlog: 1 },
    },
    takeFree: { limit: 1, judgedAgoMs },
    load: { shards: [1], ids: ['mon_none'], publicKey },
    release: { shards: [1] },
    areOwned: { shards: [1] },
    prune: { judgedAgoMs },
    takeRequests: { limit: 1, waitMs: 0, publicKey },
    storeManualCheck: {
      checkId: 'none',
      checkedAt: 1,
      outcome: 'failed',
      findings: { ...shown, phases: PHASES },
    },
    storeDryRun: { id: 'none', result: { region: 'eu-west', outcome: 'failed', ...shown } },
    record: {
      batch: randomUUID(),
      isRepeated: false,
      results: [{ ...CHECK, ...SEEN, shard: 1, epoch: 1, evidence: null }],
    },
    recordLate: { results: [CHECK], lost: 0 },
  };
}

/** What no program of ours sends. */
const HOSTILE: unknown[] = sized(['\0', '99999999999999999999999:1:', 1e300], {
  thorough: ['\0', 'x\ud800', '99999999999999999999999:1:', -1, 2 ** 53 - 1, 1e300, 0.5, null, [], {}],
});

/** The same value with each of its parts replaced, one at a time. */
function* replaced(value: unknown, part: unknown): Generator<unknown> {
  yield part;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, own] of Object.entries(value)) {
    for (const other of replaced(own, part)) {
      if (Array.isArray(value)) yield value.with(Number(name), other);
      else yield { ...value, [name]: other };
    }
  }
}

/** What came of a request: `served`, `refused` as the probe's own fault, or the fault of the service. */
function outcomeOf(sent: Promise<unknown>): Promise<string> {
  return sent.then(
    () => 'served',
    (error: unknown) => (error instanceof ExchangeError ? 'refused' : `failed: ${error}`),
  );
}

describe('a request of a probe', () => {
  it.each(Object.keys(OPERATIONS) as OperationName[])(
    '%s is never the fault of the service, whatever is in it',
    async (name) => {
      const { send } = await connect();
      const { [name]: valid } = await validInputs();
      const outcomes = new Set<string>();
      for (const part of HOSTILE) {
        for (const input of replaced(valid, part)) outcomes.add(await outcomeOf(send(name, input)));
      }
      expect([...outcomes].filter((outcome) => outcome.startsWith('failed'))).toEqual([]);
      expect(outcomes).toContain('refused');
    },
  );

  it.each([
    ['zeros', Buffer.alloc(32)],
    [
      'a point of small order',
      Buffer.from('e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800', 'hex'),
    ],
    ['31 bytes', Buffer.alloc(31, 1)],
  ])('is refused with %s as the key that secrets are sealed to', async (_, key) => {
    const { send } = await connect();
    const publicKey = key.toString('base64');
    expect(await outcomeOf(send('load', { shards: [], publicKey }))).toBe('refused');
    expect(await outcomeOf(send('takeRequests', { limit: 1, waitMs: 0, publicKey }))).toBe('refused');
  });
});

it.each([
  '1:1:',
  '5:9:',
  '5:9:5,7',
  '5:9:5,8',
  '1:9223372036854775807:',
  '0:1:',
  '1:0:',
  '9:5:',
  '5:9:9',
  '5:9:4',
  '5:9:7,5',
  '5:9:,5',
  '5:9',
  '::',
  '5:9:5,,7',
  '99999999999999999999:1:',
  '-5:9:',
  '5:9:x',
  '5:9:5:7',
  '',
])('a snapshot that passes is one for PostgreSQL: %s', async (text) => {
  const read = database.db.$queryRaw`SELECT ${text}::pg_snapshot::text AS snapshot`;
  const isRead = await read.then(
    () => true,
    () => false,
  );
  expect(isSnapshot(text)).toBe(isRead);
});
