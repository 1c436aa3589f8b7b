import { Fact, Facts } from '@/components/ui/fold';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import type { Delivery } from '@/lib/schemas/webhooks/delivery';

type Props = {
  delivery: Delivery;
  /** Name of its endpoint; null if deleted. */
  endpoint: string | null;
  now: Date;
};

/** The endpoint and progress of a delivery. */
export function DeliveryFacts({ delivery, endpoint, now }: Props) {
  const { webhookId, createdAt, attempts, nextAttemptAt, settledAt } = delivery;
  const at = now.toISOString();
  return (
    <Facts className="grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_1fr]">
      <Fact term="Endpoint" className="max-lg:col-span-2">
        {endpoint === null ? (
          <span className="font-normal text-muted">Deleted</span>
        ) : (
          <TextLink href={`/notifications/${webhookId}`}>{endpoint}</TextLink>
        )}
      </Fact>
      <Fact term="Created">
        <Moment at={createdAt} now={at} />
      </Fact>
      <Fact term="Attempts">{attempts}</Fact>
      {nextAttemptAt ? (
        <Fact term="Next attempt" className="max-lg:col-span-2">
          <Moment at={nextAttemptAt} now={at} as="until" />
        </Fact>
      ) : (
        <Fact term="Finished" className="max-lg:col-span-2">
          {settledAt ? <Moment at={settledAt} now={at} /> : '–'}
        </Fact>
      )}
    </Facts>
  );
}
