import { SERVICE_TEXTS } from '@/lib/schemas/incidents/service-texts';

/** What a monitor recovered from. */
type Trouble = 'down' | 'degraded';

const RECOVERED: Record<Trouble, string> = { down: 'up', degraded: 'no longer degraded' };

/** “Shop is up after 14m”; `after` is null if it is not known for how long it was not. */
export function formatRecovery(name: string, from: Trouble, after: string | null): string {
  return `${name} is ${RECOVERED[from]}${after === null ? '' : ` after ${after}`}`;
}

/** The same for an automatic incident that the recovery of its monitor resolved; null if a person wrote its title. */
export function formatRecoveryOf({ title, duration }: { title: string; duration: string }): string | null {
  const from = (['down', 'degraded'] as const).find((trouble) => title.endsWith(endingOf(trouble)));
  return from === undefined ? null : formatRecovery(title.slice(0, -endingOf(from).length), from, duration);
}

/** How the title of an automatic incident ends, after the name of its monitor. */
function endingOf(trouble: Trouble): string {
  return SERVICE_TEXTS.en[trouble].replace('{name}', '');
}
