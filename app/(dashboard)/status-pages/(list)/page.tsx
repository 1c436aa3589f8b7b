import type { Metadata } from 'next';
import { PlanNote } from '@/components/organization/plan-note';
import { PageList } from '@/components/page-editor/page-list';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { EmptyList, ListHeading } from '@/components/shell/list-heading';
import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import { permits } from '@/lib/domain/context/permissions';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { readPageStates } from '@/lib/domain/status-pages/read-page-status';
import { listStatusPages } from '@/lib/domain/status-pages/read-status-pages';
import { countSubscribers } from '@/lib/domain/subscribers/read-subscribers';
import { getEnvironment } from '@/lib/env';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { refreshAction } from '../../actions';

export const metadata: Metadata = { title: 'Status pages' };

export default async function StatusPagesPage() {
  const { ctx } = await requireSession();
  const [pages, states, subscribers, me] = await Promise.all([
    listStatusPages(ctx, readPageSettings(getEnvironment())),
    readPageStates(ctx),
    countSubscribers(ctx),
    readMe(ctx),
  ]);
  const mayCreate = permits(ctx, 'status-page.create');
  const limit = me.limits.statusPages;
  const create = mayCreate ? { href: '/status-pages/new', label: 'New status page' } : null;
  const isFull = limit !== null && pages.length >= limit;
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} of={['changes']} />
      <ListHeading title="Status pages" create={pages.length === 0 || isFull ? null : create}>
        {limit === null || pages.length === 0 ? null : (
          <span className="text-muted tabular-nums">
            {pages.length} of {limit}
          </span>
        )}
      </ListHeading>
      {mayCreate && isFull ? (
        <PlanNote>
          The {me.organization.plan} plan allows {limit} status pages, and all are in use.
        </PlanNote>
      ) : null}
      {pages.length === 0 ? (
        <EmptyList
          title="No status pages yet"
          text="A status page shows the public how the monitors you choose are doing, now and over the last 90 days, and what happened. It updates automatically, speaks the visitor’s language, and announces incidents and maintenance by email and feed, on your own domain if you like."
          create={create}
        >
          {create ? null : (
            <p className="text-muted">Ask a member or admin of this organization to create the first one.</p>
          )}
        </EmptyList>
      ) : (
        <PageList pages={pages} states={states} subscribers={subscribers} />
      )}
    </div>
  );
}
