import { PatternBudget } from '@/lib/checks/assertions/pattern-budget';
import { isProbed } from '@/lib/checks/types';
import { DomainError, requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Transaction } from '@/lib/platform/db/client';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Monitor, MonitorChanges } from '@/lib/schemas/monitor';
import { bulkItems } from '@/lib/schemas/monitor/bulk';
import {
  describeField,
  FIELD_NAMES,
  type FieldName,
  type MonitorConfig,
  monitorDefaults,
  SECRET_FIELDS,
  type SecretField,
} from '@/lib/schemas/monitor/fields';
import type { ImportedChange, ImportRequest, ImportResult } from '@/lib/schemas/monitor/import';
import { originOf } from '../keep-hidden';
import type { LockedConfig } from '../writes/change-monitors';
import {
  decideItems,
  draftItems,
  type ItemDecision,
  idOf,
  type MonitorItem,
  writeDecisions,
} from '../writes/create-monitors';
import { asCreated } from '../writes/insert-monitors';
import { createSource, findSource, type MonitorSource } from './import-sources';
import { type ImportedValues, readImported, recordImported } from './imported-values';
import { matchRefs } from './match-refs';

/** What an import did, or in a dry run would do. */
export type ImportReport = {
  source: { name: string; isNew: boolean };
  outcomes: (ImportResult | { error: DomainError })[];
};

/** A monitor of a file, and the secrets that it leaves out. */
type ImportItem = MonitorItem & { ref: string; fields: readonly FieldName[] } & Secrets;

/** The stored secrets that a file leaves out, by what becomes of them. */
type Secrets = { kept: string[]; dropped: string[] };

/**
 * Creates the monitors of a file, and changes those that exist under their refs; fields that are left out stay as they are. One that
 * is not possible does not prevent the others, and its outcome is its error: that of `createMonitors`, and REF_TAKEN for one
 * that becomes another monitor although the request names no source. Throws FORBIDDEN, and CONFLICT for another import
 * that creates the source at the same time.
 */
export async function importMonitors(
  ctx: OrganizationContext,
  { format, source: named, monitors, dryRun }: ImportRequest,
): Promise<ImportReport> {
  requirePermission(ctx, 'monitor.create');
  const source = await findSource(ctx, format, named);
  const items = toItems(monitors, await matchRefs(ctx, { format, source }, monitors));
  const drafts = await draftItems(ctx, items, { isUpsert: true });
  const reject = (error: DomainError) => ({ error });
  const outcomes = await ctx.db.$transaction(async (tx) => {
    const decisions = (await decideItems(tx, ctx, items, { drafts, isUpsert: true, reject })).map(
      (decision) =>
        named === null && !dryRun && isReplaced(decision)
          ? { kind: 'rejected' as const, rejected: { error: otherSource() } }
          : decision,
    );
    const ids = decisions.flatMap((decision) => (decision.kind === 'change' ? [decision.id] : []));
    const imported = await readImported(tx, ctx, ids);
    const written = dryRun ? null : await write(tx, ctx, { format, source, items, imported }, decisions);
    return decisions.map((decision, index) => {
      if (decision.kind === 'rejected') return decision.rejected;
      return toResult(requireFound(items[index], 'Monitor'), decision, imported, written);
    });
  });
  return { source: { name: source.name, isNew: source.id === null }, outcomes };
}

function otherSource(): DomainError {
  const message =
    'Another monitor has this ref: its name differs, and so does its target if it has one. Name the source that the file is from.';
  return new DomainError('REF_TAKEN', message, [
    { path: 'ref', code: 'ref_taken', message: 'is that of another monitor' },
  ]);
}

/** The monitors as sent, with their `refs` in Pharos, whose patterns share one budget. */
function toItems(monitors: ImportRequest['monitors'], refs: readonly string[]): ImportItem[] {
  const sent = monitors.map((monitor, index) => ({ ...monitor, ref: refs[index] ?? monitor.ref }));
  const budget = new PatternBudget();
  const changes = bulkItems(sent, budget);
  return bulkItems(sent.map(withoutHidden), budget).map((item, index) => {
    const { ref = '', ...fields } = sent[index] ?? {};
    const secrets: Secrets = { kept: [], dropped: [] };
    return {
      ...item,
      ref,
      fields: FIELD_NAMES.filter((name) => Object.hasOwn(fields, name)),
      ...secrets,
      changes: () => requireFound(changes[index], 'Monitor').changes(),
      adapt: (given, current) => keepSecrets(given, current, secrets),
    };
  });
}

/** A new monitor has nothing stored that could be kept. */
function withoutHidden(sent: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(sent).map(([name, value]) => {
    if (value === HIDDEN) return [name, null];
    if (name === 'authentication')
      return [name, Object.values(Object(value)).includes(HIDDEN) ? null : value];
    if (name !== 'headers' || typeof value !== 'object' || value === null) return [name, value];
    return [name, Object.fromEntries(Object.entries(value).filter(([, each]) => each !== HIDDEN))];
  });
  return Object.fromEntries(entries);
}

/**
 * What a file hides or leaves out of a request stays, and is added to `kept`; but it is not sent to another host, and then added to
 * `dropped`. What is hidden and not stored is left out.
 */
