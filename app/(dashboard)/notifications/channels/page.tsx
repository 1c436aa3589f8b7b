import type { Metadata } from 'next';
import { RecipientList } from '@/components/notifications/email/recipient-list';
import { EmailChannel } from '@/components/notifications/email-channel';
import { EndpointList } from '@/components/notifications/endpoint-list';
import { SectionTabs } from '@/components/notifications/section-tabs';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { EmptyList, ListHeading } from '@/components/shell/list-heading';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { listEmailRecipients } from '@/lib/domain/email-recipients/read-recipients';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { readEmailChannel } from '@/lib/domain/notices/read-email-channel';
import { readLatestDeliveries } from '@/lib/domain/webhooks/read-deliveries';
import { listWebhooks } from '@/lib/domain/webhooks/read-webhooks';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { FORMATS } from '@/lib/webhook-formats/formats';
import { refreshAction } from '../../actions';
import { setEnabledAction } from '../actions';

export const metadata: Metadata = { title: 'Channels' };

export default async function ChannelsPage() {
  const { ctx } = await requireSession();
  const now = ctx.clock.now();
  const [endpoints, latest, email] = await Promise.all([
    listWebhooks(ctx),
    readLatestDeliveries(ctx),
    readEmailChannel(ctx),
  ]);
  const create = permits(ctx, 'webhook.create')
    ? { href: '/notifications/new', label: 'Add a channel' }
    : null;
  const help = create ? '' : ' Ask a member or admin of this organization to add the first channel.';
  return (
    <div className="flex flex-col gap-4">
      <AutoRefresh refresh={refreshAction} of={['changes', 'deliveries']} />
      <ListHeading title="Notifications" create={endpoints.length > 0 ? create : null} />
      <SectionTabs />
      <EmailChannel channel={email} now={now.toISOString()} maySetUp={permits(ctx, 'mail-server.change')}>
        <Recipients ctx={ctx} />
      </EmailChannel>
      {endpoints.length === 0 ? (
        <EmptyList
          title="No channels yet"
          text={`Add a channel to be notified within seconds when a monitor goes down, recovers, or slows down, and when an incident changes: in a chat, on your phone, or in a program of your own. Failed deliveries are retried five times over about 26 hours. Every attempt is logged here.${help}`}
          create={create}
        >
          <ButtonLink size="large" href="/docs#receiving-webhooks">
            How to receive webhooks
          </ButtonLink>
        </EmptyList>
      ) : (
        <EndpointList
          endpoints={endpoints}
          latest={latest}
          formatLabel={(format) => FORMATS[format].label}
          now={now}
          setEnabled={permits(ctx, 'webhook.update') ? setEnabledAction : undefined}
        />
      )}
    </div>
  );
}

/** Addresses without an account, for those who may see them. */
async function Recipients({ ctx }: { ctx: OrganizationContext }) {
  if (!permits(ctx, 'email-recipient.read')) return null;
  const [recipients, monitors] = await Promise.all([listEmailRecipients(ctx), listMonitorNames(ctx)]);
  return (
    <>
      {recipients.length === 0 ? null : (
        <RecipientList recipients={recipients} monitors={monitors} now={ctx.clock.now().toISOString()} />
      )}
      {permits(ctx, 'email-recipient.create') ? (
        <div>
          <ButtonLink href="/notifications/email/new">Add an email address</ButtonLink>
        </div>
      ) : null}
    </>
  );
}
