import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';
import type { AuditEntry, AuditPage } from '@/lib/schemas/audit';
import type { Page } from '@/lib/schemas/cursor';
import { auditAddress, isNarrowed } from './audit-address';
import { AuditTable } from './audit-table';

type Props = { path: string; query: AuditPage; page: Page<AuditEntry>; now: Date };

/** A page of the log and the way to the next, or why there is nothing. */
export function AuditList({ path, query, page, now }: Props) {
  const { items, next } = page;
  return (
    <>
      {items.length > 0 ? (
        <AuditTable path={path} query={query} entries={items} now={now} />
      ) : (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">
          {isNarrowed(query)
            ? 'Nothing in the log fits this.'
            : 'Nothing was changed yet. What people and API keys do from now on is listed here.'}
        </p>
      )}
      {query.after || next ? (
        <nav aria-label="Pages" className="flex justify-end gap-2">
          {query.after ? (
            <Link
              prefetch={false}
              href={auditAddress(path, { ...query, after: undefined })}
              className={buttonLook()}
            >
              First page
            </Link>
          ) : null}
          {next ? (
            <Link
              prefetch={false}
              href={auditAddress(path, { ...query, after: next })}
              className={buttonLook()}
            >
              Next page
            </Link>
          ) : null}
        </nav>
      ) : null}
    </>
  );
}
