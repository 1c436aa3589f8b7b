import { beforeAll, describe, expect, it } from 'vitest';
import { revokeApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { createPasswordReset, readPasswordReset, resetPassword } from '@/lib/domain/people/passwords';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { acceptInvitation, readInvitation } from './accept-invitation';
import { changeRole, leaveOrganization, removeMember, transferOwnership } from './change-members';
import { inviteMember } from './invitations';
import { createTestTeam } from './testing/people';

const database = useSharedDatabase();
let services: ReturnType<typeof createTestServices>;
const BASE = { baseUrl: 'https://pharos.test' };
const GONE = { code: 'NOT_FOUND' };

beforeAll(() => {
  services = createTestServices({ db: database.db });
});

type Team = Awaited<ReturnType<typeof createTestTeam>>;
type Person = Team['owner'];

async function begin() {
  const team = await createTestTeam(services);
  const [admin, member] = [await team.add('admin'), await team.add('member')];
  return { ...team, admin, member };
}

/** A link that `maker` creates for `member`, with a check whether it still works. */
async function handOutReset(maker: Person, member: Person) {
  const { path } = await createPasswordReset(maker.ctx, member.id);
  const token = new URLSearchParams(path.split('?')[1]).get('token') ?? '';
  return {
    open: () => readPasswordReset(services, token),
    use: () => resetPassword(services, { token, password: 'taken over by it', address: null }),
  };
}

async function joinAnother(person: Person): Promise<Team> {
  const other = await createTestTeam(services);
  const { url } = await inviteMember(other.owner.ctx, { email: person.email, role: 'member' }, BASE);
  const token = url.slice(url.lastIndexOf('/') + 1);
  await acceptInvitation(services, { token, userId: person.id, address: null });
  return other;
}

describe('a handed-out reset link', () => {
  it('works while nothing has changed', async () => {
    const { owner, member } = await begin();
    const link = await handOutReset(owner, member);
    expect(await link.open()).toMatchObject({ email: member.email });
    expect(await link.use()).toEqual({ email: member.email });
  });

  it.each<[string, (team: Awaited<ReturnType<typeof begin>>) => Promise<unknown>]>([
    ['the member joins another organization', ({ member }) => joinAnother(member)],
    [
      'the member joins another organization and leaves this one',
      async ({ member }) => {
        await joinAnother(member);
        await leaveOrganization(member.ctx);
      },
    ],
    [
      'the member becomes an owner',
      ({ owner, member }) => changeRole(owner.ctx, member.id, { role: 'owner' }),
    ],
    ['the member is handed the organization', ({ owner, member }) => transferOwnership(owner.ctx, member.id)],
    ['the member is removed', ({ owner, member }) => removeMember(owner.ctx, member.id)],
    ['its maker is removed', ({ owner, admin }) => removeMember(owner.ctx, admin.id)],
    ['its maker leaves', ({ admin }) => leaveOrganization(admin.ctx)],
    [
      'its creator is no longer an admin',
      ({ owner, admin }) => changeRole(owner.ctx, admin.id, { role: 'member' }),
    ],
  ])('ends when %s', async (_, change) => {
    const team = await begin();
    const link = await handOutReset(team.admin, team.member);
    await change(team);
    await expect(link.open()).rejects.toMatchObject(GONE);
    await expect(link.use()).rejects.toMatchObject(GONE);
  });

  it.each<[string, (team: Awaited<ReturnType<typeof begin>>) => Promise<unknown>]>([
    [
      'a role above its creator’s',
      ({ organizationId, member }) =>
        database.db.membership.update({
          where: { organizationId_userId: { organizationId, userId: member.id } },
          data: { role: 'owner' },
        }),
    ],
    [
      'a second organization',
      async ({ member }) => {
        const { organizationId } = await createTestTeam(services);
        const createdAt = services.clock.now();
        await database.db.membership.create({
          data: { organizationId, userId: member.id, role: 'viewer', createdAt },
        });
      },
    ],
    ['no maker any more', ({ admin }) => database.db.user.delete({ where: { id: admin.id } })],
  ])('is checked again when it is used: %s', async (_, change) => {
    const team = await begin();
    const link = await handOutReset(team.admin, team.member);
    await change(team);
    await expect(link.use()).rejects.toThrow('withdrawn');
  });
});

describe('an invitation', () => {
  async function invite(team: Team, ctx = team.owner.ctx, role: 'admin' | 'member' = 'admin') {
    const guest = await team.stranger();
    const { url } = await inviteMember(ctx, { email: guest.email, role }, BASE);
    const token = url.slice(url.lastIndexOf('/') + 1);
    return {
      open: () => readInvitation(services, token),
      accept: () => acceptInvitation(services, { token, userId: guest.id, address: null }),
    };
  }

  it('ends with the membership and the role of its creator', async () => {
    for (const change of [
      ({ owner, admin }: Awaited<ReturnType<typeof begin>>) => removeMember(owner.ctx, admin.id),
      ({ owner, admin }: Awaited<ReturnType<typeof begin>>) =>
        changeRole(owner.ctx, admin.id, { role: 'member' }),
    ]) {
      const team = await begin();
      const link = await invite(team, team.admin.ctx);
      await change(team);
      await expect(link.open()).rejects.toMatchObject(GONE);
      await expect(link.accept()).rejects.toMatchObject(GONE);
    }
  });

  it('is checked again when it is used', async () => {
    const team = await begin();
    const link = await invite(team, team.admin.ctx);
    await database.db.membership.update({
      where: { organizationId_userId: { organizationId: team.organizationId, userId: team.admin.id } },
      data: { role: 'viewer' },
    });
    await expect(link.open()).rejects.toThrow('withdrawn');
    await expect(link.accept()).rejects.toThrow('withdrawn');
  });

  it('created with an API key ends when the key is revoked', async () => {
    const team = await begin();
    const [kept, ended] = [await invite(team, team.byKey), await invite(team, team.byKey)];
    await kept.accept();
    const { actor } = team.byKey;
    if (actor.kind !== 'key') throw new Error('the context acts as a key');
    await revokeApiKey(team.owner.ctx, actor.keyId);
    await expect(ended.accept()).rejects.toThrow('withdrawn');
  });
});
