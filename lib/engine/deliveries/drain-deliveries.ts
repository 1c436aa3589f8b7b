import { traced } from '@/lib/core/calls/traced';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Wake } from '@/lib/core/time/wake';
import type { Services } from '@/lib/domain/context/services';
import { leaseMessage } from '@/lib/domain/webhooks/messages/lease-message';
import { type Sender, statusCodeOf } from '@/lib/domain/webhooks/send-delivery';
import type { BatchRecorder, RecordingObserver } from '@/lib/engine/runtime/batch-recorder';
import { drainUntil } from '@/lib/engine/runtime/drain-until';
import { postponeAttempt } from '@/lib/engine/runtime/release-claims';
import type { Moments } from '@/lib/platform/db/moments';
import { editableProduct } from '@/lib/webhook-formats/formats';
import { type ClaimedDelivery, type ClaimedEndpoint, LEASE_SECONDS } from './claim-deliveries';
import { createDeliveryPump, type DeliveryPump } from './delivery-pump';
import { createEndpointSlots, type EndpointSlots, type SlotLimits } from './endpoint-slots';
import { nextDeliveryAt } from './find-deliveries';
import { logAttempt } from './log-attempt';
import {
  abandonDelivery,
  createAttemptRecorder,
  type FinishedAttempt,
  finishAttempt,
} from './record-attempts';
import { sendClaimed } from './send-claimed';

type DeliveryEngineOptions = {
  workerId: string;
  services: Services;
  sender: Sender;
  serviceName: string;
  wake: Wake;
  log: Logger;
  limits: SlotLimits;
  /** Of the database of the services. */
  moments: Moments;
  observer?: RecordingObserver<FinishedAttempt> | undefined;
  /** When aborted, nothing new is started. */
  signal: AbortSignal;
};

/** What a process needs to deliver. */
export type DeliveryEngine = Omit<DeliveryEngineOptions, 'limits' | 'observer'> & {
  slots: EndpointSlots;
  recorder: BatchRecorder<FinishedAttempt>;
  pump: DeliveryPump;
};

const MIN_SLEEP_MS = 20;
/** When a delivery is looked at again whose message another attempt is changing. */
const PUT_OFF_MS = 1000;
/** How late a delivery goes out that a crashed worker had claimed, if nothing else happens. */
const MAX_QUIET_MS = 2000;

/** Assembles a delivery engine; nothing starts before the first drain. */
export function createDeliveryEngine({ limits, observer, ...own }: DeliveryEngineOptions): DeliveryEngine {
  const { services, workerId, log, signal } = own;
  const slots = createEndpointSlots(limits, { onFree: (recipient) => pump.refill(recipient) });
  const recorder = createAttemptRecorder(services, log, observer);
  const begin = (delivery: ClaimedDelivery) =>
    slots.run(delivery, (responded) =>
      attempt(engine, delivery, responded).catch((error: unknown) => {
        const fields = { error: describeError(error), delivery: delivery.id };
        log.error(fields, 'an attempt failed to run; its lease will expire');
      }),
    );
  const pump = createDeliveryPump({ services, workerId, slots, begin, signal, log });
  const engine = { ...own, slots, recorder, pump };
  return engine;
}

/** Sends due deliveries until `until`; attempts in progress continue alongside the next drain. */
export function drainDueDeliveries(
  engine: DeliveryEngine,
  { until, signal }: { until: Date; signal: AbortSignal },
): Promise<void> {
  const { services, moments, pump } = engine;
  let searchedAt = services.clock.now();
  const drain = {
    name: 'deliveries',
    minSleepMs: MIN_SLEEP_MS,
    maxQuietMs: MAX_QUIET_MS,
    startDue: async () => {
      searchedAt = services.clock.now();
      return (await pump.start(searchedAt)).isCut;
    },
    // Work that is already due waits for a slot, not for time.
    nextDueAt: () => moments(nextDeliveryAt(searchedAt)),
  };
  return drainUntil(engine, drain, { until, signal });
}

/** Resolves when no attempt is running or waiting for a slot, and all are recorded. */
export async function awaitAttempts({ pump, slots }: Pick<DeliveryEngine, 'pump' | 'slots'>): Promise<void> {
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
  const { races } = services;
  if (races) await races.reach('delivery claimed');
  const sentAt = services.clock.now();
  if (!endpoint?.enabled) {
    sender.connections?.closeOf(delivery.endpointId);
    const reason = endpoint ? 'endpoint_disabled' : 'endpoint_deleted';
    const abandoned = abandonDelivery(delivery, reason, sentAt);
    if (await recorder.add(abandoned)) logAttempt(abandoned);
    return;
  }
  const message = messageOf(delivery, endpoint);
  const leased = message && (await leaseMessage(services, message, LEASE_SECONDS));
  if (message && !leased) {
    await postponeAttempt(services, delivery, new Date(sentAt.getTime() + PUT_OFF_MS));
    return;
  }
  const needs = { sender, serviceName, services };
  const { outcome, shown } = await sendTraced(needs, delivery, endpoint, { sentAt, leased });
  responded();
  const at = services.clock.now();
  const finished = finishAttempt(delivery, outcome, { sentAt, at });
  if (races) await races.reach('attempt finished');
  const isRecorded = await recorder.add({ ...finished, message: message && { ...message, shown, at } });
  if (isRecorded) logAttempt(finished);
}

/** Like `sendClaimed`, as a span. */
const sendTraced: typeof sendClaimed = (needs, delivery, endpoint, leased) => {
  const { id, eventId, endpointId, attempt } = delivery;
  const attributes = {
    'pharos.delivery.id': id,
    'pharos.event.id': eventId,
    'pharos.webhook.id': endpointId,
    'pharos.delivery.attempt': attempt,
  };
  return traced('delivery', { attributes, isCall: true }, async (note) => {
    const sent = await sendClaimed(needs, delivery, endpoint, leased);
    const statusCode = statusCodeOf(sent.outcome);
    if (statusCode !== null) note({ 'http.response.status_code': statusCode });
    return sent;
  });
};

/** The message that an attempt changes; null for one of a product that cannot edit any. */
function messageOf(
  { attemptId, endpointId, messageKey }: ClaimedDelivery,
  { format, credentialsSealed }: ClaimedEndpoint,
) {
  if (messageKey === null || editableProduct(format, credentialsSealed !== null) === null) return null;
  return { attemptId, endpointId, messageKey };
}
