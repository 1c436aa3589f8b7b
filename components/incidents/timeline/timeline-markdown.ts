import type { TimelineEntry } from '@/lib/domain/timelines/timeline-entry';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { STATUS_LABELS } from '../incident-texts';
import { describeEntry } from './timeline-texts';

/** A postmortem has at most 20,000 characters, and people add the rest. */
const MAX_CHARACTERS = 8000;

type Line = { at: Date; text: string };

/**
 * A timeline as a Markdown list, oldest first, in UTC. Contains what may be published: updates, but neither names of people and endpoints nor
 * errors. Lines that would make it too long are left out, and counted at its end.
 */
export function formatTimelineMarkdown(
  entries: readonly TimelineEntry[],
  updates: Incident['updates'],
): string {
  const lines: Line[] = [
    ...entries.map((entry) => ({ at: entry.at, text: describeEntry(entry).text })),
    ...updates.map(({ createdAt, status, message }) => {
      return { at: new Date(createdAt), text: `${STATUS_LABELS[status]}: ${message.replace(/\s+/g, ' ')}` };
    }),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  const shown: string[] = [];
  let length = 0;
  for (const [index, { at, text }] of lines.entries()) {
    const item = `- **${formatMoment(at, lines[index - 1]?.at)}** ${text}`;
    length += item.length + 1;
    if (length > MAX_CHARACTERS) break;
    shown.push(item);
  }
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`- ${left} more`] : [])].join('\n');
}

/** `2026-11-26 14:03:07 UTC` on the first line of a day, else `14:03:07`. */
function formatMoment(at: Date, before: Date | undefined): string {
  const [day, time = ''] = at.toISOString().slice(0, 19).split('T');
  return before?.toISOString().slice(0, 10) === day ? time : `${day} ${time} UTC`;
}
