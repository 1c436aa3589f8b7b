import { DomainError, type ErrorDetail, requireFound } from '@/lib/core/errors';
import { mapInTurns } from '@/lib/core/map-in-turns';
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
  type LockedConfig,
  lockMonitors,
  type PlannedChange,
  planChange,
  writeChanges,
} from './change-monitors';
import {
  type Admission,
  asCreated,
  draftMonitor,
  insertMonitors,
  type MonitorDraft,
  openAdmission,
} from './insert-monitors';

/** A monitor as sent, to be created; or in an upsert, to be changed if one has its `ref`. */
export type MonitorItem = UpsertBody<MonitorConfig, MonitorChanges> & {
  ref: string | null;
  /** The versions that the monitor must have. */
  expected: readonly ExpectedVersion[];
  /** What the changes are, given the monitor that they are of. */
  adapt?(changes: MonitorChanges, current: LockedConfig): MonitorChanges;
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
  const drafts = await draftItems(ctx, items, { isUpsert });
  return ctx.db.$transaction((tx) => writeItems(tx, ctx, items, { drafts, isUpsert, reject }));
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
    writeItems(tx, ctx, [item], { drafts: [], isUpsert: true, reject }),
  );
  return requireFound(outcome, 'Monitor');
}

/** A monitor to be created, or why an item is none. */
export type ItemDraft = MonitorDraft | DomainError;

/**
 * Validates the items that create monitors, and prepares their rows, before the transaction: hundreds take a while, and it holds locks. Of an
 * upsert, those without a monitor now; which exist meanwhile is looked up again under the locks.
 */
export async function draftItems(
  ctx: Pick<OrganizationContext, 'db' | 'organizationId' | 'keyring'>,
  items: readonly MonitorItem[],
  { isUpsert }: { isUpsert: boolean },
): Promise<(ItemDraft | null)[]> {
  const refs = isUpsert ? items.flatMap(({ ref }) => ref ?? []) : [];
  const where = { organizationId: ctx.organizationId, ref: { in: refs } };
  const rows = refs.length === 0 ? [] : await ctx.db.monitor.findMany({ where, select: { ref: true } });
  const found = new Set(rows.map(({ ref }) => ref));
  return mapInTurns(items, (item) => (isUpsert && found.has(item.ref) ? null : draftItem(ctx, item)));
}

function draftItem(ctx: Pick<OrganizationContext, 'keyring'>, item: MonitorItem): ItemDraft {
  try {
    return draftMonitor(ctx, item.creation());
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** What is to become of an item. */
export type ItemDecision<Rejected> =
  | { kind: 'create'; draft: MonitorDraft }
  | { kind: 'change'; id: string; planned: PlannedChange | null }
  | { kind: 'rejected'; rejected: Rejected };

type Writing<Rejected> = {
  /** What was prepared, by the place of the item. */
  drafts: readonly (ItemDraft | null)[];
  isUpsert: boolean;
  reject(error: DomainError, index: number): Rejected;
};

/** Decides about each item in order, under the locks of the organization and of the monitors to change; then writes. */
async function writeItems<Rejected>(
  tx: Transaction,
  ctx: OrganizationContext,
  items: readonly MonitorItem[],
  writing: Writing<Rejected>,
): Promise<(Upserted<Monitor> | Rejected)[]> {
  const decisions = await decideItems(tx, ctx, items, writing);
  const monitors = await writeDecisions(tx, ctx, decisions);
  return decisions.map((decision) => {
    if (decision.kind === 'rejected') return decision.rejected;
    const isCreated = decision.kind === 'create';
    const monitor = requireFound(monitors.get(idOf(decision)), 'Monitor');
    return { isCreated, resource: isCreated ? asCreated(monitor) : monitor };
  });
}

/** The ID of the monitor that an item creates or changes. */
export function idOf(decision: Exclude<ItemDecision<unknown>, { kind: 'rejected' }>): string {
  return decision.kind === 'create' ? decision.draft.id : decision.id;
}

/** Decides about each item in order, and keeps the locks of the organization and of the monitors to change until the transaction ends. */
export async function decideItems<Rejected>(
  tx: Transaction,
  ctx: OrganizationContext,
  items: readonly MonitorItem[],
  { drafts, isUpsert, reject }: Writing<Rejected>,
): Promise<ItemDecision<Rejected>[]> {
  const refs = items.map(({ ref }) => ref);
  const named = items.flatMap((item) => [...item.listTexts('dependsOn'), ...item.listTexts('members')]);
  const admission = await openAdmission(tx, ctx, { refs, named });
  const changeable = isUpsert ? await lockFound(tx, ctx, admission) : new Map<string, LockedConfig>();
  const changed = new Set<string>();
  return mapInTurns(items, (item, index): ItemDecision<Rejected> => {
    const draft = () => drafts[index] ?? draftItem(ctx, item);
    try {
      return decide(ctx, { ...item, draft }, { admission, changeable, changed });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { kind: 'rejected', rejected: reject(error, index) };
    }
  });
}

/** Writes what was decided under the same locks, and returns the monitors by ID. */
export async function writeDecisions(
  tx: Transaction,
  ctx: OrganizationContext,
  decisions: readonly ItemDecision<unknown>[],
): Promise<Map<string, Monitor>> {
  const planned = decisions.flatMap((decision) =>
    decision.kind === 'change' && decision.planned ? [decision.planned] : [],
  );
  await writeChanges(tx, ctx, planned);
  const created = decisions.flatMap((decision) => (decision.kind === 'create' ? [decision.draft] : []));
  await insertMonitors(tx, ctx, created);
  const changedIds = decisions.flatMap((decision) => (decision.kind === 'change' ? [decision.id] : []));
  const ids = [...created.map(({ id }) => id), ...changedIds];
  return readMonitors({ ...ctx, db: joinTransaction(tx) }, ids);
}

/** The monitors with the refs in question, by ref; from now on, none of them is deleted or renamed. */
async function lockFound(tx: Transaction, ctx: OrganizationContext, { idsByRef }: Admission) {
  const locked = await lockMonitors(tx, ctx, [...idsByRef.values()]);
  const found = new Map<string, LockedConfig>();
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
  changeable: ReadonlyMap<string, LockedConfig>;
  changed: Set<string>;
};

function decide(
  ctx: OrganizationContext,
  { ref, expected, draft: draftOf, changes: parseChanges, adapt }: MonitorItem & { draft(): ItemDraft },
  { admission, changeable, changed }: Situation,
): ItemDecision<never> {
  const current = ref === null ? undefined : changeable.get(ref);
  if (current && changed.has(current.id)) throw refTaken('monitor');
  if (current === undefined) {
    const draft = draftOf();
    if (draft instanceof DomainError) throw draft;
    requireExpectedVersion({ expected }, { version: null });
    admission.admit(draft.config);
    return { kind: 'create', draft };
  }
  const sent = parseChanges();
  const changes = adapt ? adapt(sent, current) : sent;
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
