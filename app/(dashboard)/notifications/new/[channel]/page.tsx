import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { EndpointForm } from '@/components/notifications/endpoint-form';
import { ChannelMark } from '@/components/notifications/gallery/channel-mark';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { formatOf, WEBHOOK_FORMATS, type WebhookFormat } from '@/lib/webhook-formats/formats';
import { createEndpointAction, previewAction } from '../../actions';
import { formatChoice, initialValues } from '../../endpoint-values';
import { readRuleChoices } from '../../read-rule-choices';

type Props = PageProps<'channel'>;

/** The chosen format; shows the not-found page for others. */
async function loadFormat(params: Props['params']): Promise<WebhookFormat> {
  const { channel } = await params;
  return WEBHOOK_FORMATS.find((name) => name === channel) ?? notFound();
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Add ${formatOf(await loadFormat(params)).label}` };
}

export default async function NewChannelPage({ params }: Props) {
  const { ctx } = await requireSession();
  const format = await loadFormat(params);
  const choice = formatChoice(format);
  return (
    <FormPage
      back={{ href: '/notifications/new', label: 'Add a channel' }}
      title={choice.label}
      mayWrite={permits(ctx, 'webhook.create')}
    >
      <div className="flex items-center gap-3">
        <ChannelMark mark={choice.mark} />
        <p className="text-muted">{choice.hint}</p>
      </div>
      <EndpointForm
        save={createEndpointAction}
        initial={initialValues(format)}
        formats={[choice]}
        isNew
        testPath="/notifications/test"
        preview={previewAction}
        ruleChoices={await readRuleChoices(ctx)}
        submit="Save channel"
        cancelHref="/notifications/channels"
      />
    </FormPage>
  );
}
