import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';
import { Segments } from '@/components/ui/segments';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorView } from '@/lib/schemas/monitor-view';
import type { Cursor, Page } from '@/lib/schemas/query';
import type { CheckResult } from '@/lib/schemas/result';
import { monitorAddress } from '../monitor-address';
import { CheckTable } from './check-table';

type Props = { monitor: Monitor; view: MonitorView; page: Page<CheckResult>; now: Date };

/** A page of a monitor's checks, what narrows it, and the ways to older and to the newest ones. */
export function CheckList({ monitor, view, page, now }: Props) {
  const { id, regions } = monitor;
  const narrow = (change: Partial<MonitorView>) => monitorAddress(id, { ...view, after: null, ...change });
  const at = (after: Cursor | null) => narrow({ after });
  const isNarrowed = view.region !== undefined || view.outcome !== undefined;
  return (
    <section aria-labelledby="checks-title" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="checks-title" className="mr-auto text-sm font-semibold">
          Latest checks
        </h2>
        {regions.length > 1 ? (
          <Segments
            label="Checks by region"
            segments={[undefined, ...regions].map((region) => ({
              label: region ?? 'All regions',
              href: narrow({ region }),
              isChosen: view.region === region,
            }))}
          />
        ) : null}
        <Segments
          label="Checks by result"
          segments={([undefined, 'failed'] as const).map((outcome) => ({
            label: outcome === undefined ? 'All' : 'Failed',
            href: narrow({ outcome }),
            isChosen: view.outcome === outcome,
          }))}
        />
      </div>
      {page.items.length > 0 ? (
        <CheckTable
          checks={page.items}
          degradedThreshold={monitor.degradedThreshold}
          now={now.toISOString()}
        />
      ) : (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">
          {isNarrowed || view.after ? 'No such check is kept.' : sayNoCheck(monitor)}
        </p>
      )}
      {view.after || page.next ? (
        <nav aria-label="Pages of checks" className="flex justify-end gap-2">
          {view.after ? (
            <Link prefetch={false} scroll={false} href={at(null)} className={buttonLook()}>
              Newest
            </Link>
          ) : null}
          {page.next ? (
            <Link prefetch={false} scroll={false} href={at(page.next)} className={buttonLook()}>
              Older
            </Link>
          ) : null}
        </nav>
      ) : null}
    </section>
  );
}

function sayNoCheck({ enabled }: Monitor): string {
  return enabled ? 'The first check is on its way; it takes a few seconds.' : 'No check was done yet.';
}

/** The regions whose worker cannot do checks of this kind at all, such as ping where nothing may send it, and why. */
export function findUnavailable(
  latest: readonly CheckResult[],
): { regions: string[]; reason: string } | null {
  const unable = latest.filter(
    ({ outcome, errorCode }) => outcome === 'unknown' && errorCode === 'unavailable',
  );
  const [first] = unable;
  if (!first) return null;
  return {
    regions: unable.flatMap(({ region }) => region ?? []),
    reason: first.errorMessage ?? 'checks of this kind are not possible there',
  };
}
