import { formatDuration } from '@/lib/core/duration';
import { formatExact } from '@/lib/core/relative-time';
import type { Incident } from '@/lib/schemas/incident';

/** Where a postmortem begins: the facts that are known, and headings over what is to be written. */
export function draftPostmortem({ startedAt, resolvedAt }: Incident, names: readonly string[]): string {
  const began = new Date(startedAt);
  const ended = resolvedAt === null ? null : new Date(resolvedAt);
  const length = ended === null ? [] : [`**Duration:** ${formatDuration(ended.getTime() - began.getTime())}`];
  const facts = [
    `**Began:** ${formatExact(began)}`,
    ...length,
    ...(names.length === 0 ? [] : [`**Affected:** ${names.join(', ')}`]),
  ];
  const headings = ['Summary', 'Impact', 'Root cause', 'What we change'];
  return [facts.join('\n'), ...headings.map((heading) => `## ${heading}\n`)].join('\n\n');
}
