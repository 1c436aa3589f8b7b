import type { PageView } from '@/lib/status-pages/read-page-view';
import type { Messages } from './messages/messages';
import { stateOf, type Tone } from './state';

/** What a page says first. `lastCheck` is set where it knows nothing newer. */
export type Headline = { tone: Tone; says: keyof Messages['banner']; lastCheck: string | null };

type Seen = Pick<PageView, 'asOf'> & {
  monitors: Pick<PageView['monitors'][number], 'enabled' | 'status' | 'inMaintenance' | 'lastCheckedAt'>[];
  incidents: Pick<PageView['incidents'][number], 'status'>[];
};

/** Three times the longest interval: whoever is silent for so long watches nothing. */
const SILENT_MS = 15 * 60_000;

/** The overall status in a sentence; monitors that are paused, or in announced maintenance, do not worsen it. */
export function headlineOf(view: Seen): Headline {
  const say = (tone: Tone, says: Headline['says'], lastCheck: string | null = null) => ({
    tone,
    says,
    lastCheck,
  });
  const enabled = view.monitors.filter((monitor) => monitor.enabled);
  if (view.monitors.length === 0) return say('rest', 'empty');
  if (enabled.length === 0) return say('rest', 'paused');
  const newest = enabled
    .flatMap((monitor) => monitor.lastCheckedAt ?? [])
    .sort()
    .at(-1);
  if (newest !== undefined && Date.parse(view.asOf) - Date.parse(newest) > SILENT_MS) {
    return say('rest', 'unknown', newest);
  }
  const states = enabled.map(stateOf);
  if (states.every((state) => state === 'down')) return say('bad', 'allDown');
  if (states.includes('down')) return say('bad', 'someDown');
  if (states.includes('degraded')) return say('slow', 'degraded');
  if (view.incidents.some((incident) => incident.status !== 'resolved')) return say('slow', 'incident');
  if (states.includes('maintenance')) return say('info', 'maintenance');
  if (states.every((state) => state === 'pending')) return say('rest', 'pending');
  return say('good', 'operational');
}
