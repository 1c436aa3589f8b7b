import { isOnePlace, nameRegion, type RegionNames } from '@/components/monitors/regions/name-region';
import { RegionList, RegionName } from '@/components/monitors/regions/region-names';
import { Banner } from '@/components/ui/banner';
import { LocalTime, Moment } from '@/components/ui/time/moment';
import type { UnservedRegion } from '@/lib/domain/monitors/worker-notes';

/** Warns on every page that workers lost their own network: no alerts does not mean no outages. */
export function CutOffNote({ regions, now }: { regions: { region: string; since: Date }[]; now: Date }) {
  const [first] = regions;
  if (!first) return null;
  return (
    <Banner tone="slow" className="mb-6">
      <strong className="font-semibold">
        Pharos has been unable to reach the network since{' '}
        <LocalTime at={first.since.toISOString()} now={now.toISOString()} />
      </strong>{' '}
      from <RegionList ids={[...new Set(regions.map(({ region }) => region))]} isSentence />. Failures to
      reach targets count as unknown and send no alerts. Successful checks still count.
    </Banner>
  );
}

/** Names the regions that send no data, on every page, so that missing data is not mistaken for good news. */
export function SilentRegionsNote(props: { regions: UnservedRegion[]; names: RegionNames; now: Date }) {
  const { regions, names, now } = props;
  if (regions.length === 0) return null;
  const isOne = ({ region }: UnservedRegion) => isOnePlace(nameRegion(names, region));
  const [here] = regions.filter(isOne);
  return (
    <Banner tone="slow" className="mb-6">
      {here ? <SilentPlaceNote place={here} now={now} /> : null}
      {regions
        .filter((each) => !isOne(each))
        .map(({ region, since, monitors, withoutData }) => (
          <p key={region}>
            <strong className="font-semibold">
              No data from <RegionName id={region} />.
            </strong>{' '}
            {since === null ? (
              'No worker has run in this region yet.'
            ) : (
              <>
                Its last worker was seen <Moment at={since.toISOString()} now={now.toISOString()} />.
              </>
            )}{' '}
            {formatEffect(monitors, withoutData)} Start a worker in this region, or check that its host is
            running and can reach the database.
          </p>
        ))}
    </Banner>
  );
}

/** No worker runs: all regions that are one place are silent. */
function SilentPlaceNote({ place: { region, since }, now }: { place: UnservedRegion; now: Date }) {
  return (
    <p>
      <strong className="font-semibold">
        No data from <RegionName id={region} isSentence />.
      </strong>{' '}
      {since === null ? (
        'No worker has run yet.'
      ) : (
        <>
          The last worker was seen <Moment at={since.toISOString()} now={now.toISOString()} />.
        </>
      )}{' '}
      Its monitors have no current data. Start a worker, or check that it is running and can reach the
      database.
    </p>
  );
}

function formatEffect(monitors: number, withoutData: number): string {
  const checked = monitors - withoutData;
  const unknown = `${count(withoutData)} ${withoutData === 1 ? 'has' : 'have'} no current data`;
  const known = `${count(checked)} ${checked === 1 ? 'is' : 'are'} still checked from other regions`;
  if (checked === 0) return `${unknown}.`;
  return withoutData === 0 ? `${known}.` : `${unknown}, ${known}.`;
}

function count(monitors: number): string {
  return `${monitors} ${monitors === 1 ? 'monitor' : 'monitors'}`;
}

/** Shows that Inngest no longer triggers the workers, which keep running on their own. */
export function SilenceNote({ since, now }: { since: Date | null; now: Date }) {
  if (since === null) return null;
  return (
    <Banner tone="slow" className="mb-6">
      Inngest stopped responding <Moment at={since.toISOString()} now={now.toISOString()} />. Checks and
      deliveries continue without it. Make sure that the Inngest server is running and can reach the workers.
    </Banner>
  );
}
