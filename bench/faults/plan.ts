import fc from 'fast-check';

const MINUTE_MS = 60_000;

export const REGIONS = ['us-east', 'eu-west', 'ap-southeast'] as const;
export type Region = (typeof REGIONS)[number];

/** How a target treats the checks of some regions, or a receiver every delivery, until a time after the start. */
export type Spell<Mode extends string> = { untilMs: number; mode: Mode };

export type TargetMode = 'ok' | 'error' | 'hang' | 'slow';
export type ReceiverMode = 'accept' | 'refuse' | 'hang' | 'drip';

export type MonitorPlan = {
  /** Its place in the plan, which its name and its target carry. */
  number: number;
  /** Index of its organization. */
  organization: number;
  type: 'http' | 'tcp' | 'dns' | 'ping';
  interval: 30 | 60;
  timeout: number;
  alertThreshold: number;
  recoveryThreshold: number;
  /** Seconds between the checks that confirm a first failure; null: none are made. */
  confirmInterval: number | null;
  regions: Region[];
  /** What each region sees; of types other than http all regions see the same. */
  spells: Record<Region, Spell<TargetMode>[]>;
};

export type EndpointPlan = { organization: number; spells: Spell<ReceiverMode>[] };

/**
 * What a target of each type can do: fail in some regions only, fail in all regions at once, or nothing but work, since this
 * machine's own addresses always respond to a ping.
 */
const SCRIPTS: Record<MonitorPlan['type'], 'by region' | 'in all regions' | 'none'> = {
  http: 'by region',
  tcp: 'in all regions',
  dns: 'in all regions',
  ping: 'none',
};

