import { Tabs } from '@/components/ui/navigation/tabs';

const TABS = [
  { href: '/notifications', label: 'Endpoints' },
  { href: '/notifications/deliveries', label: 'Deliveries' },
];

/** Tabs for endpoints and their deliveries. */
export function SectionTabs() {
  return <Tabs label="Notifications" tabs={TABS} />;
}
