import type { Transaction } from '@/lib/platform/db/client';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import type { EventContent } from '@/lib/schemas/webhooks/events';
import { type Rule, storedRulesSchema } from '@/lib/schemas/webhooks/rules';
import { isConcerned, type WhileFlapping } from '../while-flapping';

/** An endpoint that can get events. */
export type Subscriber = Pick<
  WebhookEndpoint,
  'id' | 'organizationId' | 'events' | 'format' | 'enabled' | 'acknowledgeLinks'
> & { rules: Rule[]; hasCredentials: boolean };

/** A stored event, with the endpoints that are sent it. */
export type SubscribedEvent = {
  id: string;
  organizationId: string;
  occurredAt: Date;
  payload: EventContent;
  /** How many monitors depend on the one that it is about, for products in which people read it. */
  dependents?: number;
  /** If the monitor that it is about flaps: who is sent it, and what people get instead. */
  flapping?: WhileFlapping;
  endpoints: Subscriber[];
};

/** The endpoints of organizations that can get events, also those that are automatically disabled. */
export async function readSubscribers(
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<Subscriber[]> {
  const rows = await tx.webhookEndpoint.findMany({
    where: {
      organizationId: { in: [...new Set(organizationIds)] },
      OR: [{ enabled: true }, { autoDisabledAt: { not: null } }],
    },
    select: {
      id: true,
      organizationId: true,
      events: true,
      rules: true,
      format: true,
      enabled: true,
      acknowledgeLinks: true,
      credentialsSealed: true,
    },
  });
  return rows.map(({ rules, credentialsSealed, ...row }) => {
    return { ...row, rules: storedRulesSchema.parse(rules), hasCredentials: credentialsSealed !== null };
  });
}

/** The endpoints that subscribe to an event. */
export function subscribersOf(
  { organizationId, payload, flapping }: Pick<SubscribedEvent, 'organizationId' | 'payload' | 'flapping'>,
  endpoints: readonly Subscriber[],
): Subscriber[] {
  return endpoints.filter(
    (endpoint) =>
      endpoint.organizationId === organizationId && isConcerned(endpoint, payload.event, flapping),
  );
}
