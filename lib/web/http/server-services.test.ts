import { describe, expect, it, vi } from 'vitest';
import { createDatabaseClock } from '@/lib/platform/db/database-clock';
import { useSharedDatabase } from '@/lib/testing/database';
import { shareWithRoutes } from './process-shared';
import { getWeb } from './server-services';

const database = useSharedDatabase();

describe('the routes of a web process', () => {
  it('have the clock that its server has measured, from the first request on', async () => {
    vi.stubEnv('DATABASE_URL', database.url);
    vi.stubEnv('SECRET_KEY', 'a key for tests that is long enough to be accepted');
    const clock = createDatabaseClock(database.db);
    shareWithRoutes({ clock });
    const { services, counting } = getWeb();
    expect(services.clock).toBe(clock);
    await Promise.all([services.db.$disconnect(), counting.end()]);
  });
});
