import { z } from 'zod';
import { PROBE_ERROR_CODES } from '@/lib/checks/result';
import type { RequestedDryRun } from '@/lib/engine/checks/requested/run-dry-runs';
import type { ClaimedManualCheck } from '@/lib/engine/checks/requested/run-manual-checks';
import type { ScheduledMonitor } from '@/lib/engine/checks/shards/scheduled-monitor';
import { LOAD_BATCH } from '@/lib/engine/checks/shards/shard-store';
import { checkResultSchema, dryRunSchema, OUTCOMES } from '@/lib/schemas/monitor/result';
import { SHARDS } from '@/lib/state/schedule-grid';
import { isSnapshot, isStorable } from './foreign-values';
import { isUsableKey } from './sealed-secrets';

/** Where probes reach a web process: one path below it per operation. A change that older probes do not understand gets the next number. */
export const PROBE_PATH = '/probe/v1/';

/** The longest that a report waits for news before its response, in milliseconds: a third of a lease, with room for a slow link. */
export const MAX_WAIT_MS = 3000;
/** The most that a web process reads of a request. */
export const MAX_REQUEST_BYTES = 16 * 1024 * 1024;
export const MAX_RESULTS = 500;
/** A late result began no longer ago: an hour offline, and an hour until the service is reached and has taken it. */
export const MAX_LATE_MS = 2 * 3_600_000;
export const MAX_JUDGED_AGO_MS = 600_000;
/** Compressed. */
const MAX_EVIDENCE_BYTES = 256 * 1024;

/** Smaller bodies are not compressed: they fit into one packet anyway. */
export const WORTH_COMPRESSING_BYTES = 1000;

const epoch = z.int().nonnegative();
const shard = z
  .int()
  .min(0)
  .max(SHARDS - 1);
const lease = z.object({ shard, epoch });
const leases = z.array(lease).max(SHARDS);
const shards = z.array(shard).max(SHARDS);
const monitorId = z.string().max(64);
const milliseconds = z.number().min(0).max(1e15);
/**
 * How long ago the others are judged as of, in milliseconds: what kept a probe from the service may have kept them from the database.
 * Bounded, so that a probe cannot keep the dead alive.
 */
const judgedAgoMs = z.number().min(0).max(MAX_JUDGED_AGO_MS);
/** As `pg_snapshot` reads it. */
const snapshot = z.string().max(100_000).refine(isSnapshot, 'must be a snapshot of PostgreSQL');
const nothing = z.object({});
const count = z.object({ count: z.int() });

const phase = z.int().min(0).max(1e7).nullable();
const text = z.string().max(2000);

/** The result of a check, as a probe sends it. `evidence` is what it saw: JSON, deflated, in base64. */
export const wireResultSchema = z.object({
  id: monitorId,
  configVersion: z.int(),
  ...lease.shape,
  startedAt: milliseconds,
  outcome: z.enum(OUTCOMES),
  responseTime: phase,
  statusCode: z.int().min(0).max(999).nullable(),
  error: z
    .object({
      code: z.enum(PROBE_ERROR_CODES),
      message: text,
      detail: text.optional(),
    })
    .nullable(),
  phases: z.object({ dns: phase, connect: phase, tls: phase, firstByte: phase, transfer: phase }),
  certificateExpiresAt: milliseconds.nullable(),
  certificateIssuer: text.nullable(),
  /** Older probes send none. */
  certificateName: z.string().max(500).nullable().default(null),
  bodySize: z.int().nonnegative().nullable(),
  networkFailure: z.boolean(),
  evidence: z.base64().max(MAX_EVIDENCE_BYTES).nullable(),
});
export type WireResult = z.infer<typeof wireResultSchema>;

/** A late result: what is stored of a check, and nothing of what it saw. */
export const lateResultSchema = wireResultSchema
  .pick({
    id: true,
    configVersion: true,
    startedAt: true,
    outcome: true,
    responseTime: true,
    statusCode: true,
    error: true,
    phases: true,
  })
  .strict();
export type LateResult = z.infer<typeof lateResultSchema>;

/** A monitor as a probe gets it: what its checks need, and when they are due. */
export type WireMonitor = Omit<ScheduledMonitor, 'feed' | 'isOutdated' | 'replacedBy'>;

/**
 * Targets, whose secrets are sealed to the key of the probe. Of a response of the same product over an authenticated connection, only
 * that it is a list of objects is looked at.
 */
const listOf = <Item>() =>
  z.object({
    items: z.array(z.custom<Item>((value) => typeof value === 'object' && value !== null)),
    sealed: z.object({ encapsulated: z.base64(), content: z.base64() }).nullable(),
  });
const monitors = listOf<WireMonitor>();
const manualChecks = listOf<ClaimedManualCheck>();
const dryRuns = listOf<RequestedDryRun>();
/** The X25519 key of a probe process. */
const publicKey = z.base64().length(44).refine(isUsableKey, 'must be a public key of X25519');
const waitMs = z.number().min(0).max(MAX_WAIT_MS);

const policy = z.object({
  mode: z.enum(['public', 'private']),
  allowedCidrs: z.array(z.string()),
});

