import { Fact, Facts } from '@/components/ui/facts';
import { Moment } from '@/components/ui/moment';
import type { Webhook } from '@/lib/schemas/webhook';
import { FORMAT_TEXTS, isEverything } from './endpoint-texts';

/** What an endpoint is told of, and how. */
export function EndpointFacts({ endpoint, now }: { endpoint: Webhook; now: Date }) {
  const { format, events, createdAt, updatedAt } = endpoint;
  return (
    <Facts className="lg:grid-cols-[1fr_2fr_1fr_1fr]">
      <Fact term="Format">{FORMAT_TEXTS[format].label}</Fact>
      <Fact term="Events" className="max-lg:order-last max-lg:col-span-2">
        {isEverything(events) ? `All: ${events.join(', ')}` : events.join(', ')}
      </Fact>
      <Fact term="Created">
        <Moment at={createdAt} now={now.toISOString()} />
      </Fact>
      <Fact term="Changed" className="max-lg:hidden">
        <Moment at={updatedAt} now={now.toISOString()} />
      </Fact>
    </Facts>
  );
}
