import { RowLink, Section } from '@/components/ui/section';
import { capitalize } from '@/lib/core/text';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { IncidentStatusBadge } from '../incident-list';
import type { StoryOf } from './story-row';

type Props = { story: StoryOf; others: Pick<Incident, 'id' | 'title' | 'status'>[] };

/** The other incidents of the story to which one belongs. */
export function StoryMembers({ story: { cause, incidents }, others }: Props) {
  const more = incidents - 1;
  const left = more - others.length;
  return (
    <Section title={`Part of a larger outage: ${more} more`}>
      {cause === '' ? null : <p className="text-xs text-muted">{capitalize(cause)}.</p>}
      <ul className="rounded-lg border border-line bg-surface">
        {others.map(({ id, title, status }) => (
          <li
            key={id}
            className="relative flex items-center justify-between gap-3 border-b border-line px-3 py-2 last:border-0 hover:bg-sunken has-focus-visible:bg-sunken"
          >
            <RowLink href={`/incidents/${id}`} className="min-w-0 truncate">
              {title}
            </RowLink>
            <IncidentStatusBadge status={status} />
          </li>
        ))}
        {left > 0 ? <li className="px-3 py-2 text-muted">and {left} more</li> : null}
      </ul>
    </Section>
  );
}
