import { renameMonitors } from '@/lib/as-code/page-sections';
import { type Change, NAMING_FIELDS, type Plan, type StoredResources } from '@/lib/as-code/plan';
import { type ResourceFields, sectionOf } from '@/lib/as-code/sections';
import { DomainError, describeError, type ErrorCode, formatProblem, type Problem } from '@/lib/core/errors';
import { inBatches } from '@/lib/core/groups';
import type { Api } from '../remote/api';

const MAX_BATCH = 250;

const KEY_REFUSED: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN'];
const NOT_WRITTEN = 'Not written, because of the failure above.';

type Write = Exclude<Change, { action: 'delete' }>;
type BulkResult = { monitor: { id: string } } | { error: Problem };

export type Failure = { section: string; key: string; line: number | null; message: string };

/** A failure as a line of text. What is deleted has no line in the file. */
export function formatFailure(file: string, { section, key, line, message }: Failure): string {
  return `${line === null ? '' : `${file}:${line}: `}${section} ${JSON.stringify(key)}: ${message}`;
}

/**
 * Carries out a plan, each resource wholly or not at all: monitors in bulk, then the others, then deletions. A change of something
 * that was changed since the plan fails with a conflict. What is rejected does not keep the rest from being written, but nothing
 * is deleted then. Once the service cannot be reached or the key is refused, nothing else is tried. What fails several
 * at once is reported for the first of them.
 */
export async function applyPlan(
  api: Api,
  { changes }: Plan,
  { monitors }: StoredResources,
  onDone: (done: number) => void,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const ids = new Map<string, string>();
  for (const { id, ref } of monitors) ids.set(typeof ref === 'string' ? ref : id, id);
  // The rest of the file names them by the refs that they get now.
  for (const change of changes) {
    if (change.section === 'monitors' && change.action === 'change') ids.set(change.key, change.stored.id);
  }
  let done = 0;
  const fail = ({ section, key, line }: Change, problem: Problem) => {
    failures.push({ section: sectionOf(section).noun, key, line, message: formatProblem(problem) });
  };

  const inBulk = (change: Change): change is Write =>
    change.section === 'monitors' &&
    change.action !== 'delete' &&
    typeof change.fields.ref === 'string' &&
    // One that gets another ref is not found by it.
    (change.action === 'create' || change.stored.ref === change.fields.ref);
  /** Why nothing else is tried. */
  let stop: string | null = null;
  /** Does a part of the plan; `work` reports what is rejected of it, and throws if all of it is. */
  const attempt = async (part: readonly Change[], work: () => Promise<void>) => {
    try {
      if (stop === null) await work();
      else for (const change of part) fail(change, { message: stop });
    } catch (error) {
      const isRejected = error instanceof DomainError && !KEY_REFUSED.includes(error.code);
      const [first, ...others] = part;
      if (first) fail(first, error instanceof DomainError ? error : { message: describeError(error) });
      for (const change of others) fail(change, { message: NOT_WRITTEN });
      if (!isRejected) stop = NOT_WRITTEN;
    }
    done += part.length;
    onDone(done);
  };

  const toSend = (change: Write) => withMonitorIds(bodyOf(change), ids);
  for (const batch of batchesOf(changes.filter(inBulk), ids, toSend)) {
    await attempt(batch, async () => {
      const body = { monitors: batch.map(toSend), upsert: true };
      const { results } = await api.call<{ results: BulkResult[] }>('POST', '/monitors/bulk', body);
      for (const [index, change] of batch.entries()) {
        const result = results[index];
        if (result === undefined) throw new Error('The response has fewer results than monitors were sent.');
        if ('error' in result) fail(change, result.error);
        else ids.set(change.key, result.monitor.id);
      }
    });
  }
  for (const change of changes.filter((each) => !inBulk(each))) {
    if (change.action === 'delete' && failures.length > 0)
      stop ??= 'Not deleted, because something else failed.';
    await attempt([change], () => carryOut(api, change, ids));
  }
  return failures;
}

/** Batches of monitors. Those that name monitors without an ID come after these were created. */
function* batchesOf(
  changes: readonly Write[],
  ids: ReadonlyMap<string, string>,
  toSend: (change: Write) => ResourceFields,
): Generator<readonly Write[]> {
  let rest = changes;
  while (rest.length > 0) {
    const created = new Set(rest.filter(({ action }) => action === 'create').map(({ key }) => key));
    const awaits = ({ fields }: Write) =>
      NAMING_FIELDS.flatMap((field) => fields[field] ?? []).some(
        (name) => created.has(String(name)) && !ids.has(String(name)),
      );
    const ready = rest.filter((change) => !awaits(change));
    // In a cycle, none ever is: the service rejects them with a reason.
    const next = ready.length > 0 ? ready : rest;
    rest = rest.filter((change) => !next.includes(change));
    yield* inBatches(next, MAX_BATCH, toSend);
  }
}

async function carryOut(api: Api, change: Change, ids: ReadonlyMap<string, string>): Promise<void> {
  const { path } = sectionOf(change.section);
  if (change.action === 'delete') {
    // Not if somebody changed it since the plan was made.
    const unmodified = { 'If-Unmodified-Since': new Date(String(change.stored.updatedAt)).toUTCString() };
    return void (await api.call('DELETE', `${path}/${change.stored.id}`, undefined, unmodified));
  }
  const body = withMonitorIds(bodyOf(change), ids);
  if (change.action === 'create') await api.call('POST', path, body);
  else await api.call('PUT', `${path}/${change.stored.id}`, body);
}

/** All fields of a new resource; those that differ of another one, and its ref for an upsert. */
function bodyOf(change: Write): ResourceFields {
  if (change.action === 'create') return change.fields;
  const { ref } = change.fields;
  const differing = change.changes.map(({ field, to }) => [field, to]);
  return {
    ...(typeof ref === 'string' ? { ref } : {}),
    ...Object.fromEntries(differing),
    version: change.stored.version,
  };
}

function withMonitorIds(body: ResourceFields, ids: ReadonlyMap<string, string>): ResourceFields {
  // One whose creation failed has no ID: the service rejects its name with a reason.
  return renameMonitors(body, (name) => ids.get(name) ?? name);
}
