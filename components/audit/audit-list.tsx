import Link from 'next/link';
import { DataTable } from '@/components/ui/data-table';
import { countFilters } from '@/components/ui/forms/count-filters';
import { hrefWith } from '@/components/ui/navigation/href-with';
import { Pagination } from '@/components/ui/navigation/pagination';
import { EmptyNote } from '@/components/ui/section';
import { Moment } from '@/components/ui/time/moment';
import { storableText } from '@/lib/core/storable-text';
import type { AuditEntry, AuditPage } from '@/lib/schemas/audit';
import { formatCursor, type Page } from '@/lib/schemas/cursor';

const COLUMNS = [
  { label: 'Time', className: 'w-44' },
  { label: 'Actor', className: 'w-[24%]' },
  { label: 'Action', className: 'w-[24%]' },
  { label: 'Changes' },
];

type Props = { path: string; query: AuditPage; page: Page<AuditEntry>; now: Date };

/** A page of the log and the links to others, or an empty state. */
export function AuditList({ path, query, page, now }: Props) {
  const { items, next } = page;
  return (
    <>
      {items.length > 0 ? (
        <DataTable cardsBelow="sm" columns={COLUMNS}>
          {items.map((entry) => (
            <AuditRow key={entry.id} path={path} query={query} entry={entry} now={now} />
          ))}
        </DataTable>
      ) : (
        <EmptyNote>
          {countFilters(query) > 0
            ? 'No entries match these filters.'
            : 'No entries yet. Changes by members and API keys appear here.'}
        </EmptyNote>
      )}
      <Pagination
        first={query.after && auditAddress(path, { ...query, after: undefined })}
        next={next && auditAddress(path, { ...query, after: next })}
      />
    </>
  );
}

/** The URL of a query on the log. */
export function auditAddress(path: string, { after, ...filter }: AuditPage): string {
  return hrefWith(path, { ...filter, after: after && formatCursor(after) });
}

const CELL = 'px-3 py-2 align-top max-sm:block max-sm:p-0';
const LINK = 'touch block truncate underline-offset-2 hover:underline';
const KINDS = { user: 'User', key: 'API key', operator: 'Operator', endpoint: 'Link in a message' } as const;

type RowProps = Omit<Props, 'page'> & { entry: AuditEntry };

/** One action; its actor and subject link to all entries with the same one. */
function AuditRow({ path, query, entry, now }: RowProps) {
  const { at, action, actor, subject, before, after, address, requestId } = entry;
  const linkTo = (filter: Partial<AuditPage>) =>
    auditAddress(path, { ...query, after: undefined, ...filter });
  return (
    <tr className="border-b border-line last:border-0 max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:px-3 max-sm:py-2.5">
      <td className={`${CELL} whitespace-nowrap text-muted tabular-nums max-sm:text-xs`}>
        <Moment at={at} now={now.toISOString()} />
      </td>
      <td className={CELL}>
        <Link
          prefetch={false}
          href={linkTo({ actor: actor.id ?? 'operator' })}
          title={`Show only changes by ${actor.name}`}
          className={LINK}
        >
          {actor.name}
        </Link>
        <span className="block truncate text-xs text-muted">
          {KINDS[actor.kind]}
          {address ? ` from ${address}` : ''}
        </span>
        {requestId ? (
          <Link
            prefetch={false}
            href={linkTo({ requestId })}
            title={`Show only changes by the request ${requestId}`}
            className={`${LINK} font-mono text-xs text-muted`}
          >
            {requestId}
          </Link>
        ) : null}
      </td>
      <th scope="row" className={`${CELL} text-left font-normal`}>
        <span className="block truncate font-mono text-xs leading-5">{action}</span>
        <Link
          prefetch={false}
          href={linkTo({ subject: subject.id })}
          title={`Show only changes to ${subject.name}`}
          className={`${LINK} font-medium`}
        >
          {subject.name}
        </Link>
      </th>
      <td className={CELL}>
        <ChangeList before={before} after={after} />
      </td>
    </tr>
  );
}

/** The changed fields, one per line; all fields of something created or deleted are collapsed. */
function ChangeList({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  const names = fieldsOf(before, after);
  if (names.length === 0) return <span className="text-muted">–</span>;
  const lines = (
    <dl className="flex flex-col gap-0.5 text-xs leading-5">
      {names.map((name) => (
        <div key={name} className="flex min-w-0 flex-wrap gap-x-1.5">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 font-mono break-words">
            {before && after ? <OldValue value={before[name]} /> : null}
            {formatValue((after ?? before)?.[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
  if (before && after) return lines;
  return (
    <details>
      <summary className="cursor-pointer text-muted hover:text-ink">
        {after ? 'Initial values' : 'Last values'} ({names.length})
      </summary>
      <div className="pt-1">{lines}</div>
    </details>
  );
}

function OldValue({ value }: { value: unknown }) {
  return (
    <>
      <del className="text-muted decoration-line-strong">{formatValue(value)}</del>
      <span className="px-1 text-muted">
        <span aria-hidden="true">→</span>
        <span className="sr-only">changed to</span>
      </span>
    </>
  );
}

type Fields = Readonly<Record<string, unknown>> | null;

/** The names of the fields of both sides, in stored order. */
export function fieldsOf(before: Fields, after: Fields): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
}

const MAX_VALUE = 200;

/** A value as text: strings and lists of strings as they are, anything else as JSON, truncated. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (value === '') return 'empty';
  const text = typeof value === 'string' ? value : formatObject(value);
  return storableText(text, MAX_VALUE);
}

function formatObject(value: unknown): string {
  const isStringList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (isStringList) return value.length === 0 ? 'none' : value.join(', ');
  return JSON.stringify(value);
}
