import { Banner } from '@/components/ui/banner';
import { Moment } from '@/components/ui/moment';
import type { UnservedRegion } from '@/lib/domain/monitors/silence';

/** Names the regions that send no data, on every screen, so that nobody takes the silence for good news. */
export function SilentRegionsNote({ regions, now }: { regions: UnservedRegion[]; now: Date }) {
  if (regions.length === 0) return null;
  return (
    <Banner tone="slow" className="mb-6">
      {regions.map(({ region, since, monitors, withoutData }) => (
        <p key={region}>
          <strong className="font-semibold">No data from {region}.</strong>{' '}
          {since === null ? (
            'No worker has run in this region yet'
          ) : (
            <>
              Its last worker was seen <Moment at={since.toISOString()} now={now.toISOString()} />
            </>
          )}
          : {describeEffect(monitors, withoutData)} Start a worker for this region, or check that its machine
          runs and reaches the database.
        </p>
      ))}
    </Banner>
  );
}

function describeEffect(monitors: number, withoutData: number): string {
  const checked = monitors - withoutData;
  const parts = [
    ...(withoutData > 0 ? [`${count(withoutData)} without current data`] : []),
    ...(checked > 0 ? [`${count(checked)} still checked from other regions`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function count(monitors: number): string {
  return `${monitors} ${monitors === 1 ? 'monitor' : 'monitors'}`;
}

/** Tells that Inngest wakes nobody any more, and that nothing is lost by it: the workers look for themselves. */
export function SilenceNote({ since, now }: { since: Date | null; now: Date }) {
  if (since === null) return null;
  return (
    <Banner tone="slow" className="mb-6">
      Inngest fell silent <Moment at={since.toISOString()} now={now.toISOString()} />. The workers wake
      themselves meanwhile: checks and deliveries go on. See that the Inngest server runs and reaches the
      workers.
    </Banner>
  );
}
