/** One way to post the bodies: deliveries a second, and CPU milliseconds for each. */
export type Rate = { perSecond: number; cpuMs: number };

export type Percentiles = { p50: number; p95: number; p99: number; max: number };

/** What a run found. Times in milliseconds where the name does not say otherwise. */
export type Figures = {
  monitors: number;
  /** The target fails all checks in one moment: from the first status change to the last, by the timestamps of their events. */
  changesWithin: number;
  /** What each endpoint is owed. */
  deliveriesPerEndpoint: number;
  /** From the timestamp of the event to the arrival at an endpoint that answers. */
  arrival: Percentiles;
  /** From the failure of the target: with all that comes before the status change. */
  sinceFailure: Percentiles;
  /** At the endpoints that answer. */
  arrived: { deliveries: number; lost: number; duplicates: number; unrecorded: number };
  /** At the endpoint that hangs. */
  hanging: { waiting: number; lost: number };
  /** At one endpoint, at most. */
  triesAtOnce: number;
  rate: Rate & { postgresCpuMs: number };
  connections: { pool: number; open: number; active: number };
  reference: { kept: Rate; fresh: Rate };
};

/** What the engine is held to. */
const LIMITS: { name: string; value(figures: Figures): number; atMost: number }[] = [
  { name: 'arrival p95 (ms)', value: ({ arrival }) => arrival.p95, atMost: 9999 },
  { name: 'arrival p95 since the failure (ms)', value: ({ sinceFailure }) => sinceFailure.p95, atMost: 9999 },
  { name: 'lost deliveries', value: ({ arrived, hanging }) => arrived.lost + hanging.lost, atMost: 0 },
  { name: 'arrived and not recorded', value: ({ arrived }) => arrived.unrecorded, atMost: 0 },
  { name: 'tries at once at one endpoint', value: ({ triesAtOnce }) => triesAtOnce, atMost: 5 },
];

/** The limits that a run broke, in words; none when it kept them. */
export function findBrokenLimits(figures: Figures): string[] {
  const { active, pool } = figures.connections;
  const broken = LIMITS.filter(({ value, atMost }) => !(value(figures) <= atMost)).map(
    ({ name, value, atMost }) => `${name}: ${value(figures).toFixed(0)}; the limit is ${atMost}`,
  );
  return active < pool ? broken : [...broken, `all ${pool} connections of the pool were in use`];
}
