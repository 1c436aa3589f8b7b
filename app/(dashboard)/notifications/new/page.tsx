import type { Metadata } from 'next';
import { EndpointForm } from '@/components/notifications/endpoint-form';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createEndpointAction, previewAction } from '../actions';
import { formatChoices, initialValues } from '../endpoint-values';
import { readRuleChoices } from '../read-rule-choices';

export const metadata: Metadata = { title: 'New endpoint' };

export default async function NewEndpointPage() {
  const { ctx } = await requireSession();
  return (
    <FormPage
      back={{ href: '/notifications', label: 'Notifications' }}
      title="New endpoint"
      mayWrite={permits(ctx, 'webhook.create')}
    >
      <EndpointForm
        save={createEndpointAction}
        initial={initialValues()}
        formats={formatChoices()}
        isNew
        preview={previewAction}
        ruleChoices={await readRuleChoices(ctx)}
        submit="Create endpoint"
        cancelHref="/notifications"
      />
    </FormPage>
  );
}
