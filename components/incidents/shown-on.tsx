import { ExternalLink } from 'lucide-react';
import { countSubscribers } from './incident-texts';

type Props = {
  audience: AudienceOf;
  /** The incident that the links lead to; without one they lead to the pages. */
  incidentId?: string;
};

/** The status pages that show an incident, and how many people each of them mails. */
export function ShownOn({ audience: { pages }, incidentId }: Props) {
  if (pages.length === 0) {
    return (
      <p className="rounded-lg border border-line bg-surface px-3 py-2 text-muted">
        No status page has one of these monitors.
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
              <ExternalLink className="size-3.5 shrink-0" aria-hidden="true" />
              <span className="sr-only">(opens a new tab)</span>
            </a>
          )}
          <span className="text-xs text-muted tabular-nums">
            {address === null ? 'not published' : countSubscribers(subscribers)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What follows from saying something: how many are mailed. */
export function MailNote({ audience: { mails } }: { audience: AudienceOf }) {
  return (
    <p className="text-xs text-muted" aria-live="polite">
      {mails === 0
        ? 'No subscriber is mailed.'
        : `${countSubscribers(mails)} of status pages ${mails === 1 ? 'is' : 'are'} mailed within a minute.`}
    </p>
  );
}

/** A status page as a choice of monitors is held against it. */
export type AudiencePage = {
  slug: string;
  name: string;
  published: boolean;
  /** Where the public reads it; null while nobody can. */
  address: string | null;
  monitors: readonly string[];
  subscribers: number;
};

export type AudienceOf = {
  /** Those that show an incident of these monitors, to the public or once they are published. */
  pages: AudiencePage[];
  /** How many mails an update sends. */
  mails: number;
};

/** Who gets to see an incident that affects these monitors: a page shows incidents of the monitors on it. */
export function audienceOf(pages: readonly AudiencePage[], monitors: readonly string[]): AudienceOf {
  const affected = new Set(monitors);
  const showing = pages.filter((page) => page.monitors.some((id) => affected.has(id)));
  const mails = showing.reduce((sum, { published, subscribers }) => sum + (published ? subscribers : 0), 0);
  return { pages: showing, mails };
}
