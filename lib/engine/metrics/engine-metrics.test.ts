import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createResultRecorder } from '@/lib/engine/checks/recording/record-results';
import { createAttemptRecorder, finishAttempt } from '@/lib/engine/deliveries/record-attempts';
import { beginDeliveryStory, claimDue } from '@/lib/engine/testing/delivery-story';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { useTestDatabase } from '@/lib/testing/database';
import { createEngineMetrics } from './engine-metrics';

const database = useTestDatabase();
const log = createLogger('silent', 'test');

/** The lines of a metric, without its help. */
async function readLines(registry: Registry, name: string): Promise<string[]> {
  const text = await registry.getSingleMetricAsString(name);
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

it('checks are counted by region, type and outcome, with how late they began and how many were recorded at once', async () => {
  const registry = new Registry();
  const metrics = createEngineMetrics(registry);
  const story = await beginStory(database.db);
  await story.addMonitor({ regions: ['us-east', 'eu-west'] });
  const taken = [...(await story.take('us-east')), ...(await story.take('eu-west'))];
  const recorder = createResultRecorder({ ...story.services, log }, log, metrics.checks);
  await Promise.all(
    taken.map((check) => {
      const isFirst = check.monitor.region === 'us-east';
      const startedAt = new Date(check.dueAt.getTime() + (isFirst ? 80 : 700));
      return recorder.add({ check, startedAt, result: isFirst ? OK : FAILED });
    }),
  );
  expect(await readLines(registry, 'pharos_checks_total')).toEqual(
    expect.arrayContaining([
      'pharos_checks_total{region="us-east",type="http",outcome="ok"} 1',
      'pharos_checks_total{region="eu-west",type="http",outcome="failed"} 1',
    ]),
  );
  expect(await readLines(registry, 'pharos_check_lateness_seconds')).toEqual(
    expect.arrayContaining([
      'pharos_check_lateness_seconds_bucket{le="0.05",region="us-east"} 0',
      'pharos_check_lateness_seconds_bucket{le="0.1",region="us-east"} 1',
      'pharos_check_lateness_seconds_bucket{le="0.5",region="eu-west"} 0',
      'pharos_check_lateness_seconds_bucket{le="1",region="eu-west"} 1',
    ]),
  );
  expect(await readLines(registry, 'pharos_batch_items')).toContain(
    'pharos_batch_items_sum{kind="results"} 2',
  );
});

it('attempts are counted by format and outcome', async () => {
  const registry = new Registry();
  const metrics = createEngineMetrics(registry);
  const story = await beginDeliveryStory(database.db, { url: 'http://receiver.test', requests: [] });
  await story.emit();
  const [delivery] = await claimDue(story.engine.services, 'wrk_test');
  if (!delivery) throw new Error('nothing is due');
  const recorder = createAttemptRecorder(story.engine.services, log, metrics.attempts);
  const now = story.clock.now();
  const outcome = { kind: 'unsent' as const, error: 'refused' };
  await recorder.add(finishAttempt(delivery, outcome, { sentAt: now, at: now }));
  expect(await readLines(registry, 'pharos_delivery_attempts_total')).toEqual([
    'pharos_delivery_attempts_total{format="standard",outcome="retrying"} 1',
  ]);
});

it('jobs of the timetable are counted by name, with their errors and how long they took', async () => {
  const registry = new Registry();
  const { jobs } = createEngineMetrics(registry);
  jobs.ran('stories', { ms: 1500, isFailed: false });
  jobs.ran('stories', { ms: 500, isFailed: true });
  jobs.ran('digests', { ms: 250, isFailed: false });
  const read = (name: string) => readLines(registry, `pharos_timetable_${name}_total`);
  expect([await read('runs'), await read('errors'), await read('seconds')]).toEqual([
    ['pharos_timetable_runs_total{job="stories"} 2', 'pharos_timetable_runs_total{job="digests"} 1'],
    ['pharos_timetable_errors_total{job="stories"} 1', 'pharos_timetable_errors_total{job="digests"} 0'],
    ['pharos_timetable_seconds_total{job="stories"} 2', 'pharos_timetable_seconds_total{job="digests"} 0.25'],
  ]);
});

it('what is not recorded yet and the free slots are read when they are asked for', async () => {
  const registry = new Registry();
  const metrics = createEngineMetrics(registry);
  let pending = 3;
  metrics.watch({
    recording: () => ({ pending, oldestMs: 1500 }),
    freeCheckSlots: () => 40,
    suspensions: { count: () => 2, stalls: () => 5 },
  });
  expect(await readLines(registry, 'pharos_recording_pending')).toEqual(['pharos_recording_pending 3']);
  pending = 0;
  expect(await readLines(registry, 'pharos_recording_pending')).toEqual(['pharos_recording_pending 0']);
  expect(await readLines(registry, 'pharos_recording_oldest_seconds')).toEqual([
    'pharos_recording_oldest_seconds 1.5',
  ]);
  expect(await readLines(registry, 'pharos_check_slots_free')).toEqual(['pharos_check_slots_free 40']);
  for (const _ of ['read', 'again']) {
    expect(await readLines(registry, 'pharos_suspensions_total')).toEqual(['pharos_suspensions_total 2']);
    expect(await readLines(registry, 'pharos_stalls_total')).toEqual(['pharos_stalls_total 5']);
  }
});
