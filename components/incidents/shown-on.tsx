import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDuration } from '@/lib/core/time/duration';
import {
  isShownOn,
  type Publishable,
  type PublishingPage,
} from '@/lib/schemas/status-pages/automatic-incidents';
import { countSubscribers } from './incident-texts';

/** A status page with the monitors it shows. */
export type AudiencePage = PublishingPage<string> & {
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
  /** The names of those whose subscribers are notified of an update. */
  notified: string[];
  /** Number of emails an update sends. */
  emails: number;
};

/** The components of these pages, in order. */
export function componentsOf(pages: readonly AudiencePage[]): AudiencePage['components'] {
  return pages.flatMap(({ components }) => components);
}

/**
 * Who sees an incident that affects these monitors and components: a page shows incidents about its own rows. Subscribers of pages that do
 * not show an automatic one are not notified.
 */
export function audienceOf(
  pages: readonly AudiencePage[],
  ids: readonly string[],
  incident: Publishable<string> = { automatic: false, publishedOn: [], resolvedAt: null },
): Audience {
  const affected = new Set(ids);
  const showing = pages.filter(
    (page) =>
      page.monitors.some((id) => affected.has(id)) || page.components.some(({ id }) => affected.has(id)),
  );
  const notified = showing.filter((page) => page.published && isShownOn(page, incident));
  const heard = notified.filter(({ subscribers }) => subscribers > 0);
  const emails = heard.reduce((sum, { subscribers }) => sum + subscribers, 0);
  return { pages: showing, notified: heard.map(({ name }) => name), emails };
}

type ShownIncident = Publishable<string> & {
  id: string;
  /** Since it was created. */
  ageMs: number;
};

type Props = {
  audience: Audience;
  /** Links to the incident on each page that shows it; without it, to the pages. */
  incident?: ShownIncident;
  /** The button that publishes the incident on a page, or hides it there. */
  renderToggle?: (page: AudiencePage) => ReactNode;
};

/** The status pages that show an incident, with their subscriber counts. */
export function ShownOn({ audience: { pages }, incident, renderToggle }: Props) {
  if (pages.length === 0) {
    return (
      <p className="rounded-lg border border-line bg-surface px-3 py-2 text-muted">
        No status page shows what is affected.
      </p>
    );
  }
  return (
    <ul className="rounded-lg border border-line bg-surface">
      {pages.map((page) => (
        <li
          key={page.slug}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-3 py-2 last:border-0"
        >
          <PageName page={page} incident={incident} />
          <span className="text-xs text-muted tabular-nums">{formatReach(page, incident)}</span>
          {incident?.automatic && page.automaticDelay !== 0 ? renderToggle?.(page) : null}
        </li>
      ))}
    </ul>
  );
}

function PageName({ page, incident }: { page: AudiencePage; incident: Props['incident'] }) {
  const { name, address } = page;
  if (address === null) return <span className="min-w-0 truncate">{name}</span>;
  const isShown = incident !== undefined && isShownOn(page, incident);
  return (
    <a
      href={isShown ? `${address}/incidents/${incident.id}` : address}
      target="_blank"
      rel="noopener"
      className="touch inline-flex min-w-0 items-center gap-1.5 text-accent underline underline-offset-2"
    >
      <span className="truncate">{name}</span>
      <ExternalLink className="size-3.5 shrink-0" />
      <span className="sr-only">(opens a new tab)</span>
    </a>
  );
}

/** Whether visitors of a page see the incident, and how many subscribers learn of it. */
function formatReach(page: AudiencePage, incident: Props['incident']): string {
  const { address, automaticDelay, subscribers } = page;
  if (address === null) return 'Not published';
  if (incident === undefined || isShownOn(page, incident)) return countSubscribers(subscribers);
  const delayMs = automaticDelay === null ? null : automaticDelay * 60_000;
  // After its delay, one that is not shown was hidden by people.
  return delayMs === null || incident.resolvedAt !== null || incident.ageMs > delayMs
    ? 'Not shown'
    : `Shown after ${formatDuration(delayMs)} if still open`;
}

/** How many subscribers an update reaches. */
export function EmailNote({ audience: { emails } }: { audience: Audience }) {
  return (
    <p className="text-xs text-muted" aria-live="polite">
      {emails === 0
        ? 'No subscribers will be notified.'
        : `${countSubscribers(emails)} will be notified within a minute, except those who chose other systems.`}
    </p>
  );
}
