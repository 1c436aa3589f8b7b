import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/clock';
import { createLogger } from '@/lib/core/logger';
import { createDatabase } from '@/lib/db/client';
import { startHeartbeat } from '@/lib/engine/heartbeat';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { readHealth } from './health';

const database = useTestDatabase();

describe('health', () => {
  it('is ok while a worker is seen, and names the engine when none is', async () => {
    const clock = createManualClock(new Date('2026-03-01T12:00:00.000Z'));
    const services = createTestServices({ db: database.db, clock });
    expect(await readHealth(services)).toEqual({ status: 'unavailable', missing: ['engine'] });

    const log = createLogger('silent', 'test');
    const heartbeat = await startHeartbeat(services, { workerId: 'wrk_test', regions: ['us-east'], log });
    expect(await readHealth(services)).toEqual({ status: 'ok' });
    clock.advance(12_001);
    expect(await readHealth(services)).toEqual({ status: 'unavailable', missing: ['engine'] });
    await heartbeat.stop();
    expect(await database.db.worker.count()).toBe(0);
  });

  it('names the database as well when it does not answer', async () => {
    const db = createDatabase('postgresql://nobody:x@127.0.0.1:9/none', { poolSize: 1, name: 'test' });
    expect(await readHealth(createTestServices({ db }))).toEqual({
      status: 'unavailable',
      missing: ['database', 'engine'],
    });
    await db.$disconnect();
  });
});
