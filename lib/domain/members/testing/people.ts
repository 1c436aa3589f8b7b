import { randomBytes } from 'node:crypto';
import { createId } from '@/lib/core/ids';
import type { OrganizationContext, Role } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import type { PlanId } from '@/lib/plans/catalogue';
import { createTestOrganization } from '@/lib/testing/services';

/** A test user with the context to call verbs on their behalf. */
export type TestPerson = { id: string; email: string; ctx: OrganizationContext };

/** Creates an organization with its owner; `add` creates another member, `stranger` a user without an organization. */
export async function createTestTeam(services: Services, options: { plan?: PlanId } = {}) {
  const { organizationId, userId, ctx: byKey } = await createTestOrganization(services, options);
  const { email } = await services.db.user.findUniqueOrThrow({ where: { id: userId } });
  const as = (id: string, role: Role): OrganizationContext => ({
    ...services,
    organizationId,
    actor: { kind: 'user', userId: id, role },
  });
  const stranger = async () => {
    const id = createId('user');
    const address = `person-${randomBytes(6).toString('hex')}@example.com`;
    const now = services.clock.now();
    await services.db.user.create({
      data: { id, email: address, passwordHash: 'no password', createdAt: now, updatedAt: now },
    });
    return { id, email: address };
  };
  const add = async (role: Role): Promise<TestPerson> => {
    const person = await stranger();
    const createdAt = services.clock.now();
    await services.db.membership.create({ data: { organizationId, userId: person.id, role, createdAt } });
    return { ...person, ctx: as(person.id, role) };
  };
  const roles = async () => {
    const rows = await services.db.membership.findMany({ where: { organizationId } });
    return Object.fromEntries(rows.map((row) => [row.userId, row.role]));
  };
  const owner: TestPerson = { id: userId, email, ctx: as(userId, 'owner') };
  return { organizationId, owner, byKey, add, stranger, roles };
}
