import { formatCommand } from '@/lib/command-line';
import { DomainError, invalidState, notFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import type { Keyring } from '@/lib/core/keyring';
import { isSameText } from '@/lib/core/same-text';
import { createApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import type { PlanId } from '@/lib/plans/catalogue';
import type { Database, Transaction } from '@/lib/platform/db/client';
import type { CreateOrganization, OrganizationName } from '@/lib/schemas/people';
import { hashPassword, verifyPassword } from './password';

/** Prevents users from extending the free plan with more and more organizations. */
const MAX_OWNED = 10;

/** A new organization, with its key in clear text. */
export type NewOrganization = { organizationId: string; userId: string; apiKey: string };

/** Advisory lock for everything that depends on whether an organization exists. */
const SET_UP_LOCK = 7274268;

/**
 * Creates an organization, its owner and a first API key with write scope, and closes the setup page. If the address already
 * has an account, the password must match; otherwise throws VALIDATION_ERROR. `allowed` runs under the setup lock and can reject by
 * throwing.
 */
export async function createOrganization(
  services: Services,
  input: CreateOrganization,
  allowed: (tx: Transaction) => Promise<void> = async () => undefined,
): Promise<NewOrganization> {
  const now = services.clock.now();
  const passwordHash = await hashPassword(input.password);
  const organizationId = createId('organization');
  return services.db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SET_UP_LOCK})`;
    await allowed(tx);
    const userId = await findOrCreateOwner(tx, input, passwordHash, now);
    const { name, plan } = input;
    await insertOrganization(tx, { id: organizationId, name, plan, userId, now });
    await tx.instance.updateMany({ where: { setUpAt: null }, data: { setUpAt: now } });
    const firstKey = { name: 'First key', scope: 'write', expiresAt: null } as const;
    const { key } = await createApiKey(tx, { organizationId, now, ...firstKey });
    return { organizationId, userId, apiKey: key };
  });
}

/** Creates an organization with its owner in the caller's transaction. */
export async function insertOrganization(
  tx: Transaction,
  { id, name, plan, userId, now }: { id: string; name: string; plan: PlanId; userId: string; now: Date },
): Promise<void> {
  const memberships = { create: { userId, role: 'owner', createdAt: now } } as const;
  await tx.organization.create({ data: { id, name, plan, createdAt: now, updatedAt: now, memberships } });
}

async function findOrCreateOwner(
  tx: Transaction,
  { email, password }: CreateOrganization,
  passwordHash: string,
  now: Date,
): Promise<string> {
  const known = await tx.user.findUnique({ where: { email } });
  if (known === null) {
    const id = createId('user');
    await tx.user.create({ data: { id, email, passwordHash, createdAt: now, updatedAt: now } });
    return id;
  }
  if (await verifyPassword(known.passwordHash, password)) return known.id;
  throw invalidState('This email address already has an account with a different password.', [
    { path: 'email', code: 'taken', message: 'belongs to an account with a different password' },
  ]);
}

/** Creates another organization owned by an existing user, without an API key. Throws VALIDATION_ERROR if they already own ten. */
export async function addOrganization(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  {
    userId,
    name,
    plan,
    address = null,
  }: OrganizationName & { userId: string; plan: PlanId; address?: string | null },
): Promise<{ organizationId: string }> {
  const now = clock.now();
  const id = createId('organization');
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM "user" WHERE id = ${userId} FOR NO KEY UPDATE`;
    const owned = await tx.membership.count({ where: { userId, role: 'owner' } });
    if (owned >= MAX_OWNED) {
      throw invalidState(`You already own ${MAX_OWNED} organizations, which is the maximum.`);
    }
    await insertOrganization(tx, { id, name, plan, userId, now });
    const actor = { kind: 'user', userId, role: 'owner' } as const;
    const ctx = { organizationId: id, actor, clock, address };
    const subject = { id, label: name };
    await recordAudit(tx, ctx, { action: 'organization.create', subject, after: { name, plan } });
  });
  return { organizationId: id };
}

/** The token of the setup URL. Derived from the secret key, so every process knows it without storing it. */
export function setUpToken(keyring: Keyring): string {
  return keyring.derive('set-up token').slice(0, 32);
}

/** The path of the setup page. */
export function setUpPath(keyring: Keyring): string {
  return `/setup?token=${setUpToken(keyring)}`;
}

/** Whether the first organization has not been created yet. */
export async function isSetUpOpen(db: Database | Transaction): Promise<boolean> {
  const instance = await db.instance.findUnique({ where: { id: 1 } });
  return instance?.setUpAt == null;
}

/**
 * Whether a visitor has the setup token. The client address proves nothing: behind a proxy on this machine that sends no
 * forwarding header, every request seems local.
 */
export function isSetUpToken(keyring: Keyring, token: string): boolean {
  return isSameText(token, setUpToken(keyring));
}

/** Creates the first organization. Throws FORBIDDEN without the token, VALIDATION_ERROR if the installation is already set up. */
export async function setUp(
  services: Services,
  input: CreateOrganization,
  token: string,
): Promise<NewOrganization> {
  if (!isSetUpToken(services.keyring, token)) {
    throw new DomainError(
      'FORBIDDEN',
      `The setup token is missing or wrong. Open the URL that the service printed at startup, or run "${formatCommand('setup-link', { isPublic: true })}" on the server, where Pharos is installed, to show it again.`,
    );
  }
  return createOrganization(services, input, async (tx) => {
    if (!(await isSetUpOpen(tx))) throw invalidState('This installation is already set up. Sign in instead.');
  });
}

/** The organizations of a user with their role, by name. */
export function listOwnOrganizations({ db }: Pick<Services, 'db'>, userId: string) {
  return db.$queryRaw<{ id: string; name: string; role: Role }[]>`
    SELECT organization.id, organization.name, membership.role::text AS role
      FROM membership JOIN organization ON organization.id = membership.organization_id
     WHERE membership.user_id = ${userId}
     ORDER BY organization.name, organization.id`;
}

/** Switches a session to another of the user's organizations. Throws NOT_FOUND if they do not belong to it. */
export async function switchOrganization(
  { db }: Pick<Services, 'db'>,
  { sessionId, userId, organizationId }: { sessionId: string; userId: string; organizationId: string },
): Promise<void> {
  const memberships = await db.membership.count({ where: { userId, organizationId } });
  if (memberships === 0) throw notFound('Organization');
  await db.session.updateMany({ where: { id: sessionId, userId }, data: { organizationId } });
}
