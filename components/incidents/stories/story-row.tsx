import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { capitalize } from '@/lib/core/text';
import type { IncidentLine } from '@/lib/schemas/incidents/incident-log';

/** The story to which an incident belongs, with others. */
export type StoryOf = {
  id: string;
  /** What all have in common, as text; can be empty. */
  cause: string;
  /** How many incidents belong to it, on any page. */
  incidents: number;
};

/** Incidents that are one entry of a list; `story` is null for one that stands alone. */
export type StoryEntry = { story: StoryOf | null; incidents: IncidentLine[] };

/** Puts incidents of one story together, where the first of them is, if there are several in the list. */
export function bundleStories(
  incidents: readonly IncidentLine[],
  stories: ReadonlyMap<string, StoryOf>,
): StoryEntry[] {
  const entries = new Map<string, StoryEntry>();
  for (const incident of incidents) {
    const story = stories.get(incident.id) ?? null;
    const entry = entries.get(story?.id ?? incident.id);
    if (entry) entry.incidents.push(incident);
    else entries.set(story?.id ?? incident.id, { story, incidents: [incident] });
  }
  return [...entries.values()].map(({ story, incidents: own }) => {
    return { story: own.length > 1 ? story : null, incidents: own };
  });
}

type Props = {
  story: StoryOf;
  incidents: readonly IncidentLine[];
  /** Its status and severity, and how long it has lasted. */
  badges: ReactNode;
  duration: ReactNode;
  children: ReactNode;
};

/** One entry for the incidents of a story, which expands to them. */
export function StoryRow({
  story: { cause, incidents: total },
  incidents,
  badges,
  duration,
  children,
}: Props) {
  const first = incidents.at(-1);
  const elsewhere = total - incidents.length;
  return (
    <li className="border-b border-line last:border-0">
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center gap-x-3 gap-y-1 px-4 py-3 max-sm:flex-wrap hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="size-4 shrink-0 text-muted group-open:rotate-90" />
          <span className="min-w-0 grow max-sm:basis-[80%]">
            <span className="block truncate font-medium">
              {first?.title}, and {total - 1} more
            </span>
            <span className="block truncate text-xs text-muted">
              {capitalize(
                [`${incidents.length === total ? total : `${incidents.length} of ${total}`} monitors`, cause]
                  .filter((part) => part !== '')
                  .join(', '),
              )}
            </span>
          </span>
          <span className="flex shrink-0 items-center justify-end gap-x-4 max-sm:pl-7">
            {badges}
            <span className="text-xs text-muted tabular-nums">{duration}</span>
          </span>
        </summary>
        <ul className="border-t border-line bg-sunken/40 sm:pl-7">{children}</ul>
        {elsewhere > 0 ? (
          <p className="border-t border-line px-4 py-2 text-xs text-muted">
            {elsewhere} more in other sections or on other pages.
          </p>
        ) : null}
      </details>
    </li>
  );
}
