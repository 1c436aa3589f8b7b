import { type JournalEntry, writeJournal } from '@/lib/core/journal/journal';
import { errorOf, statusCodeOf } from '@/lib/domain/webhooks/send-delivery';
import type { FinishedAttempt } from './record-attempts';

/** Logs a recorded attempt if it is the first failure of a delivery or its end after failures: what goes well at once has no line. */
export function logAttempt(finished: FinishedAttempt): void {
  const { delivery, end, outcome } = finished;
  const message = messageOf(finished);
  if (message === null) return;
  const { id, eventId, kind, endpointId, organizationId } = delivery;
  const error = errorOf(outcome);
  writeJournal([
    {
      message,
      id,
      as: error ?? 'delivered',
      fields: {
        delivery: id,
        event: eventId,
        kind,
        webhook: endpointId,
        organization: organizationId,
        failures: end?.failures ?? delivery.failures,
        statusCode: statusCodeOf(outcome),
        error,
        reason: end?.status === 'failed' ? end.reason : null,
        nextAttemptAt: end?.status === 'pending' ? end.nextAttemptAt.toISOString() : null,
      },
    },
  ]);
}

function messageOf({ delivery, end }: FinishedAttempt): JournalEntry['message'] | null {
  switch (end?.status) {
    case 'failed':
      return 'delivery failed';
    case 'pending':
      return delivery.failures === 0 ? 'delivery failed; retrying' : null;
    case 'delivered':
      return delivery.failures > 0 ? 'delivered after failures' : null;
    default:
      return null;
  }
}
