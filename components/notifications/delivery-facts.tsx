import { Fact, Facts } from '@/components/ui/fold';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import type { Delivery } from '@/lib/schemas/webhooks/delivery';
import { DeliverySubject } from './delivery-subject';

type Props = {
  delivery: Delivery;
  /** Name of its endpoint; null if deleted. */
  endpoint: string | null;
  now: Date;
};

const SUBJECT_LABELS = { monitor: 'Monitor', incident: 'Incident', test: 'Subject' } as const;

/** What a delivery is about, its endpoint, and its progress. */
export function DeliveryFacts({ delivery, endpoint, now }: Props) {
  const { subject, webhookId, createdAt, attempts, nextAttemptAt, settledAt } = delivery;
  const at = now.toISOString();
  return (
    <Facts className="grid-cols-2 lg:grid-cols-[2fr_2fr_1fr_1fr_1fr]">
      <Fact term={SUBJECT_LABELS[subject?.type ?? 'test']} className="max-lg:col-span-2">
        <DeliverySubject subject={subject} />
        {subject?.deleted ? <span className="font-normal text-muted"> (deleted)</span> : null}
      </Fact>
      <Fact term="Channel" className="max-lg:col-span-2">
        {endpoint === null ? (
          <span className="font-normal text-muted">Deleted</span>
        ) : (
          <TextLink isAlone href={`/notifications/${webhookId}`}>
            {endpoint}
          </TextLink>
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
