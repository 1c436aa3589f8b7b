import { createId } from '@/lib/core/ids';
import { cutText } from '@/lib/core/storable-text';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { insertOrganization, isSetUpOpen } from '@/lib/domain/organizations/create-organization';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import type { PlanId } from '@/lib/plans/catalogue';
import { requireQuota } from '@/lib/plans/require-quota';
import type { Transaction } from '@/lib/platform/db/client';
import { setRole } from '../change-members';
import { decideIdentity, type IdentityDecision, type IdentityFacts } from './decide-identity';
import type { NewcomerRules, ProvenIdentity } from './identity';
import { linkIdentity } from './linked-identities';

type Refused = Extract<IdentityDecision, { act: 'refuse' }>;

/** The user whom an account at a provider is, or why nobody. */
export type IdentityAdmission = { userId: string } | { refused: Refused['reason'] };

/** The role of people of an allowed domain whose claims give none. */
const LEAST_ROLE = 'viewer';

/**
 * Finds the user of a proven account at a provider; links it to the user with its address, or creates one, as `decideIdentity`
 * decides. `linker`: the signed-in user who asked to link it. Then their role follows the claims. Throws PLAN_LIMIT_EXCEEDED if they
 * would join an organization whose quota is used up.
 */
export async function admitIdentity(
  services: Services,
  rules: NewcomerRules,
  { identity, linker, address }: { identity: ProvenIdentity; linker: string | null; address: string | null },
): Promise<IdentityAdmission> {
  return services.db.$transaction(async (tx) => {
    const { issuer, subject, email } = identity;
    // Of two concurrent first sign-ins, the second sees the user that the first has created.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${email ?? subject}, 0))`;
    const facts = await readFacts(tx, services, rules, { identity, linker });
    const decision = decideIdentity(facts);
    if (decision.act === 'refuse') return { refused: decision.reason };
    const userId = await carryOut(tx, services, rules, { decision, identity, address });
    if (facts.owner === null) {
      await linkIdentity(tx, services, { identity, userId, address });
    } else {
      const data = { email, lastUsedAt: services.clock.now() };
      await tx.identity.update({ where: { issuer_subject: { issuer, subject } }, data });
    }
    const { landsIn: organizationId } = facts;
    if (identity.role !== null && organizationId !== null) {
      await followRole(tx, services, { organizationId, userId, role: identity.role, address });
    }
    return { userId };
  });
}

async function carryOut(
  tx: Transaction,
  services: Services,
  { plan }: NewcomerRules,
  {
    decision,
    identity,
    address,
  }: { decision: Exclude<IdentityDecision, Refused>; identity: ProvenIdentity; address: string | null },
): Promise<string> {
  if ('userId' in decision) return decision.userId;
  const { email, name, role } = identity;
  if (email === null) throw new Error('only verified addresses create users');
  const userId = await createNewcomer(tx, services, { email, name });
  if (decision.act === 'join') {
    const { organizationId } = decision;
    await joinOrganization(tx, services, {
      organizationId,
      userId,
      email,
      role: role ?? LEAST_ROLE,
      address,
    });
  } else if (decision.as === 'founder') {
    await foundOrganization(tx, services, { email, name, userId, plan, address });
  }
  return userId;
}

async function readFacts(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  rules: NewcomerRules,
  { identity, linker }: { identity: ProvenIdentity; linker: string | null },
): Promise<IdentityFacts> {
  const { issuer, subject, email } = identity;
  const linked = await tx.identity.findUnique({ where: { issuer_subject: { issuer, subject } } });
  const holder =
    email === null
      ? null
      : await tx.user.findUnique({
          where: { email },
          select: { id: true, identities: { where: { issuer } } },
        });
  const domain = email?.slice(email.lastIndexOf('@') + 1) ?? '';
  const invitations =
    email === null
      ? 0
      : await tx.oneTimeToken.count({
          where: { kind: 'invitation', email, usedAt: null, expiresAt: { gt: clock.now() } },
        });
  return {
    owner: linked?.userId ?? null,
    linker,
    holder: holder?.id ?? null,
    isHolderLinked: (holder?.identities.length ?? 0) > 0,
    isVerified: identity.isVerified && email !== null,
    isDomainAllowed: identity.vouchesForDomains && rules.allowedDomains.includes(domain),
    landsIn: await findOrganization(tx, rules.organization),
    isInvited: invitations > 0,
    isSignUpOpen: rules.isSignUpOpen && !(await isSetUpOpen(tx)),
  };
}

