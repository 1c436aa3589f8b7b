import type { Metadata } from 'next';
import { NewEndpoint } from '@/components/notifications/new-endpoint';
import { BackLink } from '@/components/shell/back-link';
import { ReadOnlyNote } from '@/components/shell/read-only-note';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { initialValues } from '../endpoint-values';
import { createEndpointAction } from './actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'New endpoint' };

export default async function NewEndpointPage() {
  const { ctx } = await requireSession();
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5">
      <div className="flex flex-col gap-2">
        <BackLink href="/notifications" label="Notifications" />
        <h1 className="text-lg font-semibold">New endpoint</h1>
      </div>
      {permits(ctx, 'webhook.create') ? (
        <NewEndpoint create={createEndpointAction} initial={initialValues()} />
      ) : (
        <ReadOnlyNote />
      )}
    </div>
  );
}
