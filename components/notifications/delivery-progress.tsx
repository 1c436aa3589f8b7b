import { Moment } from '@/components/ui/time/moment';
import type { Delivery } from '@/lib/schemas/webhooks/delivery';

/** When the next attempt of a delivery is made, and which one it is; nothing if there is none. */
export function DeliveryProgress({ delivery, now }: { delivery: Delivery; now: string }) {
  const { event, manualAttemptAt, nextAttemptAt, nextAttempt } = delivery;
  if (manualAttemptAt !== null) return event === 'webhook.test' ? 'Sending now' : 'Replaying now';
  if (nextAttemptAt === null || nextAttempt === null) return null;
  const { number, of } = nextAttempt;
  return (
    <>
      {number === 1 ? 'First attempt' : 'Retrying, next'} <Moment at={nextAttemptAt} now={now} as="until" /> (
      {number} of {of})
    </>
  );
}
