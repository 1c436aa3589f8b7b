import { formatDuration } from '@/lib/core/duration';
import { REGION_IDS } from '@/lib/schemas/regions';
import type { Transition } from '@/lib/schemas/transition';

type Why = NonNullable<Transition['why']>;
type Vote = Why['regions'][number];

const TITLES: Record<Transition['to'], string> = {
  operational: 'Came up',
  degraded: 'Became degraded',
  down: 'Went down',
  pending: 'Checks began',
  paused: 'Was paused',
  maintenance: 'Maintenance began',
  unknown: 'Fell silent',
};

/** A change of state in words: what happened, why, how each region saw it, and how it came to be dated so. */
export type ToldTransition = { title: string; why: string; votes: string[]; dating: string | null };

/** Tells a change of a monitor's state from what is stored with it. */
export function tellTransition(transition: Transition): ToldTransition {
  const { from, to, why, at, decidedAt } = transition;
  const isRecovery = to === 'operational' && (from === 'down' || from === 'degraded');
  const lagMs = Date.parse(decidedAt) - Date.parse(at);
  return {
    title: isRecovery ? 'Recovered' : TITLES[to],
    why: upperFirst(why?.rule ?? explainSilently(from, to)),
    votes: why?.regions.map(tellVote) ?? [],
    dating:
      lagMs < 1000
        ? null
        : `Counted from the first check that showed it, ${formatDuration(lagMs)} before it was sure.`,
  };
}

/** Why, where nothing is stored: at its beginning, and when checks fall silent and come again. */
function explainSilently(from: Transition['from'], to: Transition['to']): string {
  if (to === 'unknown') return 'no region reported for some time';
  if (from === 'unknown') return 'regions report again';
  if (from === null && to === 'pending') return 'the monitor was made';
  if (from === null && to === 'paused') return 'the monitor was made, paused';
  return 'nothing is known of why';
}

/** `eu-west: failing, 3 failed checks in a row: connection refused`. */
export function tellVote({ region, verdict, failures, slows, vote, error }: Vote): string {
  if (!vote) return `${region}: no recent result, so no vote`;
  const cause = error ? `: ${error.message}` : '';
  switch (verdict) {
    case 'failing':
      return `${region}: failing, ${inARow(failures, 'failed')}${cause}`;
    case 'slow':
      return `${region}: slow, ${inARow(slows, 'slow')}`;
    case 'good':
      return failures > 0 ? `${region}: good, but ${inARow(failures, 'failed')}${cause}` : `${region}: good`;
    case null:
      return `${region}: too few checks to say`;
  }
}

function inARow(count: number, what: string): string {
  return count === 1 ? `one ${what} check` : `${count} ${what} checks in a row`;
}

/** The name of a region stays as it is written. */
function upperFirst(text: string): string {
  if (REGION_IDS.some((region) => text.startsWith(region))) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
