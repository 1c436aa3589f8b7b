import { nameRegion, nameRegions, type RegionNames } from '@/components/monitors/regions/name-region';
import { Pagination } from '@/components/ui/navigation/pagination';
import { Segments } from '@/components/ui/navigation/segments';
import { EmptyNote, Section } from '@/components/ui/section';
import { isProbed } from '@/lib/checks/types';
import type { ListedCheck } from '@/lib/domain/monitors/history/read-results';
import type { Cursor, Page } from '@/lib/schemas/cursor';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorView } from '@/lib/schemas/monitor/monitor-view';
import type { CheckResult } from '@/lib/schemas/monitor/result';
import { evidenceHref, monitorHref } from '../monitor-href';
import { CheckTable } from './check-table';

type Props = { monitor: Monitor; view: MonitorView; page: Page<ListedCheck>; names: RegionNames; now: Date };

/** A page of a monitor's checks with filters and pagination. */
export function CheckList({ monitor, view, page, names, now }: Props) {
  const { id, regions } = monitor;
  const withFilter = (change: Partial<MonitorView>) => monitorHref(id, { ...view, after: null, ...change });
  const at = (after: Cursor | null) => withFilter({ after });
  const isPart = view.region !== undefined || view.outcome !== undefined || view.after !== null;
  const isChecked = isProbed(monitor);
  const awaited = isChecked ? 'The first check is running. This takes a few seconds.' : 'No heartbeats yet.';
  const emptyText = monitor.enabled ? awaited : 'No checks yet.';
  const filters = (
    <>
      {isChecked && nameRegions(names, regions).length > 1 ? (
        <Segments
          label="Filter checks by region"
          segments={[undefined, ...regions].map((region) => ({
            label: region === undefined ? 'All regions' : nameRegion(names, region),
            href: withFilter({ region }),
            isChosen: view.region === region,
          }))}
        />
      ) : null}
      <Segments
        label="Filter checks by result"
        segments={([undefined, 'failed'] as const).map((outcome) => ({
          label: outcome === undefined ? 'All' : 'Failed',
          href: withFilter({ outcome }),
          isChosen: view.outcome === outcome,
        }))}
      />
    </>
  );
  return (
    <Section title={isChecked ? 'Latest checks' : 'Latest heartbeats'} aside={filters}>
      {page.items.length > 0 ? (
        <CheckTable
          checks={page.items.map(({ result, evidenceId }) => ({
            result,
            evidenceHref: evidenceId && evidenceHref(id, { ...view, evidence: evidenceId }),
          }))}
          // A run may take any time.
          degradedThreshold={isChecked ? monitor.degradedThreshold : Number.POSITIVE_INFINITY}
          now={now.toISOString()}
        />
      ) : (
        <EmptyNote>{isPart ? 'No matching checks.' : emptyText}</EmptyNote>
      )}
      <Pagination
        first={view.after && at(null)}
        next={page.next && at(page.next)}
        list={{ label: 'Check pagination', first: 'Newest', next: 'Older' }}
      />
    </Section>
  );
}

/** Regions whose worker cannot run this type of check at all, such as ping without the privilege, and why. */
export function findUnavailable(latest: readonly CheckResult[]) {
  const unable = latest.filter(
    ({ outcome, errorCode }) => outcome === 'unknown' && errorCode === 'unavailable',
  );
  const [first] = unable;
  if (!first) return null;
  return {
    regions: unable.flatMap(({ region }) => region ?? []),
    reason: first.errorMessage ?? 'this type of check is not supported there',
  };
}
