import type { Metadata } from 'next';
import { NewEndpoint } from '@/components/notifications/new-endpoint';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createEndpointAction } from '../actions';
import { initialValues } from '../endpoint-values';

export const metadata: Metadata = { title: 'New endpoint' };

export default async function NewEndpointPage() {
  const { ctx } = await requireSession();
  return (
    <FormPage
      back={{ href: '/notifications', label: 'Notifications' }}
      title="New endpoint"
      mayWrite={permits(ctx, 'webhook.create')}
    >
      <NewEndpoint create={createEndpointAction} initial={initialValues()} />
    </FormPage>
  );
}
