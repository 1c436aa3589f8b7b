import type { FaultKind, MonitorPlan, OperationPlan, Plan, Region } from './plan';
import type { Received } from './receivers';
import type { Seen } from './targets';

/**
 * A fault that happened, in virtual milliseconds since the epoch: `from` when it began, `to` when it was over. The machine may
 * add faults of its own.
 */
export type FaultSpan = { kind: FaultKind | 'machine stalled'; object: string; from: number; to: number };

/** A monitor of a run. Times are virtual milliseconds since the epoch. */
export type WatchedMonitor = {
  id: string;
  plan: MonitorPlan;
  createdAt: number;
  deletedAt: number | null;
  /** What a person, or a poison row, did to it: when the request was sent, when the response came, and its status. */
  changes: Change[];
};

export type Change = { kind: OperationPlan['kind'] | 'poison'; from: number; to: number; status: number };

/** A stored result, from the dump. */
export type StoredResult = {
  monitorId: string;
  region: Region;
  /** When the check began. */
  checkedAt: number;
  /** When the transaction that stored it was committed. */
  recordedAt: number;
  outcome: 'ok' | 'failed' | 'unknown';
  responseTime: number | null;
  errorCode: string | null;
};

/** A status change as the API shows it. */
export type ShownTransition = {
  monitorId: string;
  from: string | null;
  to: string;
  at: number;
  decidedAt: number;
  endedAt: number | null;
};

/** A delivery as the API shows it. */
export type ShownDelivery = {
  id: string;
  endpoint: number;
  event: string;
  status: string;
  createdAt: number;
  attempts: number;
};

/** An automatic incident as the API shows it. */
export type ShownIncident = {
  id: string;
  monitorIds: string[];
  severity: string;
  status: string;
  startedAt: number;
  createdAt: number;
  resolvedAt: number | null;
};

/** The part of GET /status-pages/public that is judged. */
export type PublicPage = {
  monitors: {
    id: string;
    name: string;
    uptimePercentage: number;
    days: { date: string; status: string | null; uptimePercentage: number | null }[];
  }[];
};

/** The status page of an organization: as JSON and, with the same monitors in the same order, as HTML. */
export type ShownPage = { organization: number; readAt: number; json: PublicPage; html: string };

/** One response of a web process to GET /api/health, and what is down; `status` is null if there was none. */
export type HealthSample = { web: string; at: number; status: number | null; down: string };

/** Something that may grow, in seconds of real time after the start. */
export type Curve = { name: string; points: { second: number; value: number }[] };

/** Everything that was seen of a run from outside, and all that the checker knows. */
export type Observations = {
  plan: Plan;
  /** The start of the plan's time: everything runs, and the first monitor is created. */
  startedAt: number;
  endedAt: number;
  monitors: WatchedMonitor[];
  /** Uptime in percent over 30 days as the API shows it, by monitor. */
  uptimes: Record<string, number>;
  faults: FaultSpan[];
  seen: Seen[];
  received: Received[];
  /** In the order in which they were recorded. */
  results: StoredResult[];
  /** Where the grid of a monitor lies in a region, in ten-thousandths of its interval, by `monitor region`. */
  phases: Record<string, number>;
  transitions: ShownTransition[];
  deliveries: ShownDelivery[];
  incidents: ShownIncident[];
  pages: ShownPage[];
  health: HealthSample[];
  curves: Curve[];
  /** Lines of level error in the logs that name no object. */
  namelessErrors: string[];
};
