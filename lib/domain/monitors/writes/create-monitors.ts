import { DomainError, type ErrorDetail, requireFound } from '@/lib/core/errors';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { ExpectedVersion, OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { refTaken } from '@/lib/domain/organizations/ref-taken';
import { joinTransaction, type Transaction } from '@/lib/platform/db/client';
import type { UpsertBody, Upserted } from '@/lib/schemas/bodies/upsert';
import type { Monitor, MonitorChanges } from '@/lib/schemas/monitor';
import type { MonitorConfig } from '@/lib/schemas/monitor/fields';
import { readMonitors } from '../find-monitor';
import {
  type LockedMonitor,
  lockMonitors,
  type PlannedChange,
  planChange,
  writeChanges,
} from './change-monitors';
import { type Admission, asCreated, insertMonitors, openAdmission } from './insert-monitors';

/** A monitor as sent, to be created; or in an upsert, to be changed if one has its `ref`. */
export type MonitorItem = UpsertBody<MonitorConfig, MonitorChanges> & {
  ref: string | null;
  /** The versions that the monitor must have. */
  expected: readonly ExpectedVersion[];
};

/** What became of an item. */
export type ItemOutcome = Upserted<Monitor> | { error: DomainError };

/**
 * Creates monitors in one transaction and a fixed number of statements; in an upsert, changes those whose `ref` exists. Atomically,
 * the first error is thrown, with the place of its item in the paths of its details, and nothing happens. Otherwise an item that is
 * not possible does not prevent the others, and its outcome is its error: that of `createMonitor` and `updateMonitor`, CONFLICT for
 * another version, and REF_TAKEN for a `ref` that an earlier item has. Throws FORBIDDEN.
 */
export async function createMonitors(
  ctx: OrganizationContext,
  items: readonly MonitorItem[],
  { isAtomic, isUpsert }: { isAtomic: boolean; isUpsert: boolean },
): Promise<ItemOutcome[]> {
  requirePermission(ctx, 'monitor.create');
  const reject = (error: DomainError, index: number) => {
    if (isAtomic) throw errorOfItem(error, index);
    return { error };
  };
  return ctx.db.$transaction((tx) => writeItems(tx, ctx, items, { isUpsert, reject }));
}

/**
 * Creates the monitor with a `ref`, or changes it. Throws what creating and changing it throw, and CONFLICT or PRECONDITION_FAILED if
 * it is not as expected.
 */
export async function upsertMonitor(
  ctx: OrganizationContext,
  ref: string,
  body: UpsertBody<MonitorConfig, MonitorChanges>,
): Promise<Upserted<Monitor>> {
  requirePermission(ctx, 'monitor.create');
  const item = { ...body, ref, expected: ctx.expected ?? [] };
  const reject = (error: DomainError) => {
    throw error;
  };
  const [outcome] = await ctx.db.$transaction((tx) =>
    writeItems(tx, ctx, [item], { isUpsert: true, reject }),
  );
  return requireFound(outcome, 'Monitor');
}

type Decision<Rejected> =
  | { kind: 'create'; config: MonitorConfig }
  | { kind: 'change'; id: string; planned: PlannedChange | null }
  | { kind: 'rejected'; rejected: Rejected };

/** Decides about each item in order, under the locks of the organization and of the monitors to change; then writes. */
async function writeItems<Rejected>(
  tx: Transaction,
  ctx: OrganizationContext,
  items: readonly MonitorItem[],
  { isUpsert, reject }: { isUpsert: boolean; reject(error: DomainError, index: number): Rejected },
): Promise<(Upserted<Monitor> | Rejected)[]> {
  const refs = items.map(({ ref }) => ref);
  const dependsOn = items.flatMap((item) => item.listTexts('dependsOn'));
  const admission = await openAdmission(tx, ctx, { refs, dependsOn });
  const changeable = isUpsert ? await lockFound(tx, ctx, admission) : new Map<string, LockedMonitor>();
  const changed = new Set<string>();
  const decisions = items.map((item, index): Decision<Rejected> => {
    try {
      return decide(ctx, item, { admission, changeable, changed });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { kind: 'rejected', rejected: reject(error, index) };
    }
  });
  const planned = decisions.flatMap((decision) =>
    decision.kind === 'change' && decision.planned ? [decision.planned] : [],
  );
  await writeChanges(tx, ctx, planned);
  const configs = decisions.flatMap((decision) => (decision.kind === 'create' ? [decision.config] : []));
  const createdIds = await insertMonitors(tx, ctx, configs);
  const changedIds = decisions.flatMap((decision) => (decision.kind === 'change' ? [decision.id] : []));
  const monitors = await readMonitors({ ...ctx, db: joinTransaction(tx) }, [...createdIds, ...changedIds]);
  const created = createdIds[Symbol.iterator]();
  return decisions.map((decision) => {
    if (decision.kind === 'rejected') return decision.rejected;
    const isCreated = decision.kind === 'create';
    const id = isCreated ? created.next().value : decision.id;
    const monitor = requireFound(monitors.get(id ?? ''), 'Monitor');
    return { isCreated, resource: isCreated ? asCreated(monitor) : monitor };
  });
}

/** The monitors with the refs in question, by ref; from now on, none of them is deleted or renamed. */
async function lockFound(tx: Transaction, ctx: OrganizationContext, { idsByRef }: Admission) {
  const locked = await lockMonitors(tx, ctx, [...idsByRef.values()]);
  const found = new Map<string, LockedMonitor>();
  for (const [ref, id] of idsByRef) {
    const monitor = locked.get(id);
    if (monitor) found.set(ref, monitor);
    // Deleted before it was locked.
    else idsByRef.delete(ref);
  }
  return found;
}

type Situation = {
  admission: Admission;
  /** The monitors that items can change, by ref; and the IDs of those that earlier items change. */
  changeable: ReadonlyMap<string, LockedMonitor>;
  changed: Set<string>;
};

function decide(
  ctx: OrganizationContext,
  { ref, expected, creation, changes: parseChanges }: MonitorItem,
  { admission, changeable, changed }: Situation,
): Decision<never> {
  const current = ref === null ? undefined : changeable.get(ref);
  if (current && changed.has(current.id)) throw refTaken('monitor');
  if (current === undefined) {
    const config = creation();
    requireExpectedVersion({ expected }, { version: null });
    admission.admit(config);
    return { kind: 'create', config };
  }
  const changes = parseChanges();
  requireExpectedVersion({ expected }, current);
  if (changes.ref !== undefined && changes.ref !== current.ref) throw refTaken('monitor');
  const planned = Object.keys(changes).length === 0 ? null : planChange(ctx, admission, current, changes);
  changed.add(current.id);
  return { kind: 'change', id: current.id, planned };
}

/** The error of an item as that of the whole request. */
function errorOfItem({ code, message, details }: DomainError, index: number): DomainError {
  const path = `monitors.${index}`;
  const itself: ErrorDetail = { path: '', code: code.toLowerCase(), message: 'was rejected' };
  const prefixed = (details ?? [itself]).map((detail) => {
    return { ...detail, path: detail.path === '' ? path : `${path}.${detail.path}` };
  });
  return new DomainError(code, `${path}: ${message}`, prefixed);
}
