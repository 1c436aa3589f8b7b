import type { Metadata } from 'next';
import { endpointName } from '@/components/notifications/delivery-texts';
import { EditEndpoint } from '@/components/notifications/endpoint-form';
import { BackLink } from '@/components/shell/back-link';
import { ReadOnlyNote } from '@/components/shell/read-only-note';
import { permits } from '@/lib/domain/context/permissions';
import { getWebhook } from '@/lib/domain/webhooks/read-webhooks';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../../act';
import { endpointValues } from '../../endpoint-values';
import { updateEndpointAction } from './actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Edit endpoint' };

type Props = { params: Promise<{ id: string }> };

export default async function EditEndpointPage({ params }: Props) {
  const { ctx } = await requireSession();
  const endpoint = await orNotFound(getWebhook(ctx, (await params).id));
  const href = `/notifications/${endpoint.id}`;
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5">
      <div className="flex flex-col gap-2">
        <BackLink href={href} label={endpointName(endpoint)} />
        <h1 className="text-lg font-semibold">Edit endpoint</h1>
      </div>
      {permits(ctx, 'webhook.update') ? (
        <EditEndpoint
          update={updateEndpointAction.bind(null, endpoint.id)}
          initial={endpointValues(endpoint)}
          cancelHref={href}
        />
      ) : (
        <ReadOnlyNote />
      )}
    </div>
  );
}
