/** What a look at DNS for the record of a domain came to; `reason` is a sentence for the domain's owner. */
export type Finding =
  | { kind: 'found' }
  | { kind: 'missing'; reason: string }
  | { kind: 'unclear'; reason: string };

/** What is known of whose a custom domain is. */
export type DomainStanding = {
  /** Since when the page is served there; null while it is not. */
  verifiedAt: Date | null;
  /** Not verified: since when it is tried. */
  pendingSince: Date | null;
  /** Verified: since when the record is known to be missing. */
  missingSince: Date | null;
  /** `lost`: was verified and is no more. `taken`: another page has the domain. */
  setback: 'lost' | 'taken' | null;
  error: string | null;
  nextCheckAt: Date | null;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A pending domain is tried this often at first, so that nobody has to press a button; then once a day. */
const EAGER_EVERY = 5 * MINUTE;
const EAGER_FOR = 3 * DAY;
/** A verified domain whose record is gone is looked at this often, and let go when it stayed away for so long. */
const DOUBTFUL_EVERY = HOUR;
const LOST_AFTER = 3 * DAY;

/** How a page without a domain stands. */
export const NO_DOMAIN: DomainStanding = {
  verifiedAt: null,
  pendingSince: null,
  missingSince: null,
  setback: null,
  error: null,
  nextCheckAt: null,
};

/** How a page stands that was just given a domain: to be looked at now. */
export function beginStanding(now: Date): DomainStanding {
  return { ...NO_DOMAIN, pendingSince: now, nextCheckAt: now };
}

/**
 * The rule of custom domains. The record is looked for again once a day. Where it is certainly missing, the page is served
 * on while it is looked for every hour, and taken down by the first look that misses it 3 days or more after the first one
 * that did; a look in between that finds it starts anew. A look that came to nothing (no answer, SERVFAIL) neither counts as
 * missing nor as found: a broken name server takes no page down.
 */
export function judgeDomain(standing: DomainStanding, finding: Finding, now: Date): DomainStanding {
  const { verifiedAt, missingSince } = standing;
  if (finding.kind === 'found') {
    return { ...NO_DOMAIN, verifiedAt: verifiedAt ?? now, nextCheckAt: later(now, DAY) };
  }
  if (verifiedAt === null) return stayPending(standing, finding, now);
  const doubtful = { ...standing, error: finding.reason, nextCheckAt: later(now, DOUBTFUL_EVERY) };
  if (finding.kind === 'unclear') return doubtful;
  const since = missingSince ?? now;
  if (now.getTime() - since.getTime() < LOST_AFTER) return { ...doubtful, missingSince: since };
  return {
    ...beginStanding(now),
    setback: 'lost',
    error: finding.reason,
    nextCheckAt: later(now, EAGER_EVERY),
  };
}

/** How a page stands whose record is there while another page has the domain. */
export function standTaken({ pendingSince }: DomainStanding, now: Date): DomainStanding {
  return {
    ...NO_DOMAIN,
    pendingSince: pendingSince ?? now,
    setback: 'taken',
    error: 'The record is there, but another status page has proved to own this domain before.',
    nextCheckAt: later(now, DAY),
  };
}

function stayPending(
  standing: DomainStanding,
  { kind, reason }: { kind: string; reason: string },
  now: Date,
) {
  const pendingSince = standing.pendingSince ?? now;
  const isEager = now.getTime() - pendingSince.getTime() < EAGER_FOR;
  // Without its record a domain is no longer claimed against another page.
  const setback = kind === 'missing' && standing.setback === 'taken' ? null : standing.setback;
  const nextCheckAt = later(now, isEager ? EAGER_EVERY : DAY);
  return { ...standing, pendingSince, setback, error: reason, nextCheckAt };
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
