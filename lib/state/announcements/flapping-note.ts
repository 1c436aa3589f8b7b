import { formatElapsed, formatMinute } from '@/lib/core/time/duration';
import { FLAPPING } from './decide-flapping';

/** How a monitor stopped flapping: it was steady, or something else happened first. */
export type FlappingEnd = 'steady' | 'paused' | 'deleted' | 'maintenance' | 'changed';

/** What people are notified of instead of single changes of a monitor: that it flaps, and how that ended. Times are ISO 8601. */
export type FlappingNote = {
  monitor: { id: string; name: string };
  at: string;
  /** Identifies the time in which the monitor flaps: the same when it begins and when it ends. */
  key: string;
} & (
  | { kind: 'began' }
  | {
      kind: 'ended';
      end: FlappingEnd;
      status: 'operational' | 'degraded' | 'down';
      /** Since when it has had this status. */
      since: string;
      /** How often it was down, and for how long in milliseconds, without the current outage. The same for degraded. */
      down: Spells;
      degraded: Spells;
    }
);

export type Spells = { count: number; ms: number };

/** The key of the time in which a monitor flaps, which began at `since`. */
export function formatFlappingKey(monitorId: string, since: Date): string {
  return `flapping ${monitorId} ${since.toISOString()}`;
}

const ENDS: Record<Exclude<FlappingEnd, 'steady'>, string> = {
  paused: 'it was paused',
  deleted: 'it was deleted',
  maintenance: 'it is in maintenance',
  changed: 'it was changed, and its checks start over',
};

/** What became of a monitor, to follow its name: `is flapping`. */
export function formatFlappingTitle(note: FlappingNote): string {
  if (note.kind === 'began') return 'is flapping';
  if (note.end !== 'steady') return `is no longer flapping: ${ENDS[note.end]}`;
  const since = `since ${formatMinute(new Date(note.since))}`;
  return note.status === 'operational'
    ? `is steady again: operational ${since}`
    : `is ${note.status} ${since}`;
}

/** The sentences that explain it; empty if there is nothing to add. */
export function formatFlappingText(note: FlappingNote): string {
  if (note.kind === 'began') {
    const { changes, withinMs, steadyMs } = FLAPPING;
    return `${changes} changes in the last ${formatMinutes(withinMs)}. You get the next message once it has been steady for ${formatMinutes(steadyMs)}.`;
  }
  const atTheEnd =
    note.end === 'steady' || note.status === 'operational' ? '' : `It was ${note.status} then. `;
  const spells = formatSpells(note);
  if (spells === '') return atTheEnd.trim();
  const before = note.status === 'operational' ? 'It was' : 'Before that, it was';
  return `${atTheEnd}${before} ${spells}.`;
}

/** How often a monitor was down while it flapped, or degraded if it never was: `down 7 times, 12m in total`; empty without either. */
export function formatSpells(note: FlappingNote): string {
  if (note.kind === 'began') return '';
  const kind = note.down.count > 0 ? 'down' : 'degraded';
  const { count, ms } = note[kind];
  if (count === 0) return '';
  return `${kind} ${count === 1 ? 'once' : `${count} times`}, ${formatElapsed(ms)} in total`;
}

function formatMinutes(ms: number): string {
  return `${ms / 60_000} minutes`;
}
