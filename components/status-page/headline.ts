import type { PageView } from '@/lib/domain/status-pages/public/read-page-view';
import type { Messages } from './messages/messages';
import { type StateFields, stateOf, type Tone } from './state';

/** The overall status. `noDataSince` is set if there is no current data at all. */
export type Headline = { tone: Tone; message: keyof Messages['banner']; noDataSince: string | null };

type Seen = {
  monitors: StateFields[];
  incidents: Pick<PageView['incidents'][number], 'status' | 'severity'>[];
};

/**
 * The overall status in one sentence. Paused monitors and those in maintenance do not worsen it. Never "all operational"
 * while the data of a monitor is missing.
 */
export function headlineOf(view: Seen): Headline {
  const headline = (tone: Tone, message: Headline['message'], noDataSince: string | null = null) => ({
    tone,
    message,
    noDataSince,
  });
  const enabled = view.monitors.filter((monitor) => monitor.enabled);
  if (view.monitors.length === 0) return headline('rest', 'empty');
  if (enabled.length === 0) return headline('rest', 'paused');
  const states = enabled.map(stateOf);
  const current = states.filter((state) => state !== 'maintenance');
  if (current.length > 0 && current.every((state) => state === 'noData')) {
    return headline('rest', 'unknown', latestSilence(enabled));
  }
  if (states.every((state) => state === 'down')) return headline('bad', 'allDown');
  if (states.includes('down')) return headline('bad', 'someDown');
  if (states.includes('degraded')) return headline('slow', 'degraded');
  const severity = worstOpenSeverity(view.incidents);
  if (severity !== undefined) return headline('slow', `${severity}Incident`);
  if (states.includes('noData')) return headline('rest', 'noData');
  if (states.includes('maintenance')) return headline('info', 'maintenance');
  if (states.every((state) => state === 'pending')) return headline('rest', 'pending');
  return headline('good', 'operational');
}

function worstOpenSeverity(incidents: Seen['incidents']) {
  const open = incidents.filter((incident) => incident.status !== 'resolved');
  return (['critical', 'major', 'minor'] as const).find((each) =>
    open.some(({ severity }) => severity === each),
  );
}

function latestSilence(monitors: Seen['monitors']): string | null {
  const silent = monitors.flatMap(({ inMaintenance, noDataSince }) =>
    inMaintenance ? [] : (noDataSince ?? []),
  );
  return silent.toSorted().at(-1) ?? null;
}
