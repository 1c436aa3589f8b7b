import type { PageView } from '@/lib/domain/status-pages/read-page-view';
import type { Messages } from './messages/messages';
import { stateOf, type Tone } from './state';

/** What a page says first. `noDataSince` is set where nothing at all is known since then. */
export type Headline = { tone: Tone; says: keyof Messages['banner']; noDataSince: string | null };

type Seen = {
  monitors: Pick<PageView['monitors'][number], 'enabled' | 'status' | 'inMaintenance' | 'noDataSince'>[];
  incidents: Pick<PageView['incidents'][number], 'status'>[];
};

/**
 * The overall status in a sentence; monitors that are paused, or in announced maintenance, do not worsen it. Never that
 * all is well while data of one is missing.
 */
export function headlineOf(view: Seen): Headline {
  const say = (tone: Tone, says: Headline['says'], noDataSince: string | null = null) => ({
    tone,
    says,
    noDataSince,
  });
  const enabled = view.monitors.filter((monitor) => monitor.enabled);
  if (view.monitors.length === 0) return say('rest', 'empty');
  if (enabled.length === 0) return say('rest', 'paused');
  const states = enabled.map(stateOf);
  const current = states.filter((state) => state !== 'maintenance');
  if (current.length > 0 && current.every((state) => state === 'noData')) {
    return say('rest', 'unknown', latestSilence(enabled));
  }
  if (states.every((state) => state === 'down')) return say('bad', 'allDown');
  if (states.includes('down')) return say('bad', 'someDown');
  if (states.includes('degraded')) return say('slow', 'degraded');
  if (view.incidents.some((incident) => incident.status !== 'resolved')) return say('slow', 'incident');
  if (states.includes('noData')) return say('rest', 'noData');
  if (states.includes('maintenance')) return say('info', 'maintenance');
  if (states.every((state) => state === 'pending')) return say('rest', 'pending');
  return say('good', 'operational');
}

function latestSilence(monitors: Seen['monitors']): string | null {
  const silent = monitors.flatMap(({ inMaintenance, noDataSince }) =>
    inMaintenance ? [] : (noDataSince ?? []),
  );
  return silent.toSorted().at(-1) ?? null;
}
