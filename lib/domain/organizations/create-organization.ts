import { DomainError } from '@/lib/core/errors';
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

/** Enough for who looks after several teams; where strangers can sign up, each could else have a free plan without end. */
const MAX_OWNED = 10;

/** What a new organization's owner needs; the key is in clear text here and nowhere else. */
export type NewOrganization = { organizationId: string; userId: string; apiKey: string };

/** Serializes whatever decides on "is there an organization yet?". */
const SET_UP_LOCK = 7274268;

/**
 * Makes an organization, its owner and a first API key with write scope, and closes the set-up page. An address that
 * has a user already becomes owner of this one as well, if the password is right; else CONFLICT. `allowed` runs under
 * the set-up lock and can refuse by throwing.
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
    await tx.organization.create({
      data: {
        id: organizationId,
        name: input.name,
        plan: input.plan,
        createdAt: now,
        updatedAt: now,
        memberships: { create: { userId, role: 'owner', createdAt: now } },
      },
    });
    await tx.instance.updateMany({ where: { setUpAt: null }, data: { setUpAt: now } });
    const { key } = await createApiKey(tx, {
      organizationId,
      now,
      name: 'First key',
      scope: 'write',
      expiresAt: null,
    });
    return { organizationId, userId, apiKey: key };
  });
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
  throw new DomainError('CONFLICT', 'This e-mail address has a user already, with another password.', [
    { path: 'email', code: 'taken', message: 'belongs to a user with another password' },
  ]);
}

/**
 * Makes another organization for a person who has an account already, and them its owner. Unlike the first one of an
 * installation it begins without an API key. Throws CONFLICT for who owns ten already.
 */
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
      throw new DomainError(
        'CONFLICT',
        `You own ${MAX_OWNED} organizations already, and more are not possible.`,
      );
    }
    await tx.organization.create({
      data: {
        id,
        name,
        plan,
        createdAt: now,
        updatedAt: now,
        memberships: { create: { userId, role: 'owner', createdAt: now } },
      },
    });
    const ctx = {
      organizationId: id,
      actor: { kind: 'user', userId, role: 'owner' } as const,
      clock,
      address,
    };
    const subject = { id, label: name };
    await recordAudit(tx, ctx, { action: 'organization.create', subject, after: { name, plan } });
  });
  return { organizationId: id };
}

/**
 * The token of the address that a fresh start prints. Derived from the secret key, so that every process of the
 * installation knows it and none stores it; set-up happens once, so it opens the door once.
 */
export function setUpToken(keyring: Keyring): string {
  return keyring.derive('set-up token').slice(0, 32);
}

/** Where a fresh install is set up, below the address of the app. */
export function setUpPath(keyring: Keyring): string {
  return `/setup?token=${setUpToken(keyring)}`;
}

/** Whether the first organization is still to be made. */
export async function isSetUpOpen(db: Database | Transaction): Promise<boolean> {
  const instance = await db.instance.findUnique({ where: { id: 1 } });
  return instance?.setUpAt == null;
}

/**
 * Whether a visitor may set up: with the token alone. Where a request comes from proves nothing: behind a proxy on
 * this machine that sends no forwarding header, every stranger seems to be this machine.
 */
export function isSetUpToken(keyring: Keyring, token: string): boolean {
  return isSameText(token, setUpToken(keyring));
}

/** Creates the first organization. Throws FORBIDDEN without the token, CONFLICT when set-up has been done. */
export async function setUp(
  services: Services,
  input: CreateOrganization,
  token: string,
): Promise<NewOrganization> {
  if (!isSetUpToken(services.keyring, token)) {
    throw new DomainError(
      'FORBIDDEN',
      'The set-up token is missing or wrong. Open the address that the service printed when it started, or run "pharos setup-link" to see it again.',
    );
  }
  return createOrganization(services, input, async (tx) => {
    if (!(await isSetUpOpen(tx)))
      throw new DomainError('CONFLICT', 'This installation is set up already. Sign in instead.');
  });
}

/** One of a person's organizations. */
type OwnOrganization = { id: string; name: string; role: Role };

/** The organizations that a person belongs to, by name. */
export async function listOwnOrganizations(
  { db }: Pick<Services, 'db'>,
  userId: string,
): Promise<OwnOrganization[]> {
  const rows = await db.membership.findMany({
    where: { userId },
    select: { role: true, organization: { select: { id: true, name: true } } },
    orderBy: [{ organization: { name: 'asc' } }, { organizationId: 'asc' }],
  });
  return rows.map(({ role, organization }) => ({ ...organization, role }));
}

/** Shows another of the person's organizations in this session from now on. Throws NOT_FOUND for one that is not theirs. */
export async function switchOrganization(
  { db }: Pick<Services, 'db'>,
  { sessionId, userId, organizationId }: { sessionId: string; userId: string; organizationId: string },
): Promise<void> {
  const memberships = await db.membership.count({ where: { userId, organizationId } });
  if (memberships === 0) throw new DomainError('NOT_FOUND', 'Organization not found.');
  await db.session.updateMany({ where: { id: sessionId, userId }, data: { organizationId } });
}
