import { Banner } from '@/components/ui/banner';
import { Moment } from '@/components/ui/moment';

/** Tells that a worker is cut off from its own network, so that nobody takes the silence for good news. */
export function CutOffNote({ regions, now }: { regions: { region: string; since: Date }[]; now: Date }) {
  const [first] = regions;
  if (!first) return null;
  return (
    <Banner tone="slow">
      The worker for {regions.map(({ region }) => region).join(', ')} has been cut off from its own network
      since <Moment at={first.since.toISOString()} now={now.toISOString()} />. Its results are dropped, and
      statuses stay as they were.
    </Banner>
  );
}
