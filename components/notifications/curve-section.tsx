import { EmptyNote, Section } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import type { EndpointCurve as Curve } from '@/lib/domain/webhooks/deliveries/read-endpoint-curve';
import { EndpointCurve } from './endpoint-curve';

/** `max`: how many deliveries are counted. */
type Props = { curve: Curve; max: number; now: Date };

/** How fast an endpoint responded in the last 7 days, and how often it failed. */
export function CurveSection({ curve, max, now }: Props) {
  return (
    <Section title="Last 7 days">
      {curve.steps.some(({ attempts }) => attempts > 0) ? (
        <EndpointCurve curve={curve} />
      ) : (
        <EmptyNote>No attempts in the last 7 days.</EmptyNote>
      )}
      {curve.since ? (
        <p className="text-xs text-muted">
          Only the newest {max.toLocaleString('en')} deliveries are counted. The oldest is from{' '}
          <Moment at={curve.since.toISOString()} now={now.toISOString()} />.
        </p>
      ) : null}
    </Section>
  );
}
