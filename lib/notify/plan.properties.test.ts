import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchRules } from '@/lib/state/announcements/match-rules';
import { isReadByPeople, isSentAtOnce, type WebhookFormat } from '@/lib/webhook-formats/formats';
import type { EventSubscriber } from './audience';
import type { MonitorChange } from './change';
import { placeOf } from './choose-messages';
import type { NotificationFacts } from './facts';
import type { NotificationPlan } from './plan';
import {
  ancestorOf,
  changeOf,
  createIds,
  endpointOf,
  factsOf,
  listPlaces,
  planBatch,
  ruleOf,
  START,
} from './testing/sequence';

const TAGS = ['a', 'b'];
const FORMATS: WebhookFormat[] = ['standard', 'custom', 'slack', 'teams', 'pagerduty', 'alertmanager'];
const KINDS = ['monitor.down', 'monitor.up', 'monitor.degraded', 'incident.created', 'incident.resolved'];

/** Mostly the usual value. */
const mostly = <Value extends string>(usual: Value, ...others: Value[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const endpoints = fc
  .array(
    fc.record({
      format: fc.constantFrom(...FORMATS),
      events: fc.uniqueArray(fc.constantFrom(...KINDS), { minLength: 1 }),
      tag: fc.option(fc.constantFrom(...TAGS)),
      organizationId: mostly('org', 'other'),
      hasCredentials: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) =>
    all.map(({ format, tag, ...fields }, place) => {
      const rules = tag === null ? [] : [ruleOf(tag)];
      return endpointOf(format, { id: `endpoint-${place}`, rules, ...fields });
    }),
  );

const monitors = fc.array(
  fc.record({
    to: fc.constantFrom('operational' as const, 'degraded' as const, 'down' as const),
    tags: fc.subarray(TAGS),
    host: mostly('one', 'two', 'own'),
    organizationId: mostly('org', 'other'),
    parent: mostly('none', 'up', 'down'),
    /** What is held of it so far: nothing, something that is not decided, or that is suppressed. */
    held: mostly('none', 'undecided', 'suppressed'),
    /** Its changes so far: few, so many that it begins to flap, or it flaps already. */
    flapping: mostly('no', 'begins', 'continues'),
  }),
  { minLength: 1, maxLength: 8 },
);

const worlds = fc.record({ endpoints, monitors }).map((world) => {
  const changes = world.monitors.map(({ to, tags, host, organizationId, parent }, place): MonitorChange => {
    const id = `monitor-${place}`;
    const dependsOn = parent === 'none' ? [] : ['gateway'];
    const url = `http://${host === 'own' ? id : host}.test/`;
    const ancestors = parent === 'none' ? [] : [ancestorOf('gateway', parent === 'down')];
    return changeOf(id, { to }, { monitor: { tags, url, organizationId, dependsOn }, ancestors });
  });
  const ids = world.monitors.map((fields, place) => ({ ...fields, id: `monitor-${place}` }));
  const often = Array.from({ length: 5 }, (_, place) => ({ from: START - place, decidedAt: START - place }));
  const facts = factsOf(world.endpoints, {
    tags: new Map(ids.map(({ id, tags }) => [id, tags])),
    held: new Map(
      ids.flatMap(({ id, held, parent }) => {
        if (held === 'none' || parent === 'none') return [];
        return [
          [id, { causedBy: held === 'undecided' ? null : { id: 'gateway', name: 'gateway' } }] as const,
        ];
      }),
    ),
    recent: new Map(
      ids.map(({ id, flapping }) => {
        const open = { incidentId: null, lastIncidentId: null, eventIds: [] };
        const changes = flapping === 'begins' ? often : often.slice(0, 1);
        return [id, { changes, countedSince: null, open: flapping === 'continues' ? open : null }];
      }),
    ),
  });
  return { changes, facts, endpoints: world.endpoints };
});

const planOf = (changes: readonly MonitorChange[], facts: NotificationFacts) =>
  planBatch(changes, facts, createIds());

/** The events of a change that an endpoint wants, by what it subscribes to and its rules. */
function wantedBy(endpoint: EventSubscriber, { monitor, effect, incidentEvents, incident }: MonitorChange) {
  if (endpoint.organizationId !== monitor.organizationId) return [];
  const kinds = [effect.event, ...incidentEvents.map(({ event }) => event)];
  return kinds.filter((kind) => {
    if (kind === null || !endpoint.events.includes(kind)) return false;
    const subject = { kind, severity: incident?.severity ?? null, monitors: [monitor] };
    return matchRules(endpoint.rules, subject, START) !== null;
  });
}

/** The kinds of what an endpoint is sent of a change. */
function sentTo(plan: NotificationPlan, endpoint: EventSubscriber, { incident }: MonitorChange) {
  const events = new Map(plan.events.map((event) => [event.id, event.payload]));
  return plan.deliveries.flatMap(({ endpointId, eventId }) => {
    const payload = events.get(eventId);
    return endpointId === endpoint.id && payload?.incident?.id === incident?.id ? [payload?.event] : [];
  });
}

/** Why people may not have heard of a change now. */
function isExcused(plan: NotificationPlan, { monitor }: MonitorChange): boolean {
  const of = (rows: readonly { monitorId: string }[]) =>
    rows.some(({ monitorId }) => monitorId === monitor.id);
  const story = plan.storyChanges.find(({ monitorId }) => monitorId === monitor.id)?.storyId;
  const hasRest = plan.stories.some(({ id, restDueAt }) => id === story && restDueAt !== null);
  return of(plan.held) || of(plan.dropped) || of(plan.flapping) || hasRest;
}

describe('whatever changes', () => {
  it('nobody who should hear is left out', () => {
    fc.assert(
      fc.property(worlds, ({ changes, facts, endpoints }) => {
        const plan = planOf(changes, facts);
        for (const change of changes) {
          for (const endpoint of endpoints) {
            const wanted = wantedBy(endpoint, change);
            const sent = sentTo(plan, endpoint, change);
            // Programs hear everything at once; the others at once, unless what they hear later is stored.
            if (isSentAtOnce(endpoint.format)) expect(sent).toEqual(wanted);
            else if (!isExcused(plan, change)) {
              if (isReadByPeople(endpoint.format)) expect(sent.length > 0).toBe(wanted.length > 0);
              else expect(sent).toEqual(wanted);
            }
          }
          const mailed = plan.notices.filter(({ subjectId }) => subjectId === change.monitor.id);
          const isAlert = change.effect.to !== 'degraded';
          const isHeld = [...plan.held, ...plan.dropped, ...plan.flapping].some(
            ({ monitorId }) => monitorId === change.monitor.id,
          );
          if (!isHeld) expect(mailed).toHaveLength(isAlert ? 1 : 0);
        }
      }),
    );
  });

  it('what is announced later is stored with its events', () => {
    fc.assert(
      fc.property(worlds, ({ changes, facts, endpoints }) => {
        const plan = planOf(changes, facts);
        const stored = new Set(plan.events.map(({ id }) => id));
        for (const { eventIds } of plan.flapping) {
          for (const id of eventIds) expect(stored.has(id)).toBe(true);
        }
        for (const { eventIds, monitorId } of [...plan.held, ...plan.storyChanges]) {
          for (const id of eventIds) expect(stored.has(id)).toBe(true);
          const change = changes.find(({ monitor }) => monitor.id === monitorId);
          const isWanted = change && endpoints.some((endpoint) => wantedBy(endpoint, change).length > 0);
          if (isWanted) expect(eventIds.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('nobody hears twice', () => {
    fc.assert(
      fc.property(worlds, ({ changes, facts, endpoints }) => {
        const plan = planOf(changes, facts);
        const pairs = plan.deliveries.map(({ endpointId, eventId }) => `${endpointId} ${eventId}`);
        expect(pairs).toEqual([...new Set(pairs)]);
        for (const endpoint of endpoints.filter(({ format }) => isReadByPeople(format))) {
          const keys = plan.deliveries.filter(({ endpointId }) => endpointId === endpoint.id);
          const messages = keys.map(({ messageKey }) => messageKey);
          expect(messages).toEqual([...new Set(messages)]);
          // Of a story, they hear one change now.
          for (const { id } of plan.stories) {
            const own = plan.storyChanges.filter(({ storyId }) => storyId === id);
            const heard = changes.filter(
              (change) =>
                own.some(({ monitorId }) => monitorId === change.monitor.id) &&
                sentTo(plan, endpoint, change).length > 0,
            );
            expect(heard.length).toBeLessThanOrEqual(1);
          }
        }
        for (const { subjectId } of plan.notices) {
          expect(plan.notices.filter((notice) => notice.subjectId === subjectId)).toHaveLength(1);
        }
        // Not now and later too.
        const later = new Set([...plan.held, ...plan.dropped].map(({ monitorId }) => monitorId));
        for (const change of changes.filter(({ monitor }) => later.has(monitor.id))) {
          for (const endpoint of endpoints.filter(({ format }) => !isSentAtOnce(format)))
            expect(sentTo(plan, endpoint, change)).toEqual([]);
        }
      }),
    );
  });

  it('what people have read is looked up only for what they are sent', () => {
    fc.assert(
      fc.property(worlds, ({ changes, facts }) => {
        const plan = planOf(changes, facts);
        const sent = plan.deliveries.flatMap(({ endpointId, messageKey }) =>
          messageKey?.startsWith('inc_') ? [placeOf(endpointId, messageKey)] : [],
        );
        expect(new Set(listPlaces(plan.events))).toEqual(new Set(sent));
      }),
    );
  });

  it('nobody hears of another organization', () => {
    fc.assert(
      fc.property(worlds, ({ changes, facts, endpoints }) => {
        const plan = planOf(changes, facts);
        const ownerOf = new Map(endpoints.map(({ id, organizationId }) => [id, organizationId]));
        for (const { endpointId, organizationId } of plan.deliveries) {
          expect(ownerOf.get(endpointId)).toBe(organizationId);
        }
      }),
    );
  });

  it('the order of monitors within a batch does not matter', () => {
    const shuffled = worlds.chain((world) =>
      fc
        .shuffledSubarray(world.changes, { minLength: world.changes.length })
        .map((others) => ({ ...world, others })),
    );
    fc.assert(
      fc.property(shuffled, ({ changes, others, facts }) => {
        expect(planOf(others, facts)).toEqual(planOf(changes, facts));
      }),
    );
  });
});
