import { afterAll, beforeAll, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { createId } from '@/lib/core/ids';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { announceRest } from './announce-rest';
import type { MonitorChange } from './change';
import { addressChanges, planNotifications } from './plan';
import { readNotificationFacts } from './read-facts';
import { readMessages } from './read-messages';
import { ancestorOf, changeOf } from './testing/sequence';
import { writePlan } from './write-plan';

const database = useTestDatabase();
let counting: ReturnType<typeof openCountingDatabase>;
beforeAll(() => {
  counting = openCountingDatabase(database.url);
});
afterAll(() => counting.db.$disconnect());

const KINDS = ['outage', 'same cause', 'recovery', 'held'] as const;
const MANY = 50;
type Kind = (typeof KINDS)[number];

async function beginWithoutEndpoints() {
  const services = createTestServices({ db: database.db, mail: true });
  const { ctx, organizationId } = await createTestOrganization(services);
  return {
    services,
    organizationId,
    add: (fields: object) =>
      createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/', ...fields })),
  };
}

/** An organization with endpoints of every kind of reader, one of which has rules. */
async function begin() {
  const { services, organizationId, add } = await beginWithoutEndpoints();
  await add({});
  await add({ format: 'teams', rules: [{ severities: ['critical'] }] });
  await add({ format: 'pagerduty', credentials: { routingKey: 'key' } });
  const now = services.clock.now();
  /** Changes of kinds in turn. */
  const listChanges = (count: number, kinds: readonly Kind[]): MonitorChange[] =>
    Array.from({ length: count }, (_, place): MonitorChange => {
      const kind = kinds[place % kinds.length];
      const id = createId('monitor');
      const url = kind === 'same cause' ? 'http://host.test/' : `http://${id.replace('_', '-')}.test/`;
      const dependsOn = kind === 'held' ? ['gateway'] : [];
      return changeOf(
        id,
        { to: kind === 'recovery' ? 'operational' : 'down' },
        {
          at: now.getTime(),
          monitor: { organizationId, url, dependsOn },
          incidentId: createId('incident'),
          ancestors: kind === 'held' ? [ancestorOf('gateway', true, now.getTime())] : [],
        },
      );
    });
  return {
    /** How many statements notifying takes, how many of these write deliveries, and of how many messages they read what they say. */
    async count(count: number, kinds: readonly Kind[]) {
      const changes = listChanges(count, kinds);
      const all = await counting.count(() =>
        counting.db.$transaction(
          async (tx) => {
            const facts = await readNotificationFacts(tx, services, changes, now);
            const addressed = addressChanges(changes, facts, createId);
            const messages = await readMessages(tx, addressed.events);
            await writePlan(tx, services, planNotifications(addressed, { ...facts, messages }, createId));
          },
          { timeout: 60_000 },
        ),
      );
      const wanted = counting.given('AS wanted (').map(([endpointIds]) => [endpointIds].flat().length);
      return { all, deliveries: counting.seen('INSERT INTO delivery ('), wanted };
    },
  };
}

it.each<[string, readonly Kind[], number]>([
  ['of one kind', ['outage'], 1],
  ['of every kind', KINDS, 4],
])('notifying takes the same number of statements for one change and many %s', async (_, kinds, first) => {
  const { count } = await begin();
  const { wanted, ...few } = await count(first, kinds);
  expect(few.deliveries).toBe(1);
  expect(wanted).toHaveLength(1);
  for (const many of sized([30], { thorough: [100, 2000] })) {
    const { wanted: more, ...statements } = await count(many, kinds);
    expect(statements).toEqual(few);
    expect(more).toHaveLength(1);
  }
});

it.each<[string, Kind, number[]]>([
  ['every outage, if each has its own cause', 'outage', [MANY]],
  ['one of many outages of one cause', 'same cause', [1]],
  ['no outage that is held', 'held', []],
])('what people have read is looked up for %s', async (_, kind, expected) => {
  const { count } = await begin();
  expect((await count(MANY, [kind])).wanted).toEqual(expected);
});

it('of a story, events are read only if people read the rest, and what rules need only for their rules', async () => {
  const { services, organizationId, add } = await beginWithoutEndpoints();
  const story = { organizationId, causes: ['host.test'], changes: [] };
  const announce = () =>
    counting.count(() =>
      counting.db.$transaction((tx) => announceRest(tx, services, story, services.clock.now())),
    );
  const read = () => ({
    events: counting.seen('payload FROM outbox_event'),
    standings: counting.seen('AS named (id)'),
  });
  const rules = [{ severities: ['critical'] }];
  await add({ rules });
  await announce();
  expect(read()).toEqual({ events: 0, standings: 0 });
  await add({ format: 'teams' });
  await announce();
  expect(read()).toEqual({ events: 1, standings: 0 });
  await add({ format: 'slack', rules });
  await announce();
  expect(read()).toEqual({ events: 1, standings: 1 });
});
