import type { Services } from '@/lib/context/services';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Wake } from '@/lib/core/wake';
import { type Sender, sendDelivery } from '@/lib/webhooks/send-delivery';
import { deliveryHeaders } from '@/lib/webhooks/sign';
import { openSigningSecrets } from '@/lib/webhooks/signing-secrets';
import { type ClaimedDelivery, claimDueDeliveries, nextDeliveryAt } from './claim-deliveries';
import { drainUntil } from './drain-until';
import type { createEndpointSlots } from './endpoint-slots';
import { runMaintenanceWindows } from './run-maintenance-windows';
import { abandonDelivery, settleDelivery } from './settle-delivery';
import { settleOrphanedIncidents } from './settle-orphaned-incidents';

/** What a process needs to deliver. */
export type DeliveryEngine = {
  workerId: string;
  services: Services;
  slots: ReturnType<typeof createEndpointSlots>;
  sender: Sender;
  serviceName: string;
  wake: Wake;
  log: Logger;
};

const MAX_CLAIM = 50;
const ORPHANS_EVERY_MS = 1000;
/** So soon after the API's bell is a window begun or ended; without it, at the drain's next look. */
const WINDOWS_EVERY_MS = 200;
const MIN_SLEEP_MS = 20;

/** Sends what is due until `until`; tries still running then go on beside the next drain. */
export function drainDueDeliveries(
  engine: DeliveryEngine,
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  const { services, wake } = engine;
  let orphansLookedForAt = Number.NEGATIVE_INFINITY;
  let windowsLookedAtAt = Number.NEGATIVE_INFINITY;
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
        return (await startDueDeliveries(engine)) > 0;
      },
      nextDueAt: () => nextDeliveryAt(services),
    },
    { until, signal },
  );
}

/** Claims what is due now and begins to send it; answers how many tries were begun. */
export async function startDueDeliveries(engine: DeliveryEngine): Promise<number> {
  const { services, slots, log, workerId } = engine;
  const limit = Math.min(slots.free(), MAX_CLAIM);
  if (limit <= 0) return 0;
  const { perEndpoint } = slots;
  const claimed = await claimDueDeliveries(services, {
    limit,
    perEndpoint,
    running: slots.running(),
    workerId,
  });
  for (const delivery of claimed) {
    slots.run(delivery.endpointId, (answered) =>
      attempt(engine, delivery, answered).catch((error: unknown) => {
        const fields = { error: describeError(error), delivery: delivery.id };
        log.error(fields, 'a try could not be recorded; its lease will end');
      }),
    );
  }
  return claimed.length;
}

async function attempt(
  { services, sender, serviceName }: DeliveryEngine,
  delivery: ClaimedDelivery,
  answered: () => void,
): Promise<void> {
  const { endpoint } = delivery;
  if (!endpoint) return abandonDelivery(services, delivery, 'endpoint_deleted');
  if (!endpoint.enabled) return abandonDelivery(services, delivery, 'endpoint_disabled');
  const sentAt = services.clock.now();
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
  const outcome = await sendDelivery(sender, { url: endpoint.url, headers, payload: delivery.payload });
  answered();
  await settleDelivery(services, delivery, outcome);
}
