import type { Engine } from '@/lib/engine/create-engine';
import type { DrainFunction } from '../drain-function';
import { checkShardDue } from '../events';

/**
 * Runs the scheduled checks of a region, from when it is first woken until the worker stops. Each of the `events`
 * of a sweep can reach another worker; those that run checks share them.
 */
export function runScheduledChecks(
  engine: Pick<Engine, 'startChecks' | 'runsChecks' | 'dueAt'>,
  { app, region, events }: { app: string; region: string; events: number },
): DrainFunction {
  const id = 'check-shard';
  const due = checkShardDue(region);
  return {
    drain: {
      id: `${app}/${id}`,
      run: async () => engine.startChecks(region),
      neglectedSince: async () => (engine.runsChecks(region) ? null : engine.dueAt.checks(region)),
    },
    wakes: (sweep) =>
      Array.from({ length: events }, (_, place) => due.create({}, { id: `${sweep.id} ${region} ${place}` })),
    build: (client) =>
      client.createFunction({ id, retries: 0, triggers: [due] }, () => engine.startChecks(region)),
  };
}
