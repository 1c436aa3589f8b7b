import type { Metadata } from 'next';
import { EmailOffNote } from '@/components/mail-server/email-off-note';
import { RecipientForm } from '@/components/notifications/email/recipient-form';
import { FormPage } from '@/components/shell/page-heading';
import { Banner } from '@/components/ui/banner';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { readRuleChoices } from '../../read-rule-choices';
import { createRecipientAction } from '../actions';

export const metadata: Metadata = { title: 'New email recipient' };

export default async function NewRecipientPage() {
  const { ctx } = await requireSession();
  return (
    <FormPage
      back={{ href: '/notifications/channels', label: 'Channels' }}
      title="New email recipient"
      mayWrite={permits(ctx, 'email-recipient.create')}
    >
      {ctx.mail.isOn ? null : (
        <Banner tone="note">
          <EmailOffNote maySetUp={permits(ctx, 'mail-server.change')} />
        </Banner>
      )}
      <RecipientForm
        save={createRecipientAction}
        initial={{ enabled: 'on', rules: '[]' }}
        isNew
        ruleChoices={await readRuleChoices(ctx)}
        submit="Create recipient"
      />
    </FormPage>
  );
}
