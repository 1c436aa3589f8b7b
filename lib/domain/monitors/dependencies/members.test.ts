import { describe, expect, it } from 'vitest';
import { DomainError, formatProblem } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { bulkItem } from '@/lib/schemas/monitor/bulk';
import { MAX_MEMBERS } from '@/lib/schemas/monitor/fields';
import { useTestDatabase } from '@/lib/testing/database';
import { holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { deleteMonitors } from '../change-selected';
import { createMonitor } from '../create-monitor';
import { getMonitor } from '../find-monitor';
import { updateMonitor } from '../update-monitor';
import { createMonitors } from '../writes/create-monitors';

const database = useTestDatabase();
const begin = () => createTestOrganization(createTestServices({ db: database.db }), { plan: 'enterprise' });

const add = (ctx: OrganizationContext, name: string) =>
  createMonitor(ctx, bulkItem({ name, url: 'http://shop.test/', enabled: false }).creation());
const group = (fields: object) => bulkItem({ name: 'Group', type: 'group', ...fields });
const addGroup = (ctx: OrganizationContext, members: string[], fields: object = {}) =>
  createMonitor(ctx, group({ members, ...fields }).creation());

async function problemOf(acting: Promise<unknown>) {
  const error = await acting.catch((thrown: unknown) => thrown);
  if (!(error instanceof DomainError)) throw error;
  return { code: error.code, message: formatProblem(error) };
}

describe('the members of a group', () => {
  it('are stored in the order given, changed, and reset by null', async () => {
    const { ctx } = await begin();
    const [a, b] = [await add(ctx, 'A'), await add(ctx, 'B')];
    const { id, members, memberRule, heartbeatUrl } = await addGroup(ctx, [b.id, a.id]);
    expect({ members, memberRule, heartbeatUrl }).toEqual({
      members: [b.id, a.id],
      memberRule: 'all',
      heartbeatUrl: null,
    });
    expect((await updateMonitor(ctx, id, { members: [a.id] })).members).toEqual([a.id]);
  });

  it('must be monitors of the organization', async () => {
    const { ctx } = await begin();
    const foreign = await add((await begin()).ctx, 'Foreign');
    expect(await problemOf(addGroup(ctx, [foreign.id]))).toEqual({
      code: 'UNKNOWN_MONITOR',
      message: 'Monitors not found: members.0. members.0 is not a monitor of this organization.',
    });
  });

  it('cannot lead back to the group, by what they consist of or depend on', async () => {
    const { ctx } = await begin();
    const a = await add(ctx, 'A');
    const inner = await addGroup(ctx, [a.id], { name: 'Inner' });
    const outer = await addGroup(ctx, [inner.id], { name: 'Outer' });
    const refused = async (id: string, changes: object) =>
      (await problemOf(updateMonitor(ctx, id, changes))).message.split('other. ')[0];
    expect(await refused(inner.id, { members: [inner.id] })).toContain('members must not lead back');
    expect(await refused(inner.id, { members: [a.id, outer.id] })).toContain('through “Outer”');
    expect(await refused(a.id, { dependsOn: [outer.id] })).toContain(
      'dependsOn must not lead back to this monitor through “Outer” and “Inner”',
    );
    // Both see the same cause: neither explains the other.
    await updateMonitor(ctx, outer.id, { dependsOn: [a.id] });
  });

  it('cannot form a cycle in concurrent changes', async () => {
    const { ctx } = await begin();
    const [one, other] = [await addGroup(ctx, []), await addGroup(ctx, [])];
    const held = await holdBeforeCommit(database.db, (db) =>
      updateMonitor({ ...ctx, db }, one.id, { members: [other.id] }),
    );
    const second = problemOf(updateMonitor(ctx, other.id, { members: [one.id] }));
    await untilBlocked(database.db);
    await held.release();
    expect(await second).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('are groups of groups at most three deep, wherever one is added', async () => {
    const { ctx } = await begin();
    const a = await add(ctx, 'A');
    const first = await addGroup(ctx, [a.id]);
    const second = await addGroup(ctx, [first.id]);
    const third = await addGroup(ctx, [a.id, second.id]);
    const tooDeep = { code: 'VALIDATION_ERROR', message: expect.stringContaining('deeper than 3 levels') };
    expect(await problemOf(addGroup(ctx, [third.id]))).toEqual(tooDeep);
    const innermost = await addGroup(ctx, [a.id]);
    expect(await problemOf(updateMonitor(ctx, first.id, { members: [innermost.id] }))).toEqual(tooDeep);
    await updateMonitor(ctx, third.id, { members: [a.id, innermost.id] });
    await updateMonitor(ctx, first.id, { members: [innermost.id] });
  });

  it('cannot become too deep in one request, in which each group is decided for itself', async () => {
    const { ctx } = await begin();
    const groups = [];
    for (const ref of ['one', 'two', 'three', 'four']) groups.push((await addGroup(ctx, [], { ref })).id);
    const leaf = await add(ctx, 'Leaf');
    const items = [
      bulkItem({ ref: 'one', members: [leaf.id] }),
      bulkItem({ ref: 'two', members: [groups[0]] }),
      bulkItem({ ref: 'three', members: [groups[1]] }),
      bulkItem({ ref: 'four', members: [groups[2]] }),
    ];
    const outcomes = await createMonitors(ctx, items, { isAtomic: false, isUpsert: true });
    expect(outcomes.map((outcome) => 'error' in outcome)).toEqual([false, false, false, true]);
  });

  it('lose a monitor that is deleted, and keep the others in their order', async () => {
    const { ctx } = await begin();
    const [a, b, c] = [await add(ctx, 'A'), await add(ctx, 'B'), await add(ctx, 'C')];
    const { id } = await addGroup(ctx, [c.id, b.id, a.id]);
    await deleteMonitors(ctx, [b.id]);
    expect(await getMonitor(ctx, id)).toMatchObject({ members: [c.id, a.id], version: 2 });
  });

  it('are at most 200, each once', () => {
    const ids = Array.from({ length: MAX_MEMBERS + 1 }, (_, place) => `mon_${place}`);
    const parse = (members: string[]) =>
      createMonitorSchema.safeParse({ name: 'Group', type: 'group', members }).success;
    expect([parse(ids.slice(1)), parse(ids), parse(['mon_1', 'mon_1'])]).toEqual([true, false, false]);
  });

  it.each([
    ['all', undefined, []],
    ['any', null, []],
    ['count', 3, []],
    ['share', 100, []],
    ['count', null, ['memberMinimum is required with memberRule count.']],
    ['share', 101, ['memberMinimum must be at most 100, as it is a percentage.']],
    ['count', 0, ['memberMinimum must be at least 1.']],
  ])('with the rule %s %s are valid or say what is missing', (memberRule, memberMinimum, expected) => {
    const sent = { name: 'Group', type: 'group', memberRule, memberMinimum };
    const problems = createMonitorSchema.safeParse(sent).error?.issues ?? [];
    expect(problems.map(({ path, message }) => `${path.join('.')} ${message}.`)).toEqual(expected);
  });
});
