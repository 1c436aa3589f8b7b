import { afterAll, beforeAll, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import type { MonitorChange } from './change';
import { planNotifications } from './plan';
import { readNotificationFacts } from './read-facts';
import { ancestorOf, changeOf } from './testing/sequence';
import { writePlan } from './write-plan';

const database = useTestDatabase();
let counting: ReturnType<typeof openCountingDatabase>;
beforeAll(() => {
  counting = openCountingDatabase(database.url);
});
afterAll(() => counting.db.$disconnect());

/** An organization with endpoints of every kind of reader, one of which has rules. */
async function begin() {
  const services = createTestServices({ db: database.db, mail: true });
  const { ctx, organizationId } = await createTestOrganization(services);
  const add = (fields: object) =>
    createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/', ...fields }));
  await add({});
  await add({ format: 'teams', rules: [{ severities: ['critical'] }] });
  await add({ format: 'pagerduty', credentials: { routingKey: 'key' } });
  const now = services.clock.now();
  /** Changes in turn: an outage, one of the same cause as others, a recovery, and one that is held. */
  const listChanges = (count: number, kinds: number): MonitorChange[] =>
    Array.from({ length: count }, (_, place): MonitorChange => {
      const kind = place % kinds;
      const id = createId('monitor');
      const url = kind === 1 ? 'http://host.test/' : `http://${id.replace('_', '-')}.test/`;
      const dependsOn = kind === 3 ? ['gateway'] : [];
      return changeOf(
        id,
        { to: kind === 2 ? 'operational' : 'down' },
        {
          at: now.getTime(),
          monitor: { organizationId, url, dependsOn },
          incidentId: createId('incident'),
          ancestors: kind === 3 ? [ancestorOf('gateway', true, now.getTime())] : [],
        },
      );
    });
  return {
    /** How many statements notifying takes, and how many of these write deliveries. */
    async count(count: number, { kinds = 1 } = {}) {
      const changes = listChanges(count, kinds);
      const all = await counting.count(() =>
        counting.db.$transaction(
          async (tx) => {
            const facts = await readNotificationFacts(tx, services, changes, now);
            await writePlan(tx, planNotifications(changes, facts, createId));
          },
          { timeout: 60_000 },
        ),
      );
      return { all, deliveries: counting.seen('INSERT INTO delivery (') };
    },
  };
}

it.each([
  ['of one kind', 1, 1],
  ['of every kind', 4, 4],
])(
  'notifying takes the same number of statements for 1, 100 and 2,000 changes %s',
  async (_, kinds, first) => {
    const { count } = await begin();
    const few = await count(first, { kinds });
    expect(few.deliveries).toBe(1);
    expect(await count(100, { kinds })).toEqual(few);
    expect(await count(2000, { kinds })).toEqual(few);
  },
);
