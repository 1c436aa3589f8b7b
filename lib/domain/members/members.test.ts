import { describe, expect, it } from 'vitest';
import { issueApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { createApiKeySchema } from '@/lib/schemas/api-key';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { authenticateApiKey } from '@/lib/web/auth/authenticate-api-key';
import { changeRole, leaveOrganization, removeMember, transferOwnership } from './change-members';
import { getMember, listMembers } from './read-members';
import { createTestTeam } from './testing/people';

const database = useSharedDatabase();
const services = () => createTestServices({ db: database.db });
const begin = () => createTestTeam(services());
const LAST_OWNER = { code: 'VALIDATION_ERROR', message: expect.stringContaining('only owner') };
const FORBIDDEN = { code: 'FORBIDDEN' };
const MISSING = { code: 'NOT_FOUND' };

describe('members', () => {
  it('are listed with their role, without those of other organizations', async () => {
    const [team, other] = [await begin(), await begin()];
    const viewer = await team.add('viewer');
    const list = await listMembers(viewer.ctx);
    expect(list.map(({ id, role }) => [id, role])).toEqual([
      [viewer.id, 'viewer'],
      [team.owner.id, 'owner'],
    ]);
    expect(await getMember(team.owner.ctx, viewer.id)).toEqual(list[0]);
    for (const id of [viewer.id, 'usr_none']) {
      await expect(getMember(other.owner.ctx, id)).rejects.toMatchObject(MISSING);
      await expect(changeRole(other.owner.ctx, id, { role: 'admin' })).rejects.toMatchObject(MISSING);
      await expect(removeMember(other.owner.ctx, id)).rejects.toMatchObject(MISSING);
      await expect(transferOwnership(other.owner.ctx, id)).rejects.toMatchObject(MISSING);
    }
  });

  it('are changed and removed by admins and write keys, except owners', async () => {
    const team = await begin();
    const [admin, other] = [await team.add('admin'), await team.add('member')];
    for (const ctx of [admin.ctx, team.byKey]) {
      expect(await changeRole(ctx, other.id, { role: 'viewer' })).toMatchObject({ role: 'viewer' });
      expect(await changeRole(ctx, other.id, { role: 'admin' })).toMatchObject({ role: 'admin' });
      expect(await changeRole(ctx, other.id, { role: undefined })).toMatchObject({ role: 'admin' });
      await expect(changeRole(ctx, other.id, { role: 'owner' })).rejects.toMatchObject(FORBIDDEN);
      await expect(changeRole(ctx, team.owner.id, { role: 'viewer' })).rejects.toMatchObject(FORBIDDEN);
      await expect(removeMember(ctx, team.owner.id)).rejects.toMatchObject(FORBIDDEN);
      await expect(transferOwnership(ctx, other.id)).rejects.toMatchObject(FORBIDDEN);
    }
    await removeMember(admin.ctx, other.id);
    expect(await team.roles()).toEqual({ [team.owner.id]: 'owner', [admin.id]: 'admin' });
  });

  it.each(['member', 'viewer'] as const)('cannot be managed by a %s', async (role) => {
    const team = await begin();
    const [asker, other] = [await team.add(role), await team.add('viewer')];
    await expect(changeRole(asker.ctx, other.id, { role: 'viewer' })).rejects.toMatchObject(FORBIDDEN);
    await expect(changeRole(asker.ctx, asker.id, { role: 'owner' })).rejects.toMatchObject(FORBIDDEN);
    await expect(removeMember(asker.ctx, other.id)).rejects.toMatchObject(FORBIDDEN);
  });

  it('leave and are removed without revoking the keys they created', async () => {
    const team = await begin();
    const admin = await team.add('admin');
    const { apiKey } = await issueApiKey(admin.ctx, createApiKeySchema.parse({ name: 'CI' }));
    await removeMember(team.owner.ctx, admin.id);
    const { ctx } = await authenticateApiKey(services(), `Bearer ${apiKey}`);
    expect(ctx.organizationId).toBe(team.organizationId);
    await expect(removeMember(team.owner.ctx, admin.id)).rejects.toMatchObject(MISSING);
    await expect(changeRole(admin.ctx, team.owner.id, { role: 'viewer' })).rejects.toMatchObject(FORBIDDEN);
    await expect(leaveOrganization(team.byKey)).rejects.toMatchObject(FORBIDDEN);

    const viewer = await team.add('viewer');
    await leaveOrganization(viewer.ctx);
    await expect(leaveOrganization(viewer.ctx)).rejects.toMatchObject(FORBIDDEN);
    expect(await team.roles()).toEqual({ [team.owner.id]: 'owner' });
  });

  it('are in the audit log with what changed', async () => {
    const team = await begin();
    const [first, second] = [await team.add('member'), await team.add('viewer')];
    await changeRole(team.owner.ctx, first.id, { role: 'admin' });
    await changeRole(team.owner.ctx, first.id, { role: 'admin' });
    await removeMember(team.owner.ctx, first.id);
    await leaveOrganization(second.ctx);
    const { organizationId } = team;
    const entries = await database.db.auditEntry.findMany({
      where: { organizationId },
      orderBy: { number: 'asc' },
    });
    expect(entries).toMatchObject([
      {
        action: 'member.change',
        actorLabel: team.owner.email,
        subjectLabel: first.email,
        before: { role: 'member' },
        after: { role: 'admin' },
      },
      { action: 'member.remove', subjectId: first.id, before: { role: 'admin' } },
      { action: 'member.leave', actorLabel: second.email, subjectId: second.id },
    ]);
  });
});

describe('the last owner', () => {
  it('cannot leave, be removed or be demoted, not even by the operator', async () => {
    const team = await begin();
    await team.add('admin');
    const operator = { ...team.owner.ctx, actor: { kind: 'operator' } as const };
    for (const ctx of [team.owner.ctx, operator]) {
      await expect(removeMember(ctx, team.owner.id)).rejects.toMatchObject(LAST_OWNER);
      await expect(changeRole(ctx, team.owner.id, { role: 'admin' })).rejects.toMatchObject(LAST_OWNER);
    }
    await expect(leaveOrganization(team.owner.ctx)).rejects.toMatchObject(LAST_OWNER);
    expect(await team.roles()).toMatchObject({ [team.owner.id]: 'owner' });
  });

  it.each(['leave', 'demote themselves', 'remove each other', 'demote each other'])(
    'remains when two owners %s concurrently',
    async (how) => {
      const team = await begin();
      const pair = [team.owner, await team.add('owner')];
      const [a, b] = pair;
      if (!a || !b) throw new Error('two owners');
      const act = {
        leave: (one: typeof a) => leaveOrganization(one.ctx),
        'demote themselves': (one: typeof a) => changeRole(one.ctx, one.id, { role: 'viewer' }),
        'remove each other': (one: typeof a, two: typeof a) => removeMember(one.ctx, two.id),
        'demote each other': (one: typeof a, two: typeof a) =>
          changeRole(one.ctx, two.id, { role: 'viewer' }),
      }[how];
      const outcomes = await Promise.allSettled([act?.(a, b), act?.(b, a)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(Object.values(await team.roles()).filter((role) => role === 'owner')).toHaveLength(1);
    },
  );

  it('transfers ownership and becomes an admin in one transaction', async () => {
    const team = await begin();
    const heir = await team.add('viewer');
    await expect(transferOwnership(team.owner.ctx, team.owner.id)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await transferOwnership(team.owner.ctx, heir.id);
    expect(await team.roles()).toEqual({ [team.owner.id]: 'admin', [heir.id]: 'owner' });
    await expect(transferOwnership(team.owner.ctx, team.owner.id)).rejects.toMatchObject(FORBIDDEN);
    await leaveOrganization(team.owner.ctx);
  });
});