/** Faults by what they hit: a worker, or all of a region, a web, the launcher, what wakes and resolves, the database, or a row of it. */
export const FAULT_KINDS = [
  'worker killed',
  'worker terminated',
  'worker stalled',
  'worker without network',
  'worker clock jumps',
  'region silent',
  'web killed',
  'web stalled',
  'launcher killed',
  'everything restarted',
  'Inngest gone',
  'Inngest late and twice',
  'resolver dead',
  'poison row',
  'disk full',
  'backend killed',
  'database killed',
  'database stalled',
  'connections cut',
  'database slow',
  'commits unacknowledged',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export type FaultPlan = {
  kind: FaultKind;
  /** Milliseconds after the start. */
  atMs: number;
  /** How long it lasts; for a kill, until the process is started again. */
  durationMs: number;
  /** Chooses among the processes that it can hit. */
  pick: number;
  /** By how much a clock jumps. */
  jumpMs: number;
};

export const OPERATION_KINDS = ['pause', 'resume', 'delete', 'edit', 'maintenance', 'create'] as const;
export type OperationPlan = { kind: (typeof OPERATION_KINDS)[number]; atMs: number; pick: number };

/** How long a maintenance window is, in virtual milliseconds. */
export const MAINTENANCE_MS = 2 * MINUTE_MS;

/** Everything that happens in a run, drawn from its seed. Times are virtual. */
export type Plan = {
  seed: number;
  /** When faults, operations and flapping end; the rest is for recovery. */
  quietMs: number;
  endMs: number;
  monitors: MonitorPlan[];
  endpoints: EndpointPlan[];
  operations: OperationPlan[];
  faults: FaultPlan[];
};

export const ORGANIZATIONS = 2;

/** Every second monitor confirms. */
const CONFIRM_SECONDS = 10;
/** Time at the end without faults, in which everything must become true again. */
const RECOVERY_MS = 4 * MINUTE_MS;
/** Faults begin when every region has reported. */
const WARM_UP_MS = MINUTE_MS;
/** Both, and a moment for a fault. */
const MIN_MINUTES = 7;

/**
 * Draws the plan of a run of `minutes` virtual minutes with `size` monitors and at most `maxFaults` faults of some `kinds`: with
 * fewer, there is more time in which nothing is excused. The same seed gives the same plan.
 */
export function drawPlan({
  seed,
  minutes,
  size,
  kinds = FAULT_KINDS,
  maxFaults = Number.POSITIVE_INFINITY,
}: {
  seed: number;
  minutes: number;
  size: number;
  kinds?: readonly FaultKind[];
  maxFaults?: number;
}): Plan {
  if (minutes < MIN_MINUTES)
    throw new Error(
      `${minutes} virtual minutes are too few: --minutes times --factor must be at least ${MIN_MINUTES}`,
    );
  const endMs = minutes * MINUTE_MS;
  const quietMs = endMs - RECOVERY_MS;
  const [drawn] = fc.sample(planArbitrary({ endMs, quietMs, size, kinds, maxFaults }), { seed, numRuns: 1 });
  if (!drawn) throw new Error('no plan was drawn');
  return { seed, endMs, quietMs, ...drawn };
}

function planArbitrary({
  endMs,
  quietMs,
  size,
  kinds,
  maxFaults,
}: {
  endMs: number;
  quietMs: number;
  size: number;
  kinds: readonly FaultKind[];
  maxFaults: number;
}) {
  const moment = fc.integer({ min: WARM_UP_MS, max: quietMs - MINUTE_MS });
  const count = Math.floor((quietMs - WARM_UP_MS) / MINUTE_MS);
  return fc.record({
    monitors: fc
      .array(monitorArbitrary({ endMs, quietMs }), { minLength: size, maxLength: size })
      .map((monitors) =>
        monitors.map(
          (monitor, number): MonitorPlan => ({
            number,
            confirmInterval: number % 2 === 0 ? null : CONFIRM_SECONDS,
            ...monitor,
          }),
        ),
      ),
    endpoints: fc
      .array(spells<ReceiverMode>({ endMs, quietMs, good: 'accept', bad: ['refuse', 'hang', 'drip'] }), {
        minLength: 2 * ORGANIZATIONS,
        maxLength: 2 * ORGANIZATIONS,
      })
      .map((all) => all.map((own, i): EndpointPlan => ({ organization: i % ORGANIZATIONS, spells: own }))),
    operations: fc.array(
      fc.record({ kind: fc.constantFrom(...OPERATION_KINDS), atMs: moment, pick: fc.nat(10_000) }),
      { minLength: count, maxLength: 2 * count },
    ),
    faults: fc
      .array(
        fc.record({
          kind: fc.constantFrom(...kinds),
          atMs: moment,
          durationMs: fc.integer({ min: 5000, max: MINUTE_MS }),
          pick: fc.nat(10_000),
          jumpMs: fc
            .tuple(fc.constantFrom(-1, 1), fc.integer({ min: 1, max: 120 }))
            .map(([sign, minutes]) => sign * minutes * MINUTE_MS),
        }),
        { minLength: Math.min(maxFaults, Math.ceil(count / 2)), maxLength: Math.min(maxFaults, count) },
      )
      .map((faults) => faults.sort((a, b) => a.atMs - b.atMs)),
  });
}

function monitorArbitrary({ endMs, quietMs }: { endMs: number; quietMs: number }) {
  const flapping = spells<TargetMode>({
    endMs,
    quietMs,
    good: 'ok',
    bad: ['error', 'error', 'hang', 'slow'],
  });
  return fc
    .record({
      organization: fc.nat(ORGANIZATIONS - 1),
      type: fc.constantFrom('http', 'http', 'http', 'tcp', 'dns', 'ping'),
      interval: fc.constantFrom(30, 60),
      timeout: fc.integer({ min: 10, max: 25 }),
      alertThreshold: fc.integer({ min: 1, max: 3 }),
      recoveryThreshold: fc.integer({ min: 1, max: 2 }),
      regions: fc.subarray([...REGIONS], { minLength: 1 }),
      common: flapping,
      /** Of http targets, some regions see something else. */
      others: fc.record({ 'us-east': flapping, 'eu-west': flapping, 'ap-southeast': flapping }),
      isSplit: fc.boolean(),
    })
    .map(({ common, others, isSplit, ...monitor }): Omit<MonitorPlan, 'number' | 'confirmInterval'> => {
      const same = { 'us-east': common, 'eu-west': common, 'ap-southeast': common };
      const script = SCRIPTS[monitor.type];
      const always: Spell<TargetMode>[] = [{ untilMs: endMs, mode: 'ok' }];
      if (script === 'none')
        return { ...monitor, spells: { 'us-east': always, 'eu-west': always, 'ap-southeast': always } };
      return { ...monitor, spells: script === 'by region' && isSplit ? { ...same, ...others } : same };
    });
}

/** Good and bad spells in turn until `quietMs`, then good until the end. */
function spells<Mode extends string>(options: { endMs: number; quietMs: number; good: Mode; bad: Mode[] }) {
  const { endMs, quietMs, good, bad } = options;
  const length = fc.integer({ min: MINUTE_MS / 2, max: 6 * MINUTE_MS });
  return fc
    .array(fc.tuple(length, length, fc.constantFrom(...bad)), {
      minLength: 1,
      maxLength: Math.ceil(quietMs / (2 * MINUTE_MS)),
    })
    .map((turns) => {
      const all: Spell<Mode>[] = [];
      let at = 0;
      for (const [goodMs, badMs, mode] of turns) {
        all.push({ untilMs: at + goodMs, mode: good }, { untilMs: at + goodMs + badMs, mode });
        at += goodMs + badMs;
      }
      const kept = all.filter(({ untilMs }) => untilMs < quietMs);
      return [...kept, { untilMs: endMs, mode: good }] satisfies Spell<Mode>[];
    });
}

/** The mode of a script at a time after the start. */
export function modeAt<Mode extends string>(all: Spell<Mode>[], atMs: number): Mode {
  const spell = all.find(({ untilMs }) => atMs < untilMs) ?? all.at(-1);
  if (!spell) throw new Error('a script needs a spell');
  return spell.mode;
}