/** Who reports: shown among the workers of the region. */
const machine = z.object({ id: z.string().max(64), host: z.string().max(255) });

/** How a probe does, shown with it. */
const statistics = z.object({
  version: z
    .string()
    .max(32)
    .regex(/^[\w.+-]+$/),
  /** Over the last minute, like the lateness: how much later than due 99 % of the checks at most began. */
  checksPerSecond: z.number().min(0).max(1e6),
  latenessMs: z.int().min(0).max(1e9).nullable(),
  /** Results that are not delivered yet. */
  backlog: z.int().min(0).max(1e9),
});
export type ProbeStatistics = z.infer<typeof statistics>;

/** What probes ask of a web process. The operations from `register` to `forget` are the methods of `ShardStore`. */
export const OPERATIONS = {
  /** Which region the token is for, and how to check there. */
  hello: {
    input: nothing,
    output: z.object({
      region: z.string(),
      userAgent: z.string(),
      policy,
      /** Whether `recordLate` exists. */
      acceptsLate: z.boolean().default(false),
    }),
  },
  register: { input: nothing, output: z.object({ snapshot: z.string() }) },
  /** Waits for news up to `waitMs`. */
  beat: {
    input: z.object({
      snapshot,
      dueSince: milliseconds.nullable(),
      judgedAgoMs,
      own: leases,
      waitMs,
      machine,
      startedAt: milliseconds,
      cutOffAt: milliseconds.nullable(),
      /** More about its own network. Older probes send none. */
      network: z
        .object({ dropped: z.int().min(0).max(1e9), silentCanaryAt: milliseconds.nullable() })
        .optional(),
      /** How long the oldest result has been waiting to be sent, in milliseconds. */
      pendingMs: milliseconds.nullable(),
      /** Older probes send none. */
      statistics: statistics.optional(),
    }),
    output: z.object({
      beat: z
        .object({
          seenAt: z.number(),
          snapshot: z.string(),
          changed: z.array(z.string()),
          own: leases,
          free: z.int(),
          runners: z.int(),
        })
        .nullable(),
    }),
  },
  renew: { input: nothing, output: z.object({ isKnown: z.boolean() }) },
  takeFree: {
    input: z.object({ limit: z.int().min(0).max(SHARDS), judgedAgoMs }),
    output: z.object({ leases }),
  },
  load: {
    input: z.object({ shards, ids: z.array(monitorId).max(LOAD_BATCH).optional(), publicKey }),
    output: z.object({ monitors }),
  },
  release: { input: z.object({ shards: shards.optional() }), output: nothing },
  announceLeaving: { input: nothing, output: count },
  areOwned: { input: z.object({ shards }), output: z.object({ areOwned: z.boolean() }) },
  prune: { input: z.object({ judgedAgoMs }), output: nothing },
  forget: { input: nothing, output: nothing },
  /** Takes the checks and dry runs that people request in the region; waits for some up to `waitMs`. */
  takeRequests: {
    input: z.object({ limit: z.int().min(0).max(100), waitMs, publicKey }),
    output: z.object({ manualChecks, dryRuns }),
  },
  storeManualCheck: {
    input: z.object({
      checkId: z.string().max(64),
      checkedAt: milliseconds,
      outcome: z.enum(OUTCOMES),
      findings: checkResultSchema.omit({
        checkedAt: true,
        region: true,
        outcome: true,
        trigger: true,
        late: true,
      }),
    }),
    output: nothing,
  },
  storeDryRun: { input: z.object({ id: z.string().max(64), result: dryRunSchema }), output: nothing },
  /** Records results. `isRepeated`: an earlier request with this batch may have recorded them. */
  record: {
    input: z.object({
      batch: z.uuid(),
      isRepeated: z.boolean(),
      results: z.array(wireResultSchema).max(MAX_RESULTS),
    }),
    /** `uncounted`: the places of those that may not have been recorded. */
    output: z.object({ count: z.int(), uncounted: z.array(z.int()).default([]) }),
  },
  /**
   * Adds results to the history that could not be recorded under a lease; can be repeated. `lost`: how many the probe has given up
   * since its last request. Those whose places are in `waiting` are to be sent again later, the others are dealt with.
   */
  recordLate: {
    input: z.object({
      results: z.array(lateResultSchema).max(MAX_RESULTS),
      lost: z.int().nonnegative(),
    }),
    output: z.object({ count: z.int(), waiting: z.array(z.int()) }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export type OperationName = keyof typeof OPERATIONS;
export type Input<Name extends OperationName> = z.infer<(typeof OPERATIONS)[Name]['input']>;
export type Output<Name extends OperationName> = z.infer<(typeof OPERATIONS)[Name]['output']>;

/** Whether a text names an operation. */
export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

/** The body of every request: which probe asks. An instance is one process, from its start to its end. */
export const requestSchema = z.object({
  instance: z.uuid(),
  // PostgreSQL can hold neither, in text or in JSON.
  input: z.unknown().refine(isStorable, 'must not contain NUL or half a surrogate pair'),
});

/** The body of every response, with the time of the service in epoch milliseconds. */
export const responseSchema = z.object({ now: z.number(), output: z.unknown() });
