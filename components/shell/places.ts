type Place = {
  href: string;
  label: string;
  /** The key that goes there after `g`. */
  key: string;
};

/** The sections of the dashboard in the order of their navigation. */
export const PLACES: readonly Place[] = [
  { href: '/monitors', label: 'Monitors', key: 'm' },
  { href: '/incidents', label: 'Incidents', key: 'i' },
  { href: '/status-pages', label: 'Status pages', key: 's' },
  { href: '/maintenance', label: 'Maintenance', key: 'w' },
  { href: '/notifications', label: 'Notifications', key: 'n' },
  { href: '/settings', label: 'Settings', key: ',' },
];
