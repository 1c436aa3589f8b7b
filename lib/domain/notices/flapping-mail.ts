import {
  type FlappingNote,
  formatFlappingText,
  formatFlappingTitle,
  formatSpells,
} from '@/lib/state/announcements/flapping-note';

/** What an email says about a monitor that flaps, or does not any more: its title, and the sentences below it. */
export function formatFlapping(
  name: string,
  note: FlappingNote,
  error: string | null,
): { title: string; sentences: [string, ...string[]] } {
  const title = `${name} ${formatFlappingTitle(note)}`;
  const text = formatFlappingText(note);
  const cause = error === null ? [] : [`Error: ${error}`];
  return text === '' ? { title, sentences: [`${title}.`] } : { title, sentences: [text, ...cause] };
}

/** The same about a monitor in a list, next to its name. */
export function formatFlappingDetail(note: FlappingNote): string {
  const [title, text] = [formatFlappingTitle(note), formatFlappingText(note)];
  return note.kind === 'began' ? text : `${title}. ${text}`.trim();
}

/** What the email about an outage says if the monitor flapped before it was steady; none if it did not. */
export function listFlappingHistory(note: FlappingNote | null): string[] {
  if (note === null) return [];
  const spells = formatSpells(note);
  return [`It was flapping before${spells === '' ? '' : `: ${spells}`}.`];
}
