import {
  isOnePlace,
  nameRegion,
  nameRegionWithin,
  type RegionNames,
} from '@/components/monitors/regions/name-region';
import { capitalize } from '@/lib/core/text';
import { formatElapsed } from '@/lib/core/time/duration';
import type { Transition } from '@/lib/schemas/monitor/transition';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';

type Why = NonNullable<Transition['why']>;
type Vote = Why['regions'][number];

const TITLES: Record<Transition['to'], string> = {
  operational: 'Operational again',
  degraded: 'Became degraded',
  down: 'Went down',
  pending: 'Reset to pending',
  paused: 'Monitoring paused',
  maintenance: 'Maintenance started',
  unknown: 'Stopped reporting',
};

/** The titles of changes that depend on the state before. */
const CHANGE_TITLES: Readonly<Record<string, string>> = {
  'down → operational': 'Recovered',
  'degraded → operational': 'Recovered',
  'pending → operational': 'Came up',
  'null → operational': 'Came up',
  'null → pending': 'Monitor created',
  'null → paused': 'Monitor created, paused',
  'paused → pending': 'Monitoring resumed',
};

/** How stored rules are shown; null for those that only repeat the title. */
const STORED_RULES: Readonly<Record<string, string | null>> = {
  'monitoring was paused': null,
  'monitoring was resumed': null,
  'maintenance began': null,
  // Stored before the wording changed.
  'what is probed was changed': 'The probe settings changed',
};

/**
 * A state change as texts, from what is stored with it. `why` is null if the title is enough; `backdated` is null if the
 * change took effect immediately.
 */
export function formatTransition(transition: Transition, names: RegionNames = {}) {
  const { to, why, at, decidedAt } = transition;
  const lagMs = Date.parse(decidedAt) - Date.parse(at);
  const confirmed = to === 'down' ? 'the outage' : 'the change';
  return {
    title: titleOf(transition),
    why: formatWhy(transition, names),
    votes: why?.regions.map((vote) => formatVote(vote, names)) ?? [],
    backdated:
      lagMs < 1000
        ? null
        : `Starts at the first check that showed it, ${formatElapsed(lagMs)} before ${confirmed} was confirmed.`,
  };
}

function titleOf({ from, to }: Pick<Transition, 'from' | 'to'>): string {
  return CHANGE_TITLES[`${from} → ${to}`] ?? TITLES[to];
}

function formatWhy({ from, to, why }: Transition, names: RegionNames): string | null {
  if (why?.rule) {
    if (why.rule in STORED_RULES) return STORED_RULES[why.rule] ?? null;
    const text = formatRule(why.rule, names);
    // Where there is one place, that is all there is to say.
    const isStatus = to === 'operational' && text === 'Operational';
    return isStatus || text === titleOf({ from, to }) ? null : text;
  }
  if (to === 'unknown') return 'No region has reported recently';
  if (from === 'unknown') return 'Regions are reporting again';
  return from === null ? null : 'Reason unknown';
}

/** A stored rule as a sentence, with regions by their names. */
export function formatRule(rule: string, names: RegionNames): string {
  return upperFirst(nameRegionsIn(rule, names));
}

const REGION_IDS = new RegExp(`( in )?\\b(loc_\\d+|${BUILT_IN_REGION_IDS.join('|')})\\b`, 'g');

/**
 * A stored rule with the names of regions before its cause. Where there is one place, nothing is in a region: `this machine failed a
 * check`, `Recovered`.
 */
function nameRegionsIn(rule: string, names: RegionNames): string {
  const [what = '', ...cause] = rule.split(': ');
  const named = what.replace(REGION_IDS, (_, within: string | undefined, id: string) =>
    within && isOnePlace(nameRegion(names, id)) ? '' : `${within ?? ''}${nameRegionWithin(names, id)}`,
  );
  return [isAllOnePlace(names) ? withoutCounts(named) : named, ...cause].join(': ');
}

function isAllOnePlace(names: RegionNames): boolean {
  const all = Object.values(names);
  return all.length > 0 && all.every(isOnePlace);
}

/** A rule that counts regions, where these are one place with as many checks: `This machine failed a check`, `1 of 3 checks is failing`. */
function withoutCounts(rule: string): string {
  return rule
    .replace(/ in (all \d+|\d+ of \d+) regions/, '')
    .replace(/^\d+ of \d+ regions failed/, 'this machine failed')
    .replace(/^(\d+ of \d+) regions (is|are) /, '$1 checks $2 ');
}

/** `eu-west: failing, 3 failed checks in a row: connection refused`. */
export function formatVote(
  { region: id, verdict, failures, slows, vote, error }: Vote,
  names: RegionNames = {},
): string {
  const region = nameRegion(names, id);
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
      return `${region}: not enough checks yet`;
  }
}

function inARow(count: number, outcome: string): string {
  return count === 1 ? `one ${outcome} check` : `${count} ${outcome} checks in a row`;
}

/** Capitalizes a sentence, unless it starts with the name of a region. */
function upperFirst(text: string): string {
  if (BUILT_IN_REGION_IDS.some((region) => text.startsWith(region))) return text;
  return capitalize(text);
}
