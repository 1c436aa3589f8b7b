import { ExternalLink } from 'lucide-react';
import { countSubscribers } from './incident-texts';

/** A status page with the monitors it shows. */
export type AudiencePage = {
  slug: string;
  name: string;
  published: boolean;
  /** Public URL; null if there is none. */
  address: string | null;
  monitors: readonly string[];
  components: readonly { id: string; name: string }[];
  subscribers: number;
};

export type Audience = {
  /** Pages that show such an incident, including unpublished ones. */
  pages: AudiencePage[];
  /** Number of emails an update sends. */
  emails: number;
};

/** Who sees an incident that affects these monitors and components: a page shows incidents about its own rows. */
export function audienceOf(pages: readonly AudiencePage[], ids: readonly string[]): Audience {
  const affected = new Set(ids);
  const showing = pages.filter(
    (page) =>
      page.monitors.some((id) => affected.has(id)) || page.components.some(({ id }) => affected.has(id)),
  );
  const emails = showing.reduce((sum, { published, subscribers }) => sum + (published ? subscribers : 0), 0);
  return { pages: showing, emails };
}

type Props = {
  audience: Audience;
  /** Links to the incident on each page; without it, to the pages. */
  incidentId?: string;
};

/** The status pages that show an incident, with their subscriber counts. */
export function ShownOn({ audience: { pages }, incidentId }: Props) {
  if (pages.length === 0) {
    return (
      <p className="rounded-lg border border-line bg-surface px-3 py-2 text-muted">
        No status page shows what is affected.
      </p>
    );
  }
  return (
    <ul className="rounded-lg border border-line bg-surface">
      {pages.map(({ slug, name, address, subscribers }) => (
        <li
          key={slug}
          className="flex flex-wrap items-baseline justify-between gap-x-3 border-b border-line px-3 py-2 last:border-0"
        >
          {address === null ? (
            <span className="min-w-0 truncate">{name}</span>
          ) : (
            <a
              href={incidentId === undefined ? address : `${address}/incidents/${incidentId}`}
              target="_blank"
              rel="noopener"
              className="inline-flex min-w-0 items-center gap-1.5 text-accent underline underline-offset-2"
            >
              <span className="truncate">{name}</span>
              <ExternalLink className="size-3.5 shrink-0" />
              <span className="sr-only">(opens a new tab)</span>
            </a>
          )}
          <span className="text-xs text-muted tabular-nums">
            {address === null ? 'Not published' : countSubscribers(subscribers)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** How many subscribers an update emails. */
export function EmailNote({ audience: { emails } }: { audience: Audience }) {
  return (
    <p className="text-xs text-muted" aria-live="polite">
      {emails === 0
        ? 'No subscribers will be emailed.'
        : `${countSubscribers(emails)} will be emailed within a minute.`}
    </p>
  );
}
