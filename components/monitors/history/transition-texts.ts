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

/** Rules that would only repeat the title. */
const SAID_BY_TITLE: ReadonlySet<string> = new Set(['monitoring was paused', 'maintenance began']);

/** A change of state in words: what happened, why where that is not said by it, how each region saw it, and how it came to be dated so. */
export type ToldTransition = { title: string; why: string | null; votes: string[]; dating: string | null };

/** Tells a change of a monitor's state from what is stored with it. */
export function tellTransition(transition: Transition): ToldTransition {
  const { from, to, why, at, decidedAt } = transition;
  const lagMs = Date.parse(decidedAt) - Date.parse(at);
  return {
    title: to === 'operational' ? titleOfGood(from) : TITLES[to],
    why: why?.rule && SAID_BY_TITLE.has(why.rule) ? null : upperFirst(why?.rule ?? explainSilently(from, to)),
    votes: why?.regions.map(tellVote) ?? [],
    dating:
      lagMs < 1000
        ? null
        : `Counted from the first check that showed it, ${formatDuration(lagMs)} before it was sure.`,
  };
}

function titleOfGood(from: Transition['from']): string {
  if (from === 'down' || from === 'degraded') return 'Recovered';
  return from === 'pending' || from === null ? 'Came up' : 'Operational again';
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
