import { DomainError } from '@/lib/core/errors';
import { PLANS, type PlanId } from '@/lib/plans/catalogue';
import { planLimit } from '@/lib/plans/plan-limit';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { noteLive } from '@/lib/platform/live/note-live';
import { notePageMoved } from '@/lib/platform/page-front/application';
import type { AppAddress } from './page-row';

/** The result of a DNS lookup for a domain's record; `reason` is a sentence for the domain's owner. */
export type Finding =
  | { kind: 'found' }
  | { kind: 'missing'; reason: string }
  | { kind: 'unclear'; reason: string };

/** The verification state of a custom domain: the columns of a page that a check of its domain changes. */
export type DomainStanding = typeof NO_DOMAIN;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A pending domain is checked this often for the first days, then daily. */
const EAGER_EVERY = 5 * MINUTE;
const EAGER_FOR = 3 * DAY;
/** A verified domain without its record is checked this often, and lost after this long. */
const DOUBTFUL_EVERY = HOUR;
const LOST_AFTER = 3 * DAY;

/** The state of a page without a domain. */
export const NO_DOMAIN = {
  /** When the page started to be served there; null while it is not. */
  customDomainVerifiedAt: null as Date | null,
  /** Unverified domains: since when the record is checked. */
  domainPendingSince: null as Date | null,
  /** Verified domains: since when the record is missing. */
  domainMissingSince: null as Date | null,
  /** `lost`: no longer verified. `taken`: another page has verified the domain. */
  domainSetback: null as 'lost' | 'taken' | null,
  domainError: null as string | null,
  domainNextCheckAt: null as Date | null,
};

/** The state of a new domain: due for its first check. */
export function beginStanding(now: Date): DomainStanding {
  return { ...NO_DOMAIN, domainPendingSince: now, domainNextCheckAt: now };
}

/**
 * The next state of a domain after a check. A verified domain is checked daily. If its record is missing, it is checked hourly
 * and lost once the record has been missing for 3 days; finding it in between resets this. Unclear results (timeout, SERVFAIL)
 * count neither as missing nor as found, so a broken name server never takes a page down.
 */
export function judgeDomain(standing: DomainStanding, finding: Finding, now: Date): DomainStanding {
  const { customDomainVerifiedAt, domainMissingSince } = standing;
  if (finding.kind === 'found') {
    return {
      ...NO_DOMAIN,
      customDomainVerifiedAt: customDomainVerifiedAt ?? now,
      domainNextCheckAt: later(now, DAY),
    };
  }
  if (customDomainVerifiedAt === null) return stayPending(standing, finding, now);
  const doubtful = {
    ...standing,
    domainError: finding.reason,
    domainNextCheckAt: later(now, DOUBTFUL_EVERY),
  };
  if (finding.kind === 'unclear') return doubtful;
  const since = domainMissingSince ?? now;
  if (now.getTime() - since.getTime() < LOST_AFTER) return { ...doubtful, domainMissingSince: since };
  return {
    ...beginStanding(now),
    domainSetback: 'lost',
    domainError: finding.reason,
    domainNextCheckAt: later(now, EAGER_EVERY),
  };
}

/** The state of a domain whose record was found while another page has verified it. */
export function standTaken({ domainPendingSince }: DomainStanding, now: Date): DomainStanding {
  return {
    ...NO_DOMAIN,
    domainPendingSince: domainPendingSince ?? now,
    domainSetback: 'taken',
    domainError: 'The record was found, but another status page has already verified this domain.',
    domainNextCheckAt: later(now, DAY),
  };
}