function keepSecrets(
  given: MonitorChanges,
  current: LockedConfig,
  { kept, dropped }: Secrets,
): MonitorChanges {
  const { type = current.type, url = current.url, connectTo = current.connectTo } = given;
  const target = { type, url, connectTo };
  const mayKeep = originOf(target) === originOf(current);
  const left = mayKeep ? kept : dropped;
  const secrets = SECRET_FIELDS.flatMap((name) => {
    const { secret, group } = describeField(name);
    const value = given[name];
    if (value === undefined) {
      if (group !== 'request' || isUnset(name, current)) return [];
      left.push(name);
      return mayKeep ? [] : [[name, monitorDefaults[name]]];
    }
    const paths = secret?.listHidden(value) ?? [];
    const stored = paths.filter((path) => secret?.find(current[name], path, value) !== null);
    left.push(...stored.map((path) => [name, ...path].join('.')));
    return [[name, secret?.drop(mayKeep ? secret.fill(value, current[name]) : value)]];
  });
  return { ...given, ...Object.fromEntries(secrets) };
}

function isUnset(name: SecretField, config: MonitorConfig): boolean {
  return describeField(name).secret?.write(config[name]) === null;
}

type Change = Extract<ItemDecision<unknown>, { kind: 'change' }>;

/** Whether a monitor would have another name and another target, so that it can be another one. One without a target has only its name. */
function isReplaced(decision: ItemDecision<unknown>): boolean {
  if (decision.kind !== 'change' || decision.planned === null) return false;
  const { changed, next } = decision.planned;
  const isElsewhere = changed.includes('url') || changed.includes('type') || !isProbed(next);
  return changed.includes('name') && isElsewhere;
}

type Writing = {
  format: string;
  source: MonitorSource;
  items: readonly ImportItem[];
  /** What earlier imports set. */
  imported: ImportedValues;
};

/** Writes what was decided, and what the import set. */
async function write<Rejected>(
  tx: Transaction,
  ctx: OrganizationContext,
  { format, source, items, imported }: Writing,
  decisions: readonly ItemDecision<Rejected>[],
): Promise<Map<string, Monitor>> {
  const monitors = await writeDecisions(
    tx,
    ctx,
    decisions.map((decision) => (isSame(decision) ? { ...decision, planned: null } : decision)),
  );
  const sourceId = await createSource(tx, ctx, format, source);
  const set = decisions.flatMap((decision, index) => {
    const config = configAfter(decision);
    const item = items[index];
    if (config === null || decision.kind === 'rejected' || item === undefined) return [];
    return [{ id: idOf(decision), fields: listSet(item, decision, imported), config }];
  });
  await recordImported(tx, ctx, sourceId, set);
  return monitors;
}

/**
 * The fields that an import set. An edit that it kept, because the file leaves out the secret, remains an edit. A new monitor has
 * the secrets that its file leaves out unset.
 */
function listSet(
  { fields, kept }: ImportItem,
  decision: Exclude<ItemDecision<unknown>, { kind: 'rejected' }>,
  imported: ImportedValues,
): FieldName[] {
  if (decision.kind === 'create') return [...new Set([...fields, ...SECRET_FIELDS])];
  const current = decision.planned?.current;
  const isKept = (field: FieldName) => kept.some((path) => path.split('.', 1)[0] === field);
  return fields.filter(
    (field) => !current || !isKept(field) || !imported.isChanged(current.id, field, current[field]),
  );
}

function isSame(decision: ItemDecision<unknown>): decision is Change {
  return decision.kind === 'change' && decision.planned?.changed.length === 0;
}

function configAfter(decision: ItemDecision<unknown>): MonitorConfig | null {
  if (decision.kind === 'rejected') return null;
  return decision.kind === 'create' ? decision.draft.config : (decision.planned?.next ?? null);
}

/** The result of an item that is not rejected. */
function toResult(
  { ref, kept, dropped }: ImportItem,
  decision: Exclude<ItemDecision<unknown>, { kind: 'rejected' }>,
  imported: ImportedValues,
  written: ReadonlyMap<string, Monitor> | null,
): ImportResult {
  const monitor = written && requireFound(written.get(idOf(decision)), 'Monitor');
  const replaces = isReplaced(decision);
  if (decision.kind === 'create')
    return {
      status: 201,
      action: 'create',
      ref,
      monitor: monitor && asCreated(monitor),
      changes: [],
      kept,
      dropped,
      replaces,
    };
  const changes = decision.planned === null ? [] : listChanges(decision.planned, imported);
  return {
    status: 200,
    action: changes.length > 0 ? 'change' : 'none',
    ref,
    monitor,
    changes,
    kept,
    dropped,
    replaces,
  };
}

function listChanges(
  { current, next, changed }: NonNullable<Change['planned']>,
  imported: ImportedValues,
): ImportedChange[] {
  return changed.map((field) => {
    return {
      field,
      before: shownValue(current, field),
      after: shownValue(next, field),
      overwritesChange: imported.isChanged(current.id, field, current[field]),
    };
  });
}

function shownValue(config: MonitorConfig, field: FieldName): unknown {
  const name = SECRET_FIELDS.find((each) => each === field);
  if (name === undefined) return config[field];
  return isUnset(name, config) ? null : HIDDEN;
}
