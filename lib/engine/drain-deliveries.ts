import type { Services } from '@/lib/context/services';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Wake } from '@/lib/core/wake';
import { type Sender, sendDelivery } from '@/lib/webhooks/send-delivery';
import { deliveryHeaders } from '@/lib/webhooks/sign';
import { openSigningSecrets } from '@/lib/webhooks/signing-secrets';
import type { ClaimedDelivery } from './claim-deliveries';
import { createDeliveryPump, type DeliveryPump } from './delivery-pump';
import { drainUntil } from './drain-until';
import { createEndpointSlots, type EndpointSlots } from './endpoint-slots';
import { nextDeliveryAt } from './find-deliveries';
import { runMaintenanceWindows } from './run-maintenance-windows';
import { abandonDelivery, type SettledTry, settleDelivery, writeSettled } from './settle-delivery';
import { settleOrphanedIncidents } from './settle-orphaned-incidents';
import { createSettlementRecorder, type SettlementRecorder } from './settlement-recorder';

type DeliveryEngineOptions = {
  workerId: string;
  services: Services;
  sender: Sender;
  serviceName: string;
  wake: Wake;
  log: Logger;
  /** Tries at once in all, and of one endpoint. */
  total: number;
  perEndpoint: number;
  /** Aborted: nothing more is begun. */
  signal: AbortSignal;
};

/** What a process needs to deliver. */
export type DeliveryEngine = Omit<DeliveryEngineOptions, 'total' | 'perEndpoint'> & {
  slots: EndpointSlots;
  recorder: SettlementRecorder;
  pump: DeliveryPump;
};

const ORPHANS_EVERY_MS = 1000;
/** So soon after the API's bell is a window begun or ended; without it, at the drain's next look. */
const WINDOWS_EVERY_MS = 200;
const MIN_SLEEP_MS = 20;

/** Puts the parts of a delivery engine together; nothing begins before the first drain. */
export function createDeliveryEngine({ total, perEndpoint, ...own }: DeliveryEngineOptions): DeliveryEngine {
  const { services, workerId, log, signal } = own;
  const slots = createEndpointSlots({ total, perEndpoint, onFree: (id) => pump.goOn(id) });
  const write = (settled: SettledTry[]) => writeSettled(services, settled);
  const recorder = createSettlementRecorder({ write, log });
  const begin = (delivery: ClaimedDelivery) =>
    slots.run(delivery.endpointId, (answered) =>
      attempt(engine, delivery, answered).catch((error: unknown) => {
        const fields = { error: describeError(error), delivery: delivery.id };
        log.error(fields, 'a try could not be made; its lease will end');
      }),
    );
  const pump = createDeliveryPump({ services, workerId, slots, begin, signal, log });
  const engine = { ...own, slots, recorder, pump };
  return engine;
}

/** Sends what is due until `until`; what was found by then goes on beside the next drain. */
export function drainDueDeliveries(
  engine: DeliveryEngine,
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  const { services, wake, pump } = engine;
  let orphansLookedForAt = Number.NEGATIVE_INFINITY;
  let windowsLookedAtAt = Number.NEGATIVE_INFINITY;
  let lookedAt = services.clock.now();
  return drainUntil(
    {
      clock: services.clock,
      wake,
      minSleepMs: MIN_SLEEP_MS,
      startDue: async () => {
        // The API emits no events: what pausing and deleting bring about comes up here.
        if (performance.now() - orphansLookedForAt >= ORPHANS_EVERY_MS) {
          orphansLookedForAt = performance.now();
          await settleOrphanedIncidents(services);
        }
        // Here too, for what is true at the end of maintenance is told.
        if (performance.now() - windowsLookedAtAt >= WINDOWS_EVERY_MS) {
          windowsLookedAtAt = performance.now();
          await runMaintenanceWindows(services);
        }
        lookedAt = services.clock.now();
        return (await pump.start(lookedAt)).isCut;
      },
      // What is due already and has no place yet goes on by itself.
      nextDueAt: () => nextDeliveryAt(services, lookedAt),
    },
    { until, signal },
  );
}

/** Resolves when no try is under way, none waits for its place, and all are recorded. */
export async function finishTries({ pump, slots }: Pick<DeliveryEngine, 'pump' | 'slots'>): Promise<void> {
  do {
    await pump.settled();
    await slots.idle();
  } while (!pump.isIdle());
}

async function attempt(
  { services, sender, serviceName, recorder }: DeliveryEngine,
  delivery: ClaimedDelivery,
  answered: () => void,
): Promise<void> {
  const { endpoint } = delivery;
  const sentAt = services.clock.now();
  if (!endpoint) return recorder.add(abandonDelivery(delivery, 'endpoint_deleted', sentAt));
  if (!endpoint.enabled) return recorder.add(abandonDelivery(delivery, 'endpoint_disabled', sentAt));
  const headers = deliveryHeaders({
    deliveryId: delivery.id,
    attempt: delivery.attempt,
    kind: delivery.kind,
    payload: delivery.payload,
    occurredAt: delivery.occurredAt,
    sentAt,
    secrets: delivery.isSigned
      ? openSigningSecrets(services.keyring, delivery.endpointId, endpoint, sentAt)
      : null,
    serviceName,
  });
  const outcome = await sendDelivery(sender, {
    endpointId: delivery.endpointId,
    url: endpoint.url,
    headers,
    payload: delivery.payload,
  });
  answered();
  await recorder.add(settleDelivery(delivery, outcome, { sentAt, at: services.clock.now() }));
}
