import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { RecipientActions } from '@/components/notifications/email/recipient-actions';
import { RecipientForm } from '@/components/notifications/email/recipient-form';
import { PageHeading } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { getEmailRecipient } from '@/lib/domain/email-recipients/read-recipients';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../../act';
import { readRuleChoices } from '../../read-rule-choices';
import { deleteRecipientAction, resendConfirmationAction, updateRecipientAction } from '../actions';

export const metadata: Metadata = { title: 'Email recipient' };

export default async function RecipientPage({ params }: PageProps<'id'>) {
  const { ctx } = await requireSession();
  if (!permits(ctx, 'email-recipient.read')) notFound();
  const recipient = await orNotFound(getEmailRecipient(ctx, (await params).id));
  const { id, email, description, enabled, rules } = recipient;
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5">
      <PageHeading back={{ href: '/notifications/channels', label: 'Channels' }} title={email} />
      <RecipientActions
        recipient={recipient}
        now={ctx.clock.now().toISOString()}
        resend={ctx.mail.isOn ? resendConfirmationAction.bind(null, id) : null}
        remove={deleteRecipientAction.bind(null, id)}
      />
      <RecipientForm
        save={updateRecipientAction.bind(null, id)}
        initial={{ description, enabled: enabled ? 'on' : '', rules: JSON.stringify(rules) }}
        ruleChoices={await readRuleChoices(ctx)}
        submit="Save changes"
      />
    </div>
  );
}
