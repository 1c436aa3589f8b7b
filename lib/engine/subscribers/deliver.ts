import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { openUrl, SUBSCRIBER_TARGETS } from '@/lib/domain/subscribers/endpoints/endpoint-target';
import {
  type DeliveryOutcome,
  errorOf,
  isDelivered,
  type Sender,
  sendDelivery,
} from '@/lib/domain/webhooks/send-delivery';
import { deliveryHeaders, openSigningSecrets } from '@/lib/domain/webhooks/sign';
import { createSlots, type Slots } from '@/lib/engine/runtime/slots';
import {
  type ClaimedSubscriberDelivery,
  claimSubscriberDeliveries,
  recordDelivered,
  recordFailed,
} from './claim-deliveries';

/** Concurrent attempts of a worker. Apart from those to organizations, which strangers' endpoints must not delay. */
const MAX_ATTEMPTS = 50;
/** Milliseconds of one attempt. */
const TIMEOUT_MS = 10_000;

/** What a process needs to deliver to the endpoints of subscribers. */
export type SubscriberDeliveries = {
  workerId: string;
  services: Services;
  serviceName: string;
  sender: Sender;
  slots: Slots;
  /** Called after every attempt: the next one for its endpoint may be due. */
  onDone: () => void;
  log: Logger;
};

/** Assembles the deliveries to subscribers of a process. */
export function createSubscriberDeliveries(
  engine: Pick<SubscriberDeliveries, 'workerId' | 'services' | 'serviceName' | 'log'>,
  onDone: () => void,
): SubscriberDeliveries {
  const sender = { policy: SUBSCRIBER_TARGETS, timeout: TIMEOUT_MS };
  return { ...engine, sender, onDone, slots: createSlots(MAX_ATTEMPTS, onDone) };
}

/** Claims due deliveries and starts sending them; returns how many attempts were started. */
export async function startSubscriberDeliveries(engine: SubscriberDeliveries): Promise<number> {
  const { services, workerId, slots, onDone, log } = engine;
  const limit = slots.free();
  if (limit <= 0) return 0;
  const now = services.clock.now();
  const claimed = await claimSubscriberDeliveries(services, { limit, workerId, now });
  for (const delivery of claimed) {
    slots.run(() =>
      attempt(engine, delivery)
        .catch((error: unknown) => {
          const fields = { error: describeError(error), delivery: delivery.id };
          log.error(fields, 'an attempt to notify a subscriber failed to run; its lease will expire');
        })
        .then(onDone),
    );
  }
  return claimed.length;
}

async function attempt(engine: SubscriberDeliveries, delivery: ClaimedSubscriberDelivery): Promise<void> {
  const outcome = await send(engine, delivery);
  if (isDelivered(outcome)) await recordDelivered(engine.services, delivery);
  else await recordFailed(engine.services, delivery, errorOf(outcome));
}

/** A delivery whose secrets cannot be opened fails like one that is refused: it is retried on schedule. */
async function send(
  { services, sender, serviceName, log }: SubscriberDeliveries,
  delivery: ClaimedSubscriberDelivery,
): Promise<DeliveryOutcome> {
  const { id, subscriberId, eventId, kind, payload, occurredAt, attempt, secretSealed } = delivery;
  const sentAt = services.clock.now();
  let url: string;
  let headers: Record<string, string>;
  try {
    url = openUrl(services.keyring, subscriberId, delivery.urlSealed);
    const secrets =
      secretSealed &&
      openSigningSecrets(services.keyring, subscriberId, { ...delivery, secretSealed }, sentAt);
    const about = { eventId, deliveryId: id, attempt, kind, payload, occurredAt, sentAt };
    headers = deliveryHeaders({ ...about, secrets, serviceName });
  } catch (error) {
    log.error({ error: describeError(error), delivery: id }, 'could not open the secrets of a subscriber');
    return { kind: 'unsent', error: 'its secrets cannot be opened' };
  }
  return sendDelivery(sender, { endpointId: subscriberId, url, headers, payload });
}
