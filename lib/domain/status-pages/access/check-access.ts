import { isInRanges } from '@/lib/core/address-ranges';
import { notFound } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { verifyPassword } from '@/lib/domain/organizations/password';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { type Access, type AccessProof, decideAccess, type Requested } from './decide-access';
import { isPageToken } from './page-tokens';
import { openPass } from './passes';

/** What a visitor brings along; null for what they do not have. */
export type AccessCredentials = {
  token: string | null;
  /** From `sealPass`. */
  pass: string | null;
  /** Opens the session of the dashboard in this browser, as its cookie names it. */
  readSessionId(): Promise<string | null>;
  /** null also where addresses are not known. */
  address: string | null;
};

/** By what a visitor is admitted to a private page. */
export type AdmittedBy = 'token' | 'pass' | 'session' | 'address';

/** Decides who is admitted to a page. Throws if they are not. */
export type Gate = (page: PageRow) => Promise<void>;

/** Throws NOT_FOUND for private pages. */
export const publicOnly: Gate = async ({ visibility }) => {
  if (visibility !== 'public') throw notFound('Status page');
};

/** Whether anyone may see a page. */
export function isOpen({ published, visibility }: Pick<PageRow, 'published' | 'visibility'>): boolean {
  return published && visibility === 'public';
}

/** What to do about a request for a private page, and what of the credentials decided that it is shown. */
export async function checkAccess(
  services: Pick<Services, 'db' | 'clock' | 'keyring'>,
  page: PageRow,
  { requested, credentials }: { requested: Requested; credentials: AccessCredentials },
): Promise<{ access: Access; by: AdmittedBy | null }> {
  const proof = await findProof(services, page, { requested, credentials });
  const access = decideAccess(page.visibility, requested, proof);
  return { access, by: access === 'show' ? decidedBy(proof) : null };
}

/** Checks credentials one after the other, only those that this visibility looks at, until one is valid. */
async function findProof(
  services: Pick<Services, 'db' | 'clock' | 'keyring'>,
  page: PageRow,
  { requested, credentials }: { requested: Requested; credentials: AccessCredentials },
): Promise<AccessProof> {
  const { token, pass, readSessionId, address } = credentials;
  const none: AccessProof = { hasToken: false, hasPass: false, isMember: null, isAllowedAddress: false };
  if (requested === 'data' && token !== null && (await isPageToken(services, page.id, token))) {
    return { ...none, hasToken: true };
  }
  if (page.visibility === 'ip') {
    return { ...none, isAllowedAddress: address !== null && isInRanges(address, page.allowedCidrs) };
  }
  if (pass !== null && (await isValidPass(services, page, pass))) return { ...none, hasPass: true };
  const sessionId = page.visibility === 'members' ? await readSessionId() : null;
  return sessionId === null ? none : { ...none, isMember: await isMember(services, page, sessionId) };
}

/** What of a proof that shows a page does so: it has only one part. */
function decidedBy({ hasToken, hasPass, isAllowedAddress }: AccessProof): AdmittedBy {
  if (hasToken) return 'token';
  if (isAllowedAddress) return 'address';
  return hasPass ? 'pass' : 'session';
}

async function isValidPass(
  services: Pick<Services, 'db' | 'clock' | 'keyring'>,
  page: PageRow,
  pass: string,
): Promise<boolean> {
  const opened = openPass(services.keyring, page, { pass, now: services.clock.now() });
  if (opened === null) return false;
  if (page.visibility !== 'members') return opened.sessionId === null;
  return opened.sessionId !== null && (await isMember(services, page, opened.sessionId)) === true;
}

/**
 * Whether the person of a session is a member of the organization of a page, whichever they chose; null without a valid session. Does
 * not extend the session, as use of the dashboard does: a page that is left open refreshes itself, and would keep it forever.
 */
export async function isMember(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { organizationId }: Pick<PageRow, 'organizationId'>,
  sessionId: string,
): Promise<boolean | null> {
  const [row] = await db.$queryRaw<{ isMember: boolean }[]>`
    SELECT EXISTS (SELECT FROM membership
                    WHERE membership.user_id = session.user_id AND organization_id = ${organizationId}) AS "isMember"
      FROM session WHERE id = ${sessionId} AND expires_at > ${clock.now()}`;
  return row?.isMember ?? null;
}

/** Whether a text is the password of a page. */
export async function isPagePassword(
  { db }: Pick<Services, 'db'>,
  { id }: Pick<PageRow, 'id'>,
  password: string,
): Promise<boolean> {
  const page = await db.statusPage.findUnique({ where: { id }, select: { passwordHash: true } });
  return verifyPassword(page?.passwordHash ?? null, password);
}
