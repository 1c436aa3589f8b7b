import { describeError } from '@/lib/core/errors';
import { storableText } from '@/lib/core/storable-text';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Services } from '@/lib/domain/context/services';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { Prisma } from '@/lib/platform/db/generated/client';
import { startDeadline } from '@/lib/platform/net/deadline';
import { listDnsServers, queryDns } from '@/lib/platform/net/dns-query';
import type { Domain } from '@/lib/platform/page-front';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';
import { type Finding, requireDomainPlan, settleDomain } from './domain-standing';
import { auditSubject, type DomainSettings, domainRecord } from './page-row';
import { findOwnPage, getStatusPage } from './read-status-pages';

const TIMEOUT_MS = 5000;

/**
 * Checks the TXT record of the page's domain now and returns the page with the result; a missing record is not an error. Does
 * nothing without a domain. Throws FORBIDDEN, NOT_FOUND, and PLAN_LIMIT_EXCEEDED for an unverified domain on a plan without
 * custom domains.
 */
export async function verifyCustomDomain(
  ctx: OrganizationContext,
  slug: string,
  settings: DomainSettings,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.update');
  const { db, clock, organizationId } = ctx;
  const page = await findOwnPage(ctx, slug);
  const { id: pageId, customDomain: domain, customDomainVerifiedAt, domainToken: token } = page;
  if (domain !== null) {
    const finding = await findDomainRecord({ domain, token }, settings, { timeoutMs: TIMEOUT_MS });
    await db.$transaction(async (tx) => {
      const plan = await lockOrganization(tx, organizationId);
      if (customDomainVerifiedAt === null) requireDomainPlan(plan);
      const standing = await settleDomain(tx, { pageId, domain }, finding, clock.now());
      if (standing === null) return;
      await recordAudit(tx, ctx, {
        action: 'status-page.update',
        subject: auditSubject(page),
        before: { customDomainVerified: customDomainVerifiedAt !== null },
        after: { customDomainVerified: standing.customDomainVerifiedAt !== null },
      });
    });
  }
  return getStatusPage(ctx, slug, settings);
}

/**
 * Looks up the TXT record of a domain. `missing` is certain: no such name, no TXT record or another value. Everything else
 * (timeout, SERVFAIL, no resolver) is `unclear`. Never throws.
 */
export async function findDomainRecord(
  { domain, token }: { domain: string; token: string },
  { needsProof, dnsServers }: Pick<DomainSettings, 'needsProof' | 'dnsServers'>,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<Finding> {
  if (!needsProof) return { kind: 'found' };
  const { name, value } = domainRecord(domain, token);
  const deadline = startDeadline(timeoutMs, signal);
  try {
    const { rcode, answers } = await queryDns({
      question: { name, type: 'TXT' },
      servers: listDnsServers(dnsServers),
      signal: deadline.signal,
    });
    const texts = answers.flatMap((answer) => (answer.type === 'TXT' ? [joinChunks(answer.data)] : []));
    if (texts.includes(value)) return { kind: 'found' };
    return { kind: 'missing', reason: formatMissing(name, rcode, texts) };
  } catch (error) {
    return {
      kind: 'unclear',
      reason: `${name} could not be looked up: ${storableText(describeError(error), 300)}.`,
    };
  } finally {
    deadline.release();
  }
}

/** A TXT record consists of one or more strings of at most 255 bytes each. */
function joinChunks(data: string | Buffer | (string | Buffer)[]): string {
  return [data].flat().map(String).join('').trim();
}

function formatMissing(name: string, rcode: 'NOERROR' | 'NXDOMAIN', texts: string[]): string {
  if (rcode === 'NXDOMAIN') return `${name} does not exist in DNS yet.`;
  if (texts.length === 0) return `${name} has no TXT record.`;
  return `${name} has a TXT record, but with a different value.`;
}

/** Whether a published page is served at this domain (in canonical form), by an index lookup. */
export async function isServedDomain({ db }: Pick<Services, 'db'>, domain: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>(selectServedDomain(domain));
  return rows.length > 0;
}

/** The query of `isServedDomain`. */
export function selectServedDomain(domain: string): Prisma.Sql {
  return Prisma.sql`
    SELECT id FROM status_page
     WHERE custom_domain = ${domain} AND custom_domain_verified_at IS NOT NULL AND published`;
}

/** Every verified domain, even of unpublished pages: none of them serves the app. */
export function readDomains({ db }: Pick<Services, 'db'>): Promise<Domain[]> {
  return db.$queryRaw<Domain[]>`
    SELECT custom_domain AS domain, id, slug FROM status_page WHERE custom_domain_verified_at IS NOT NULL`;
}
