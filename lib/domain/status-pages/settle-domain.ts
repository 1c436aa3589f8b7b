import type { Transaction } from '@/lib/platform/db/client';
import { Prisma, type StatusPage } from '@/lib/platform/db/generated/client';
import { noteLive } from '@/lib/platform/live/note-live';
import { notePageMoved } from '@/lib/platform/page-front/note-pages-changed';
import { domainTaken } from './custom-domain';
import { type DomainStanding, type Finding, judgeDomain, standTaken } from './domain-standing';

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
