import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Suspensions } from '@/lib/core/time/suspensions';
import { isDelivered } from '@/lib/domain/webhooks/send-delivery';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import type { FinishedAttempt } from '@/lib/engine/deliveries/record-attempts';
import type { FinishedMail } from '@/lib/engine/mail/claim-mail';
import type { RecordingObserver } from '@/lib/engine/runtime/batch-recorder';
import type { JobObserver } from '@/lib/engine/timetable/run-timetable';

/** What a worker process counts about its work. */
export type EngineMetrics = ReturnType<typeof createEngineMetrics>;

/** What the engine tells about itself when it is asked. */
type Watched = {
  recording(): { pending: number; oldestMs: number | null };
  freeCheckSlots(): number;
  suspensions: Pick<Suspensions, 'count' | 'stalls'>;
};

const LATENESS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const MAIL_OUTCOMES = { done: 'sent', failed: 'failed', retry: 'retrying' } as const;
const BATCH_ITEMS = [1, 5, 10, 50, 100, 200, 500];

/** Creates the metrics of a worker in a registry. None has a label whose values users choose, except the IDs of own regions. */
export function createEngineMetrics(registry: Registry) {
  const registers = [registry];
  const checks = new Counter({
    name: 'pharos_checks_total',
    help: 'Finished checks, by region, type of monitor and outcome',
    labelNames: ['region', 'type', 'outcome'],
    registers,
  });
  const lateness = new Histogram({
    name: 'pharos_check_lateness_seconds',
    help: 'How long after it was due a check began',
    labelNames: ['region'],
    buckets: LATENESS_SECONDS,
    registers,
  });
  const attempts = new Counter({
    name: 'pharos_delivery_attempts_total',
    help: 'Attempts to deliver an event, by format and outcome: delivered, retrying or failed',
    labelNames: ['format', 'outcome'],
    registers,
  });
  const mails = new Counter({
    name: 'pharos_mail_attempts_total',
    help: 'Attempts to send an email, by outcome: sent, retrying or failed',
    labelNames: ['outcome'],
    registers,
  });
  const batches = new Histogram({
    name: 'pharos_batch_items',
    help: 'How many items were recorded in one batch, by their kind',
    labelNames: ['kind'],
    buckets: BATCH_ITEMS,
    registers,
  });
  const observe = <Item>(added: (item: Item) => void): RecordingObserver<Item> => ({
    added,
    written: (kind, items) => batches.observe({ kind }, items),
  });
  return {
    checks: observe<FinishedCheck>(({ check: { monitor, dueAt }, startedAt, result: { outcome } }) => {
      checks.inc({ region: monitor.region, type: monitor.target.type, outcome });
      const lateMs = Math.max(0, startedAt.getTime() - dueAt.getTime());
      lateness.observe({ region: monitor.region }, lateMs / 1000);
    }),
    attempts: observe<FinishedAttempt>(({ delivery, outcome, end }) => {
      const isOver = end?.status === 'failed';
      attempts.inc({
        format: delivery.endpoint?.format ?? 'deleted',
        outcome: isDelivered(outcome) ? 'delivered' : isOver ? 'failed' : 'retrying',
      });
    }),
    mails: observe<FinishedMail>(({ end }) => mails.inc({ outcome: MAIL_OUTCOMES[end.end] })),
    jobs: countJobs(registers),
    /** Reads the rest from the engine whenever metrics are read. */
    watch: (watched: Watched): void => watchEngine(registry, watched),
  };
}

function countJobs(registers: Registry[]): JobObserver {
  const count = (name: string, help: string) => new Counter({ name, help, labelNames: ['job'], registers });
  const runs = count('pharos_timetable_runs_total', 'Runs of the jobs of the timetable');
  const errors = count('pharos_timetable_errors_total', 'Runs of these jobs that failed');
  const seconds = count('pharos_timetable_seconds_total', 'How long these jobs took in all');
  return {
    ran: (job, { ms, isFailed }) => {
      runs.inc({ job });
      errors.inc({ job }, isFailed ? 1 : 0);
      seconds.inc({ job }, ms / 1000);
    },
  };
}

function watchEngine(registry: Registry, { recording, freeCheckSlots, suspensions }: Watched): void {
  gauge(registry, 'pharos_recording_pending', 'Finished work that is not recorded yet', () => {
    return recording().pending;
  });
  gauge(registry, 'pharos_recording_oldest_seconds', 'How long the oldest of it has been waiting', () => {
    return (recording().oldestMs ?? 0) / 1000;
  });
  gauge(registry, 'pharos_check_slots_free', 'How many more checks can run at the same time', freeCheckSlots);
  const suspended = 'How often the process was suspended: stopped, or on a machine that slept';
  counter(registry, 'pharos_suspensions_total', suspended, suspensions.count);
  const stalled = 'How often the load of the process itself held up its event loop for over a second';
  counter(registry, 'pharos_stalls_total', stalled, suspensions.stalls);
}

function counter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
