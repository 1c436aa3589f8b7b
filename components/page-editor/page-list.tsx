import { DataTable } from '@/components/ui/data-table';
import { RowLink } from '@/components/ui/section';
import type { PageState } from '@/lib/schemas/status-pages/page-state';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';
import { DomainBadge, PublishedBadge, StateBadge } from './badges';

const COLUMNS = [
  { label: 'Page' },
  { label: 'Status', className: 'w-40' },
  { label: 'Visibility', className: 'w-32' },
  { label: 'Domain', className: 'w-64' },
  { label: 'Monitors', className: 'w-24 text-right' },
  { label: 'Subscribers', className: 'w-28 text-right' },
];
const CELL = 'px-3 py-2.5 align-middle max-lg:p-0';
const ROW =
  'relative border-b border-line last:border-0 hover:bg-sunken has-[a:focus-visible]:bg-sunken max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1.5 max-lg:px-3 max-lg:py-3';

type Props = {
  pages: StatusPage[];
  /** By page ID. */
  states: ReadonlyMap<string, PageState>;
  subscribers: ReadonlyMap<string, number>;
};

export function PageList({ pages, states, subscribers }: Props) {
  return (
    <DataTable columns={COLUMNS} cardsBelow="lg">
      {pages.map((page) => (
        <PageRow
          key={page.id}
          page={page}
          state={states.get(page.id) ?? 'empty'}
          subscribers={subscribers.get(page.id) ?? 0}
        />
      ))}
    </DataTable>
  );
}

type RowProps = { page: StatusPage; state: PageState; subscribers: number };

function PageRow({ page, state, subscribers }: RowProps) {
  const { name, slug, published, monitors, customDomain, customDomainStatus } = page;
  return (
    <tr className={ROW}>
      <th scope="row" className={`${CELL} text-left font-normal max-lg:min-w-0`}>
        <RowLink href={`/status-pages/${slug}`} className="block truncate">
          {name}
        </RowLink>
        <span className="block truncate font-mono text-xs text-muted">/status/{slug}</span>
      </th>
      <td className={`${CELL} max-lg:justify-self-end`}>
        <StateBadge state={state} />
      </td>
      <td className={CELL}>
        <PublishedBadge isPublished={published} />
      </td>
      <td className={`${CELL} max-lg:hidden`}>
        {customDomain === null ? (
          <span className="text-muted">None</span>
        ) : (
          <>
            <span className="block truncate" title={customDomain}>
              {customDomain}
            </span>
            <span className="text-xs">
              <DomainBadge status={customDomainStatus.status} />
            </span>
          </>
        )}
      </td>
      <td className={`${CELL} text-right tabular-nums max-lg:hidden`}>{monitors.length}</td>
      <td className={`${CELL} text-right tabular-nums max-lg:text-xs max-lg:text-muted`}>
        {subscribers}
        <span className="lg:sr-only">{subscribers === 1 ? ' subscriber' : ' subscribers'}</span>
      </td>
    </tr>
  );
}
