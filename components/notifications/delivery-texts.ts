import type { Delivery, DeliveryStatus } from '@/lib/schemas/delivery';

export const STATUS_WORDS: Record<DeliveryStatus, string> = {
  failed: 'Failed',
  pending: 'Pending',
  delivered: 'Delivered',
};

/** Why a delivery failed for good, or what its newest try came to; empty before the first. */
export function sayOutcome(
  delivery: Pick<Delivery, 'status' | 'reason' | 'lastStatusCode' | 'lastError'>,
): string {
  const { status, reason, lastStatusCode, lastError } = delivery;
  if (reason === 'endpoint_disabled') return 'not sent: the endpoint was disabled';
  if (reason === 'endpoint_deleted') return 'not sent: the endpoint was deleted';
  if (lastError !== null && status !== 'delivered') return lastError;
  return lastStatusCode === null ? '' : `answered ${lastStatusCode}`;
}

/** How a delivery stands, in a sentence that follows its status. */
export function sayStanding(delivery: Delivery): string {
  const outcome = sayOutcome(delivery);
  if (delivery.reason !== 'exhausted' || delivery.event === 'webhook.test') return outcome;
  return `after the last try of its schedule: ${outcome}`;
}

/** Header lines by name: the database does not keep their order. */
export function formatHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
