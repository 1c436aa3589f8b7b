import type { Metadata } from 'next';
import { ChannelGallery } from '@/components/notifications/gallery/channel-gallery';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { channelChoices } from '../channel-choices';

export const metadata: Metadata = { title: 'Add a channel' };

export default async function NewChannelPage() {
  const { ctx } = await requireSession();
  return (
    <FormPage
      back={{ href: '/notifications/channels', label: 'Channels' }}
      title="Add a channel"
      isWide
      mayWrite={permits(ctx, 'webhook.create')}
    >
      <ChannelGallery choices={channelChoices()} />
    </FormPage>
  );
}
