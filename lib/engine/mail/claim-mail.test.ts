import { expect, it } from 'vitest';
import { claimQuery } from '@/lib/platform/db/claims';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { MAIL } from './claim-mail';

const database = useTestDatabase();

it('claims of a long backlog by its index, reading a few pages', async () => {
  const { db } = database;
  const now = new Date('2026-03-10T12:00:00.000Z');
  await db.$executeRaw`
    INSERT INTO mail (id, kind, recipient, content_sealed, priority, next_attempt_at, created_at)
    SELECT 'mail_' || n, 'test', 'ada@example.com', 'sealed', n % 2, ${now}::timestamptz - make_interval(secs => n), ${now}
      FROM generate_series(1, 20000) AS n`;
  await db.$executeRawUnsafe('VACUUM ANALYZE mail');
  const claim = { limit: 5, now, workerId: 'wrk_a', scope: undefined };
  const { steps, pages } = await explain(db, claimQuery(MAIL, claim));
  expect(steps.map(({ index }) => index)).toContain('mail_claim');
  expect(pages).toBeLessThan(150);
});