function stayPending(
  standing: DomainStanding,
  { kind, reason }: { kind: string; reason: string },
  now: Date,
) {
  const domainPendingSince = standing.domainPendingSince ?? now;
  const isEager = now.getTime() - domainPendingSince.getTime() < EAGER_FOR;
  // Without its record the domain is no longer claimed.
  const domainSetback =
    kind === 'missing' && standing.domainSetback === 'taken' ? null : standing.domainSetback;
  const domainNextCheckAt = later(now, isEager ? EAGER_EVERY : DAY);
  return { ...standing, domainPendingSince, domainSetback, domainError: reason, domainNextCheckAt };
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

/**
 * Writes the result of a domain check and returns the new state; null, without a write, if the page no longer has this domain.
 * A unique index ensures that only one page can verify a domain; the second one becomes `taken`.
 */
export async function settleDomain(
  tx: Transaction,
  { pageId, domain }: { pageId: string; domain: string },
  finding: Finding,
  now: Date,
): Promise<DomainStanding | null> {
  await tx.$queryRaw`SELECT id FROM status_page WHERE id = ${pageId} FOR UPDATE`;
  const page = await tx.statusPage.findFirst({
    where: { id: pageId, customDomain: domain },
    select: {
      organizationId: true,
      customDomainVerifiedAt: true,
      domainPendingSince: true,
      domainMissingSince: true,
      domainSetback: true,
      domainError: true,
      domainNextCheckAt: true,
    },
  });
  if (page === null) return null;
  const { organizationId, ...before } = page;
  const write = async (standing: DomainStanding) => {
    const data = { ...standing, domainCheckedAt: now };
    await tx.statusPage.update({ where: { id: pageId }, data });
    const isServed = standing.customDomainVerifiedAt !== null;
    if (isServed !== (before.customDomainVerifiedAt !== null)) await notePageMoved(tx, pageId);
    await noteLive(tx, [{ kind: 'changes', organizationIds: [organizationId] }]);
    return standing;
  };
  // A failed statement would abort the caller's transaction.
  await tx.$executeRaw`SAVEPOINT settle_domain`;
  try {
    return await write(judgeDomain(before, finding, now));
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT settle_domain`;
    return write(standTaken(before, now));
  }
}

/** Verifies a domain without a check, for CUSTOM_DOMAIN_VERIFY=off. Throws DOMAIN_TAKEN if another page has it. */
export async function grantDomain(tx: Transaction, page: { pageId: string; domain: string }, now: Date) {
  const standing = await settleDomain(tx, page, { kind: 'found' }, now);
  if (standing?.domainSetback === 'taken') throw domainTaken();
}

/**
 * Throws PLAN_LIMIT_EXCEEDED if the plan does not include custom domains, VALIDATION_ERROR for the app's own domain and its
 * subdomains, which would share its cookies, and DOMAIN_TAKEN if a page other than `pageId` has verified it. `domain` is in
 * canonical form.
 */
export async function requireDomain(
  tx: Transaction,
  domain: string,
  { plan, appUrl, pageId }: AppAddress & { plan: PlanId; pageId: string },
): Promise<void> {
  requireDomainPlan(plan);
  const appHost = appUrl && new URL(appUrl).hostname;
  if (appHost && (domain === appHost || domain.endsWith(`.${appHost}`))) {
    throw new DomainError('VALIDATION_ERROR', 'The request is not valid: customDomain.', [
      { path: 'customDomain', code: 'invalid', message: 'is the domain of this service itself' },
    ]);
  }
  const owners = { customDomain: domain, customDomainVerifiedAt: { not: null }, id: { not: pageId } };
  if ((await tx.statusPage.count({ where: owners })) > 0) throw domainTaken();
}

/** Throws PLAN_LIMIT_EXCEEDED for a plan without custom domains. */
export function requireDomainPlan(plan: PlanId): void {
  if (PLANS[plan].customDomain) return;
  throw planLimit(`The ${plan} plan does not include custom domains.`, ({ customDomain }) => customDomain);
}

function domainTaken(): DomainError {
  return new DomainError('DOMAIN_TAKEN', 'Another status page already uses this domain.', [
    { path: 'customDomain', code: 'domain_taken', message: 'is already used by another status page' },
  ]);
}
