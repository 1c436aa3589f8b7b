import { describe, expect, it } from 'vitest';
import { DomainError, formatProblem } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { copyMonitor } from '@/lib/domain/monitors/testing/history';
import { bulkItem } from '@/lib/schemas/monitor/bulk';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { holdBeforeCommit, untilBlocked } from '@/lib/testing/races';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { deleteMonitor, deleteMonitors } from '../change-selected';
import { createMonitor } from '../create-monitor';
import { getMonitor } from '../find-monitor';
import { updateMonitor } from '../update-monitor';
import { createMonitors } from '../writes/create-monitors';
import { countDependents, dependentsQuery } from './count-dependents';
import { readReferences } from './read-references';

const database = useTestDatabase();
const begin = () => createTestOrganization(createTestServices({ db: database.db }), { plan: 'enterprise' });

const config = (fields: object) =>
  bulkItem({ name: 'Shop', url: 'http://shop.test/', enabled: false, ...fields });
const add = (ctx: OrganizationContext, name: string, dependsOn: string[] = []) =>
  createMonitor(ctx, config({ name, dependsOn }).creation());

async function problemOf(acting: Promise<unknown>) {
  const error = await acting.catch((thrown: unknown) => thrown);
  if (!(error instanceof DomainError)) throw error;
  return { code: error.code, message: formatProblem(error) };
}

