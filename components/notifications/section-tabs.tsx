import { Tabs } from '@/components/ui/navigation/tabs';

const TABS = [
  { href: '/notifications', label: 'Endpoints' },
  { href: '/notifications/deliveries', label: 'Deliveries' },
  { href: '/notifications/listeners', label: 'Who is notified' },
];

/** Tabs for endpoints and their deliveries. */
export function SectionTabs() {
  return <Tabs label="Notifications" tabs={TABS} />;
}
