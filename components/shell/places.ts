/** The sections of the dashboard in the order of their navigation. `key` after `g` goes there. */
export const PLACES = [
  { href: '/monitors', label: 'Monitors', key: 'm' },
  { href: '/incidents', label: 'Incidents', key: 'i' },
  { href: '/status-pages', label: 'Status pages', key: 's' },
  { href: '/maintenance', label: 'Maintenance', key: 'w' },
  { href: '/reports', label: 'Reports', key: 'r' },
  { href: '/notifications', label: 'Notifications', key: 'n' },
  { href: '/settings', label: 'Settings', key: ',' },
] as const;

/** Whether a path is a place or below it. */
export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
