import { Tabs } from '@/components/ui/navigation/tabs';

const TABS = [
  { href: '/notifications', label: 'Who is notified' },
  { href: '/notifications/channels', label: 'Channels' },
  { href: '/notifications/deliveries', label: 'Deliveries' },
];

/** Tabs for who is notified, channels, and their deliveries. */
export function SectionTabs() {
  return <Tabs label="Notifications" tabs={TABS} />;
}
