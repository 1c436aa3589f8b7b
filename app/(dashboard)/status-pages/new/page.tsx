import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import { PageEditor } from '@/components/page-editor/page-editor';
import { BackLink } from '@/components/shell/back-link';
import { ReadOnlyNote } from '@/components/shell/read-only-note';
import { permits } from '@/lib/domain/context/permissions';
import { listMonitorNames } from '@/lib/domain/monitors/list-monitors';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createPageAction } from '../actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'New status page' };

export default async function NewStatusPagePage() {
  const { ctx } = await requireSession();
  const mayCreate = permits(ctx, 'status-page.create');
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <BackLink href="/status-pages" label="Status pages" />
        <h1 className="text-lg font-semibold">New status page</h1>
      </div>
      {mayCreate ? (
        <PageEditor
          save={createPageAction}
          monitors={await listMonitorNames(ctx)}
          baseUrl={await readBaseUrl()}
          page={null}
        />
      ) : (
        <ReadOnlyNote />
      )}
    </div>
  );
}
