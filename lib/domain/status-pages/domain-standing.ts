import { DomainError } from '@/lib/core/errors';
import { PLANS, type PlanId } from '@/lib/plans/catalogue';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma, type StatusPage } from '@/lib/platform/db/generated/client';
import { noteLive } from '@/lib/platform/live/note-live';
import { notePageMoved } from '@/lib/platform/page-front/application';
import type { AppAddress } from './page-row';

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

/**
 * Writes down what a look for the record of a page's domain came to. Answers how it stands now, or null where the page does
 * not have this domain any more, and nothing is written. Two pages cannot have one domain, whatever runs beside: the index decides, and who proves
 * it later is `taken`.
 */
export async function settleDomain(
  tx: Transaction,
  { pageId, domain }: { pageId: string; domain: string },
  finding: Finding,
  now: Date,
): Promise<DomainStanding | null> {
  await tx.$queryRaw`SELECT id FROM status_page WHERE id = ${pageId} FOR UPDATE`;
  const page = await tx.statusPage.findFirst({ where: { id: pageId, customDomain: domain } });
  if (page === null) return null;
  const before = readStanding(page);
  const write = async (standing: DomainStanding) => {
    const data = { ...standingColumns(standing), domainCheckedAt: now };
    await tx.statusPage.update({ where: { id: pageId }, data });
    const isServed = standing.verifiedAt !== null;
    if (isServed !== (before.verifiedAt !== null)) await notePageMoved(tx, pageId);
    await noteLive(tx, [{ kind: 'changes', organizationIds: [page.organizationId] }]);
    return standing;
  };
  // A failed statement would spoil the whole transaction, which is not ours alone.
  await tx.$executeRaw`SAVEPOINT settle_domain`;
  try {
    return await write(judgeDomain(before, finding, now));
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT settle_domain`;
    return write(standTaken(before, now));
  }
}

/** Gives a page its domain without proof, as CUSTOM_DOMAIN_VERIFY=off has it. Throws DOMAIN_TAKEN where another page has it. */
export async function grantDomain(
  tx: Transaction,
  page: { pageId: string; domain: string },
  now: Date,
): Promise<void> {
  const standing = await settleDomain(tx, page, { kind: 'found' }, now);
  if (standing?.setback === 'taken') throw domainTaken();
}

type Columns = Pick<
  StatusPage,
  | 'customDomainVerifiedAt'
  | 'domainPendingSince'
  | 'domainMissingSince'
  | 'domainSetback'
  | 'domainError'
  | 'domainNextCheckAt'
>;

/** The columns in which a standing is kept. */
export function standingColumns(standing: DomainStanding): Columns {
  return {
    customDomainVerifiedAt: standing.verifiedAt,
    domainPendingSince: standing.pendingSince,
    domainMissingSince: standing.missingSince,
    domainSetback: standing.setback,
    domainError: standing.error,
    domainNextCheckAt: standing.nextCheckAt,
  };
}

function readStanding(columns: Columns): DomainStanding {
  return {
    verifiedAt: columns.customDomainVerifiedAt,
    pendingSince: columns.domainPendingSince,
    missingSince: columns.domainMissingSince,
    setback: columns.domainSetback,
    error: columns.domainError,
    nextCheckAt: columns.domainNextCheckAt,
  };
}

/**
 * Refuses a custom domain that the plan does not include (PLAN_LIMIT_EXCEEDED), the app's own and names below it
 * (VALIDATION_ERROR: they would share its cookies) and one that a page other than `pageId` was shown to own
 * (DOMAIN_TAKEN). `domain` is in the canonical form.
 */
export async function requireDomain(
  tx: Transaction,
  domain: string,
  { plan, appUrl, pageId }: AppAddress & { plan: PlanId; pageId: string },
): Promise<void> {
  requireDomainPlan(plan);
  if (appUrl !== undefined && isOwnDomain(domain, new URL(appUrl).hostname)) {
    throw new DomainError('VALIDATION_ERROR', 'The request is not valid: customDomain.', [
      { path: 'customDomain', code: 'invalid', message: 'is the address of this service itself' },
    ]);
  }
  const owners = { customDomain: domain, customDomainVerifiedAt: { not: null }, id: { not: pageId } };
  if ((await tx.statusPage.count({ where: owners })) > 0) throw domainTaken();
}

/** Refuses (PLAN_LIMIT_EXCEEDED) a plan without custom domains. */
export function requireDomainPlan(plan: PlanId): void {
  if (PLANS[plan].customDomain) return;
  throw new DomainError('PLAN_LIMIT_EXCEEDED', `The ${plan} plan does not include custom domains.`);
}

/** The refusal of a domain that another page has. */
function domainTaken(): DomainError {
  return new DomainError('DOMAIN_TAKEN', 'Another status page has this domain.', [
    { path: 'customDomain', code: 'domain_taken', message: 'belongs to another status page' },
  ]);
}

function isOwnDomain(domain: string, appHost: string): boolean {
  return domain === appHost || domain.endsWith(`.${appHost}`);
}
