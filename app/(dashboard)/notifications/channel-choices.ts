import type { ChannelChoice } from '@/components/notifications/gallery/channel-gallery';
import { formatOf, WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';

/** The entries of the gallery: one for each format, and what is a channel without being one. */
export function channelChoices(): ChannelChoice[] {
  const formats = WEBHOOK_FORMATS.map((name) => {
    const { label, hint, group, mark } = formatOf(name);
    return { href: `/notifications/new/${name}`, label, hint, group, mark };
  });
  return [EMAIL, ...formats];
}

const EMAIL: ChannelChoice = {
  href: '/notifications/email/new',
  label: 'Email',
  hint: 'Alerts to an address, once its owner has confirmed it. Members choose theirs in their profiles.',
  group: 'email',
  mark: { letters: '@', color: '#475569' },
};