describe('dependencies', () => {
  it('are stored in the order given, changed, and reset by null', async () => {
    const { ctx } = await begin();
    const [core, gateway] = [await add(ctx, 'Core'), await add(ctx, 'Gateway')];
    const shop = await add(ctx, 'Shop', [gateway.id, core.id]);
    expect(shop.dependsOn).toEqual([gateway.id, core.id]);
    expect((await updateMonitor(ctx, shop.id, { dependsOn: [core.id] })).dependsOn).toEqual([core.id]);
    expect((await updateMonitor(ctx, shop.id, { dependsOn: [] })).dependsOn).toEqual([]);
  });

  it('must be monitors of the organization', async () => {
    const { ctx } = await begin();
    const foreign = await add((await begin()).ctx, 'Foreign');
    const { id } = await add(ctx, 'Shop');
    const unknown = {
      code: 'UNKNOWN_MONITOR',
      message: 'Monitors not found: dependsOn.0. dependsOn.0 is not a monitor of this organization.',
    };
    expect(await problemOf(add(ctx, 'Blog', [foreign.id]))).toEqual(unknown);
    expect(await problemOf(updateMonitor(ctx, id, { dependsOn: [foreign.id] }))).toEqual(unknown);
  });

  it('cannot lead back to the monitor, directly or through others', async () => {
    const { ctx } = await begin();
    const core = await add(ctx, 'Core');
    const gateway = await add(ctx, 'Gateway', [core.id]);
    const shop = await add(ctx, 'Shop', [gateway.id]);
    const refused = async (id: string, dependsOn: string[]) =>
      (await problemOf(updateMonitor(ctx, id, { dependsOn }))).message.split('dependsOn. ')[1];
    expect(await refused(core.id, [core.id])).toBe('dependsOn must not lead back to this monitor.');
    expect(await refused(core.id, [shop.id])).toBe(
      'dependsOn must not lead back to this monitor through “Shop” and “Gateway”.',
    );
    await updateMonitor(ctx, gateway.id, { dependsOn: [] });
    await updateMonitor(ctx, core.id, { dependsOn: [shop.id] });
  });

  it('cannot form a cycle in concurrent changes', async () => {
    const { ctx } = await begin();
    const [one, other] = [await add(ctx, 'One'), await add(ctx, 'Other')];
    const held = await holdBeforeCommit(database.db, (db) =>
      updateMonitor({ ...ctx, db }, one.id, { dependsOn: [other.id] }),
    );
    const second = problemOf(updateMonitor(ctx, other.id, { dependsOn: [one.id] }));
    await untilBlocked(database.db);
    await held.release();
    expect(await second).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('cannot form a cycle in one request, in which each monitor is decided for itself', async () => {
    const { ctx } = await begin();
    const [one, other] = [await add(ctx, 'One'), await add(ctx, 'Other')];
    for (const { id, name } of [one, other]) await updateMonitor(ctx, id, { ref: name });
    const items = [
      bulkItem({ ref: 'One', dependsOn: [other.id] }),
      bulkItem({ ref: 'Other', dependsOn: [one.id] }),
      config({ name: 'Shop', ref: 'Shop', dependsOn: [one.id, other.id] }),
      config({ name: 'Blog', ref: 'Blog', dependsOn: ['mon_unknown'] }),
    ];
    const outcomes = await createMonitors(ctx, items, { isAtomic: false, isUpsert: true });
    expect(outcomes.map((outcome) => ('error' in outcome ? outcome.error.code : outcome.isCreated))).toEqual([
      false,
      'VALIDATION_ERROR',
      true,
      'UNKNOWN_MONITOR',
    ]);
  });

  it('lose a monitor that is deleted, and keep the others in their order', async () => {
    const { ctx } = await begin();
    const [a, b, c] = [await add(ctx, 'A'), await add(ctx, 'B'), await add(ctx, 'C')];
    const shop = await add(ctx, 'Shop', [c.id, b.id, a.id]);
    await deleteMonitor(ctx, b.id);
    expect(await getMonitor(ctx, shop.id)).toMatchObject({ dependsOn: [c.id, a.id], version: 2 });
  });

  it('never name a monitor that is deleted at the same time', async () => {
    const { ctx } = await begin();
    const gateway = await add(ctx, 'Gateway');
    const held = await holdBeforeCommit(database.db, (db) => add({ ...ctx, db }, 'Shop', [gateway.id]));
    const deleting = deleteMonitors(ctx, [gateway.id]);
    await untilBlocked(database.db);
    const { id } = await held.release();
    await deleting;
    expect((await getMonitor(ctx, id)).dependsOn).toEqual([]);

    const core = await add(ctx, 'Core');
    const deleted = await holdBeforeCommit(database.db, (db) => deleteMonitors({ ...ctx, db }, [core.id]));
    const second = problemOf(updateMonitor(ctx, id, { dependsOn: [core.id] }));
    await untilBlocked(database.db);
    await deleted.release();
    expect(await second).toMatchObject({ code: 'UNKNOWN_MONITOR' });
  });

  it('are shown both ways, ten dependents by name and the rest as a number', async () => {
    const { ctx } = await begin();
    const core = await add(ctx, 'Core');
    const gateway = await add(ctx, 'Gateway', [core.id]);
    const shops = Array.from({ length: 12 }, (_, index) =>
      config({ name: `Shop ${String(index).padStart(2, '0')}`, dependsOn: [gateway.id] }),
    );
    await createMonitors(ctx, shops, { isAtomic: true, isUpsert: false });
    const { dependsOn, dependents } = await readReferences(ctx, gateway.id);
    expect(dependsOn).toEqual([{ id: core.id, name: 'Core' }]);
    expect(dependents.count).toBe(12);
    expect(dependents.first.map(({ name }) => name)).toEqual(
      shops.slice(0, 10).map((_, index) => `Shop 0${index}`),
    );
  });
});

it('counts the enabled monitors that depend on others, directly or not, each once', async () => {
  const { ctx } = await begin();
  const core = await add(ctx, 'Core');
  const [left, right] = [await add(ctx, 'Left', [core.id]), await add(ctx, 'Right', [core.id])];
  const shop = await createMonitor(
    ctx,
    config({ name: 'Shop', enabled: true, dependsOn: [left.id, right.id] }).creation(),
  );
  const counts = await countDependents(database.db, [core.id, left.id, shop.id]);
  expect(Object.fromEntries(counts)).toEqual({ [core.id]: 1, [left.id]: 1 });
});

it('are counted by an index, also among thousands that the server has not analyzed yet', async () => {
  const { ctx } = await begin();
  const { id } = await add(ctx, 'Shop');
  const ids = await copyMonitor(database.db, id, 3000);
  const asked = ids.slice(0, 50);
  expect((await explain(database.db, dependentsQuery(asked))).pages).toBeLessThan(20 * asked.length);
});
