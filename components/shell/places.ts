/** A part of the dashboard: how it is called, where it is, and the key that leads there after `g`. */
export type Place = { href: string; label: string; key: string };

/** The parts of the dashboard in the order of their navigation. */
export const PLACES: readonly Place[] = [
  { href: '/monitors', label: 'Monitors', key: 'm' },
  { href: '/incidents', label: 'Incidents', key: 'i' },
  { href: '/status-pages', label: 'Status pages', key: 's' },
  { href: '/maintenance', label: 'Maintenance', key: 'w' },
  { href: '/notifications', label: 'Notifications', key: 'n' },
  { href: '/settings', label: 'Settings', key: ',' },
];
