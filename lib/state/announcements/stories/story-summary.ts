import { capitalize } from '@/lib/core/text';
import type { MonitorStatus } from '@/lib/state/types';

/** Names in a message; more are counted. */
const MAX_NAMES = 20;

/** A change of a monitor in a story. */
export type NamedChange = { monitorId: string; monitorName: string; status: MonitorStatus };

/** What the reader of a message hears of the rest of a story. */
export type StorySummary = {
  /** The status of most of the monitors that it is about. */
  status: 'operational' | 'degraded' | 'down';
  /** “Shop is down, and 12 more”; “12 monitors are down” for those who heard of none before. */
  title: string;
  /** The monitors by name, and what they have in common. */
  text: string;
};

/** What a reader heard of a story first. `isOver`: it has recovered from that since, and they know. */
export type HeardChange = NamedChange & { isOver: boolean };

/**
 * Summarizes the changes of a story that a reader has not heard of, in order. `first`: what they heard of it; null: nothing. `cause`: what all have in
 * common, as text; empty if it is not known. Monitors that went down and recovered since are mentioned as such.
 */
export function summarizeStory(
  first: HeardChange | null,
  changes: readonly NamedChange[],
  cause: string,
): StorySummary {
  const last = new Map(changes.map((change) => [change.monitorId, change]));
  const began = new Map(changes.toReversed().map((change) => [change.monitorId, change]));
  const all = [...last.values()];
  const hasBegun = ({ monitorId }: NamedChange) => began.get(monitorId)?.status !== 'operational';
  const recovered = all.filter((change) => change.status === 'operational' && hasBegun(change));
  const outages = all.filter(hasBegun);
  const shown = outages.length > 0 ? outages : all;
  const status = outages.length === 0 ? 'operational' : statusOf(outages, began);
  return {
    status,
    title: formatTitle(status, first, shown.length),
    text: [
      `${listNames(shown)}.`,
      ...(recovered.length > 0 ? [formatRecovered(recovered.length, shown.length)] : []),
      ...(cause === '' ? [] : [`${capitalize(cause)}.`]),
    ].join('\n'),
  };
}

function statusOf(outages: readonly NamedChange[], began: ReadonlyMap<string, NamedChange>) {
  return outages.some(({ monitorId }) => began.get(monitorId)?.status === 'down') ? 'down' : 'degraded';
}

const STATES = { operational: 'up again', degraded: 'degraded', down: 'down' } as const;

function formatTitle(status: keyof typeof STATES, first: HeardChange | null, count: number): string {
  const state = STATES[status];
  if (first !== null && !first.isOver) return `${first.monitorName} is ${state}, and ${count} more`;
  const more = first === null ? '' : ' more';
  return count === 1 ? `1${more} monitor is ${state}` : `${count}${more} monitors are ${state}`;
}

function listNames(changes: readonly NamedChange[]): string {
  const names = changes.slice(0, MAX_NAMES).map(({ monitorName }) => monitorName);
  const left = changes.length - names.length;
  return left > 0 ? `${names.join(', ')} and ${left} more` : names.join(', ');
}

function formatRecovered(count: number, of: number): string {
  if (count === of) return count === 1 ? 'It has recovered since.' : 'All of them have recovered since.';
  return count === 1 ? '1 of them has recovered since.' : `${count} of them have recovered since.`;
}
