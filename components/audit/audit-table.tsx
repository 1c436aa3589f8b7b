import Link from 'next/link';
import { Moment } from '@/components/ui/moment';
import type { AuditEntry, AuditPage } from '@/lib/schemas/audit';
import { auditAddress } from './audit-address';
import { ChangeList } from './change-list';

const HEAD = 'px-3 py-2 text-left text-xs font-medium text-muted whitespace-nowrap';
const CELL = 'px-3 py-2 align-top max-sm:block max-sm:p-0';
const LINK = 'block truncate underline-offset-2 hover:underline';

type Props = { path: string; query: AuditPage; entries: AuditEntry[]; now: Date };

/** What was done, one deed a row; who and what are links to the rest of the same. */
export function AuditTable({ path, query, entries, now }: Props) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed border-collapse max-sm:block">
        <thead className="border-b border-line max-sm:sr-only">
          <tr>
            <th scope="col" className={`${HEAD} w-28`}>
              When
            </th>
            <th scope="col" className={`${HEAD} w-56`}>
              Who
            </th>
            <th scope="col" className={`${HEAD} w-56`}>
              What
            </th>
            <th scope="col" className={HEAD}>
              Change
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {entries.map((entry) => (
            <AuditRow key={entry.id} path={path} query={query} entry={entry} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = { path: string; query: AuditPage; entry: AuditEntry; now: Date };

function AuditRow({ path, query, entry, now }: RowProps) {
  const { at, action, actor, subject, before, after, address } = entry;
  const only = (narrower: Partial<AuditPage>) =>
    auditAddress(path, { ...query, after: undefined, ...narrower });
  return (
    <tr className="border-b border-line last:border-0 max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:px-3 max-sm:py-2.5">
      <td className={`${CELL} whitespace-nowrap text-muted tabular-nums max-sm:text-xs`}>
        <Moment at={at} now={now.toISOString()} />
      </td>
      <td className={CELL}>
        <Link
          prefetch={false}
          href={only({ actor: actor.id ?? 'operator' })}
          title={`Only what ${actor.name} did`}
          className={LINK}
        >
          {actor.name}
        </Link>
        <span className="block truncate text-xs text-muted">
          {KINDS[actor.kind]}
          {address ? ` from ${address}` : ''}
        </span>
      </td>
      <th scope="row" className={`${CELL} text-left font-normal`}>
        <span className="block truncate font-mono text-xs leading-5">{action}</span>
        <Link
          prefetch={false}
          href={only({ subject: subject.id })}
          title={`Only what was done to ${subject.name}`}
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

const KINDS = { user: 'Person', key: 'API key', operator: 'Operator' } as const;