/**
 * Why nobody can join the organization that is configured for people of allowed domains, as a sentence for operators; null if they can,
 * or if none is configured.
 */
export async function explainNoLanding(
  db: Pick<Transaction, 'organization'>,
  idOrName: string | null,
): Promise<string | null> {
  if (idOrName === null || (await findOrganization(db, idOrName)) !== null) return null;
  const isAmbiguous = (await db.organization.count({ where: { name: idOrName } })) > 1;
  const reason = isAmbiguous
    ? `several organizations have the name "${idOrName}" of OIDC_ORGANIZATION: set its ID instead`
    : `OIDC_ORGANIZATION is "${idOrName}", which is neither the ID nor the name of an organization: correct or create it`;
  return `${reason}. Until then, new people cannot join by their domain`;
}

/** The organization with this ID or name; null if there is none or several have the name. */
export async function findOrganization(
  tx: Pick<Transaction, 'organization'>,
  idOrName: string | null,
): Promise<string | null> {
  if (idOrName === null) return null;
  const found = await tx.organization.findMany({
    where: { OR: [{ id: idOrName }, { name: idOrName }] },
    select: { id: true },
    take: 2,
  });
  const [only] = found;
  return found.length === 1 && only ? only.id : null;
}

type Following = { organizationId: string; userId: string; role: Role; address: string | null };

/**
 * Gives a member the role that their provider states, in the caller's transaction. The last owner keeps theirs, and people who are
 * not members stay so.
 */
async function followRole(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  { organizationId, userId, role, address }: Following,
): Promise<void> {
  const readRole = async () => {
    const where = { organizationId_userId: { organizationId, userId } };
    return (await tx.membership.findUnique({ where, select: { role: true } }))?.role ?? null;
  };
  const seen = await readRole();
  if (seen === null || seen === role) return;
  await lockOrganization(tx, organizationId);
  const former = await readRole();
  if (former === null || former === role) return;
  if (former === 'owner') {
    const where = { organizationId, role: 'owner', userId: { not: userId } } as const;
    if ((await tx.membership.count({ where })) === 0) return;
  }
  const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  await setRole(tx, { organizationId, userId, role });
  const actor = { kind: 'user', userId, role: former } as const;
  await recordAudit(
    tx,
    { organizationId, actor, clock, address },
    {
      action: 'member.change',
      subject: { id: userId, label: email },
      before: { role: former },
      after: { role, by: 'provider' },
    },
  );
}

type Newcomer = { email: string; name: string | null };

const MAX_NAME = 100;

/** Creates a user without a password in the caller's transaction and returns their ID. */
async function createNewcomer(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  { email, name }: Newcomer,
): Promise<string> {
  const id = createId('user');
  const now = clock.now();
  const shown = name && cutText(name.trim(), MAX_NAME);
  await tx.user.create({ data: { id, email, name: shown || null, createdAt: now, updatedAt: now } });
  return id;
}

/** Makes a new user a member. Throws PLAN_LIMIT_EXCEEDED if the quota is used up. */
async function joinOrganization(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  input: { organizationId: string; userId: string; email: string; role: Role; address: string | null },
): Promise<void> {
  const { organizationId, userId, email, role, address } = input;
  const plan = await lockOrganization(tx, organizationId);
  requireQuota(plan, 'members', await tx.membership.count({ where: { organizationId } }));
  await tx.membership.create({ data: { organizationId, userId, role, createdAt: clock.now() } });
  const ctx = { organizationId, actor: { kind: 'user', userId, role }, clock, address } as const;
  await recordAudit(tx, ctx, {
    action: 'member.join',
    subject: { id: userId, label: email },
    after: { role },
  });
}

/** Creates the organization of a new user who signed up, named after them until they rename it. */
async function foundOrganization(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  input: Newcomer & { userId: string; plan: PlanId; address: string | null },
): Promise<void> {
  const { userId, plan, address, email } = input;
  const name = cutText(input.name?.trim() || email.replace(/@.*$/, ''), MAX_NAME);
  const id = createId('organization');
  await insertOrganization(tx, { id, name, plan, userId, now: clock.now() });
  const ctx = { organizationId: id, actor: { kind: 'user', userId, role: 'owner' }, clock, address } as const;
  await recordAudit(tx, ctx, {
    action: 'organization.create',
    subject: { id, label: name },
    after: { name, plan },
  });
}
