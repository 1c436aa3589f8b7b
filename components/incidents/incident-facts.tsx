import { Fact, Facts } from '@/components/ui/facts';
import { Moment } from '@/components/ui/moment';
import type { Incident } from '@/lib/schemas/incident';

/** When an incident began and ended, and who opened it. */
export function IncidentFacts({ incident, now }: { incident: Incident; now: Date }) {
  const { startedAt, resolvedAt, automatic, updates } = incident;
  const at = now.toISOString();
  const author = updates.at(-1)?.author;
  return (
    <Facts className="grid-cols-2 lg:grid-cols-2">
      <Fact term="Began">
        <Moment at={startedAt} now={at} />
      </Fact>
      <Fact term="Resolved">{resolvedAt ? <Moment at={resolvedAt} now={at} /> : 'not yet'}</Fact>
      <Fact term="Opened" className="col-span-2">
        {automatic ? 'by its monitor' : author ? `by ${author}` : 'by a person'}
      </Fact>
    </Facts>
  );
}
