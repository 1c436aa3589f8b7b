import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { endpointName } from '@/components/notifications/delivery-texts';
import { EndpointForm } from '@/components/notifications/endpoint-form';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { getWebhook } from '@/lib/domain/webhooks/read-webhooks';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../../act';
import { previewAction, updateEndpointAction } from '../../actions';
import { endpointValues, formatChoices } from '../../endpoint-values';
import { readRuleChoices } from '../../read-rule-choices';

export const metadata: Metadata = { title: 'Edit channel' };

export default async function EditEndpointPage({ params }: PageProps<'id'>) {
  const { ctx } = await requireSession();
  const endpoint = await orNotFound(getWebhook(ctx, (await params).id));
  const href = `/notifications/${endpoint.id}`;
  return (
    <FormPage
      back={{ href: href, label: endpointName(endpoint) }}
      title="Edit channel"
      mayWrite={permits(ctx, 'webhook.update')}
    >
      <EndpointForm
        save={updateEndpointAction.bind(null, endpoint.id)}
        initial={endpointValues(endpoint)}
        formats={formatChoices()}
        testPath={`${href}/test`}
        preview={previewAction}
        ruleChoices={await readRuleChoices(ctx)}
        submit="Save changes"
        cancelHref={href}
      />
    </FormPage>
  );
}
