import { ExternalLink } from 'lucide-react';
import type { AudienceOf } from './audience-of';
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
