import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { readRegionPresence, recordPresence } from '@/lib/domain/monitors/silence';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { startHeartbeat } from './heartbeat';

const database = useTestDatabase();
const log = createLogger('silent', 'test');
const START = new Date('2026-03-01T12:00:00.000Z');
const secondsLater = (seconds: number) => new Date(START.getTime() + seconds * 1000);

describe('when a region was last served by a live worker', () => {
  beforeEach(() => database.db.regionPresence.deleteMany());

  const make = () => {
    const clock = createManualClock(START);
    return { clock, services: createTestServices({ db: database.db, clock }) };
  };

  it('is known for every region ever served, and no other', async () => {
    const { services } = make();
    expect(await readRegionPresence(services)).toEqual(new Map());
    const heartbeat = await startHeartbeat(services, {
      workerId: 'wrk_one',
      regions: ['us-east', 'eu-west'],
      log,
    });
    expect(await readRegionPresence(services)).toEqual(
      new Map([
        ['eu-west', START],
        ['us-east', START],
      ]),
    );
    await heartbeat.stop();
  });

  it('is kept after a worker stopped, and after a dead one was removed', async () => {
    const { clock, services } = make();
    const stopped = await startHeartbeat(services, { workerId: 'wrk_stopped', regions: ['us-east'], log });
    await database.db.worker.create({
      data: { id: 'wrk_dead', regions: ['ap-southeast'], startedAt: START, seenAt: START },
    });
    await recordPresence(services, { regions: ['ap-southeast'], duties: 'all' });
    await stopped.stop();
    clock.advance(60_000);
    const living = await startHeartbeat(services, { workerId: 'wrk_living', regions: ['eu-west'], log });
    expect(await database.db.worker.findMany({ select: { id: true } })).toEqual([{ id: 'wrk_living' }]);
    expect(await readRegionPresence(services)).toEqual(
      new Map([
        ['us-east', START],
        ['ap-southeast', START],
        ['eu-west', secondsLater(60)],
      ]),
    );
    await living.stop();
  });

  it('is the latest time of several workers, whichever writes last', async () => {
    const { clock, services } = make();
    const behind = createTestServices({ db: database.db, clock: createManualClock(START) });
    clock.advance(3_000);
    const beats = Array.from({ length: 20 }, (_, beat) =>
      beat % 2 === 0
        ? recordPresence(services, { regions: ['us-east', 'eu-west'], duties: 'all' })
        : recordPresence(behind, { regions: ['eu-west', 'us-east'], duties: 'all' }),
    );
    await Promise.all(beats);
    expect(await readRegionPresence(services)).toEqual(
      new Map([
        ['eu-west', secondsLater(3)],
        ['us-east', secondsLater(3)],
      ]),
    );
  });

  it('is recorded separately from a worker’s duties', async () => {
    const { services } = make();
    const probe = await startHeartbeat(services, {
      workerId: 'wrk_probe',
      regions: ['us-east'],
      duties: 'probe',
      log,
    });
    const worker = await database.db.worker.findUniqueOrThrow({ where: { id: 'wrk_probe' } });
    expect(worker.duties).toBe('probe');
    await probe.stop();
  });
});
