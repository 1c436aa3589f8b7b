import type { Observations, ShownTransition } from '../observations';
import type { Received } from '../receivers';
import { formatMoment, groupBy, RECOVERY_MS, type Violation } from './violation';

const EVENT_OF: Record<string, string> = {
  down: 'monitor.down',
  degraded: 'monitor.degraded',
  operational: 'monitor.up',
};

type Announced = { event: string; monitorId: string; eventId: string; timestamp: number; received: Received };

/** Every transition of a monitor is announced by exactly one event, to every endpoint of its organization. */
export function checkEvents(seen: Observations): Violation[] {
  const announced = seen.received.flatMap(readAnnouncement);
  const byMonitor = groupBy(announced, ({ monitorId }) => monitorId);
  return seen.monitors.flatMap((monitor) => {
    if (monitor.deletedAt !== null) return [];
    const own = byMonitor.get(monitor.id) ?? [];
    const transitions = seen.transitions.filter(({ monitorId }) => monitorId === monitor.id);
    const endpoints = seen.plan.endpoints.flatMap(({ organization }, number) =>
      organization === monitor.plan.organization ? [number] : [],
    );
    return [
      ...transitions.flatMap((transition) => findMissing(seen, transition, { own, endpoints })),
      ...findInvented(seen, monitor.id, { own, transitions }),
      ...findDoubled(seen, monitor.id, own),
    ];
  });
}

function readAnnouncement(received: Received): Announced[] {
  if (!received.event.startsWith('monitor.')) return [];
  const { monitor, timestamp } = JSON.parse(received.body) as { monitor: { id: string }; timestamp: string };
  const { event, eventId } = received;
  return [{ event, eventId, received, monitorId: monitor.id, timestamp: Date.parse(timestamp) }];
}

/** Into and out of these states nothing is announced, or only what was announced before counts. */
const isAnnounced = ({ from, to }: ShownTransition): boolean =>
  to === 'down' || to === 'degraded' || (to === 'operational' && (from === 'down' || from === 'degraded'));

function findMissing(
  seen: Observations,
  transition: ShownTransition,
  { own, endpoints }: { own: Announced[]; endpoints: number[] },
): Violation[] {
  const { monitorId, to, from, decidedAt } = transition;
  // The states after an unknown time, a pause or maintenance may be what was announced before.
  const isPlain = from === 'operational' || from === 'degraded' || from === 'down';
  if (!isPlain || !isAnnounced(transition) || decidedAt > seen.endedAt - RECOVERY_MS) return [];
  const event = EVENT_OF[to] ?? '';
  const matching = own.filter((each) => each.event === event && each.timestamp === decidedAt);
  const history = [
    `${from} → ${to} decided at ${formatMoment(seen, decidedAt)}`,
    ...own.map(
      (each) =>
        `${each.event} of ${formatMoment(seen, each.timestamp)} at endpoint ${each.received.endpoint}`,
    ),
  ];
  const problems: string[] = [];
  const ids = new Set(matching.map(({ eventId }) => eventId));
  if (ids.size > 1) problems.push(`${event} exists ${ids.size} times`);
  for (const endpoint of endpoints)
    if (!matching.some(({ received }) => received.endpoint === endpoint))
      problems.push(`${event} did not reach endpoint ${endpoint}`);
  return problems.map((message) => ({
    rule: 'one event per transition',
    object: monitorId,
    message,
    history,
  }));
}

function findInvented(
  seen: Observations,
  monitorId: string,
  { own, transitions }: { own: Announced[]; transitions: ShownTransition[] },
): Violation[] {
  const decided = new Set(transitions.map(({ to, decidedAt }) => `${EVENT_OF[to]} ${decidedAt}`));
  const invented = own.filter(({ event, timestamp }) => !decided.has(`${event} ${timestamp}`));
  return [...new Set(invented.map(({ eventId }) => eventId))].map((eventId) => {
    const first = invented.find((each) => each.eventId === eventId);
    return {
      rule: 'no event without a transition',
      object: monitorId,
      message: `${first?.event} ${eventId} announces a transition that the ledger does not have`,
      history: [
        `${first?.event} of ${formatMoment(seen, first?.timestamp ?? 0)}`,
        ...transitions.map(({ to, decidedAt }) => `${to} decided at ${formatMoment(seen, decidedAt)}`),
      ],
    };
  });
}

/** Events that exist twice, or that one endpoint got as two deliveries. */
function findDoubled(seen: Observations, monitorId: string, own: Announced[]): Violation[] {
  const byMoment = groupBy(own, ({ event, timestamp }) => `${event} ${timestamp}`);
  return [...byMoment.values()].flatMap((all): Violation[] => {
    const events = new Set(all.map(({ eventId }) => eventId));
    const deliveries = new Set(all.map(({ received }) => received.deliveryId));
    const endpoints = new Set(all.map(({ received }) => received.endpoint));
    if (events.size <= 1 && deliveries.size <= endpoints.size) return [];
    return [
      {
        rule: 'no event is doubled',
        object: monitorId,
        message: `${all[0]?.event} has ${events.size} events in ${deliveries.size} deliveries to ${endpoints.size} endpoints`,
        history: all.map(
          ({ eventId, timestamp, received }) =>
            `${eventId} of ${formatMoment(seen, timestamp)}: ${received.deliveryId} at endpoint ${received.endpoint}`,
        ),
      },
    ];
  });
}
