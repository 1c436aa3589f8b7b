import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Wake } from '@/lib/core/wake';
import type { Services } from '@/lib/domain/context/services';
import { type DeliveryOutcome, type Sender, sendDelivery } from '@/lib/domain/webhooks/send-delivery';
import { deliveryHeaders, openSigningSecrets, type SigningSecrets } from '@/lib/domain/webhooks/sign';
import type { BatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { attemptBeside, drainUntil } from '@/lib/engine/runtime/drain-until';
import { runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';
import { settleOrphanedIncidents } from '@/lib/engine/upkeep/settle-orphaned-incidents';
import type { ClaimedDelivery } from './claim-deliveries';
import { createDeliveryPump, type DeliveryPump } from './delivery-pump';
import { createEndpointSlots, type EndpointSlots, type SlotLimits } from './endpoint-slots';
import { nextDeliveryAt } from './find-deliveries';
import {
  abandonDelivery,
  createSettlementRecorder,
  nothingSent,
  type SettledAttempt,
  settleDelivery,
} from './settle-delivery';

type DeliveryEngineOptions = {
  workerId: string;
  services: Services;
  sender: Sender;
  serviceName: string;
  wake: Wake;
  log: Logger;
  /** How many attempts run at once. */
  limits: SlotLimits;
  /** Aborted: nothing more is begun. */
  signal: AbortSignal;
};

/** What a process needs to deliver. */
export type DeliveryEngine = Omit<DeliveryEngineOptions, 'limits'> & {
  slots: EndpointSlots;
  recorder: BatchRecorder<SettledAttempt>;
  pump: DeliveryPump;
};

const ORPHANS_EVERY_MS = 1000;
/** So soon after the API's bell is a window begun or ended; without it, at the drain's next look. */
const WINDOWS_EVERY_MS = 200;
const MIN_SLEEP_MS = 20;

/** Puts the parts of a delivery engine together; nothing begins before the first drain. */
export function createDeliveryEngine({ limits, ...own }: DeliveryEngineOptions): DeliveryEngine {
  const { services, workerId, log, signal } = own;
  const slots = createEndpointSlots(limits, { onFree: (recipient) => pump.goOn(recipient) });
  const recorder = createSettlementRecorder(services, log);
  const begin = (delivery: ClaimedDelivery) =>
    slots.run(delivery, (responded) =>
      attempt(engine, delivery, responded).catch((error: unknown) => {
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
  const { services, wake, pump, log } = engine;
  let orphansLookedForAt = Number.NEGATIVE_INFINITY;
  let windowsLookedAtAt = Number.NEGATIVE_INFINITY;
  let lookedAt = services.clock.now();
  return drainUntil(
    {
      name: 'deliveries',
      clock: services.clock,
      wake,
      log,
      minSleepMs: MIN_SLEEP_MS,
      startDue: async () => {
        // The API emits no events: what pausing and deleting bring about comes up here.
        if (performance.now() - orphansLookedForAt >= ORPHANS_EVERY_MS) {
          orphansLookedForAt = performance.now();
          await attemptBeside(engine, 'orphaned incidents', () => settleOrphanedIncidents(services));
        }
        // Here too, for what is true at the end of maintenance is told.
        if (performance.now() - windowsLookedAtAt >= WINDOWS_EVERY_MS) {
          windowsLookedAtAt = performance.now();
          await attemptBeside(engine, 'maintenance windows', () => runMaintenanceWindows(services));
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
export async function finishAttempts({ pump, slots }: Pick<DeliveryEngine, 'pump' | 'slots'>): Promise<void> {
  do {
    await pump.settled();
    await slots.idle();
  } while (!pump.isIdle());
}

async function attempt(
  { services, sender, serviceName, recorder }: DeliveryEngine,
  delivery: ClaimedDelivery,
  responded: () => void,
): Promise<void> {
  const { endpoint } = delivery;
  const sentAt = services.clock.now();
  if (!endpoint?.enabled) {
    const reason = endpoint ? 'endpoint_disabled' : 'endpoint_deleted';
    await recorder.add(abandonDelivery(delivery, reason, sentAt));
    return;
  }
  const outcome = await send({ sender, serviceName, services }, delivery, endpoint, sentAt);
  responded();
  await recorder.add(settleDelivery(delivery, outcome, { sentAt, at: services.clock.now() }));
}

/** A delivery that cannot be signed fails like one that is refused: on schedule, and not for ever. */
async function send(
  { sender, serviceName, services }: Pick<DeliveryEngine, 'sender' | 'serviceName' | 'services'>,
  delivery: ClaimedDelivery,
  endpoint: NonNullable<ClaimedDelivery['endpoint']>,
  sentAt: Date,
): Promise<DeliveryOutcome> {
  const { id: deliveryId, attempt, kind, payload, occurredAt, endpointId, isSigned } = delivery;
  let secrets: SigningSecrets | null;
  try {
    secrets = isSigned ? openSigningSecrets(services.keyring, endpointId, endpoint, sentAt) : null;
  } catch {
    return nothingSent('the signing secret cannot be decrypted; rotate it');
  }
  const about = { deliveryId, attempt, kind, payload, occurredAt, sentAt };
  const headers = deliveryHeaders({ ...about, secrets, serviceName });
  return sendDelivery(sender, { endpointId, url: endpoint.url, headers, payload });
}
