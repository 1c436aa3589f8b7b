import { HIDDEN } from '@/lib/schemas/hidden';
import type { WrittenResource } from './read-file';
import { defaultOf, type ResourceFields, sectionOf } from './sections';
import { hasVariable } from './variables';

/** A secret is not shown, neither as it was nor as it will be. */
export type FieldChange = { field: string; from: unknown; to: unknown; isSecret: boolean };

/** The fields in which a resource differs from what is stored, or from the defaults if nothing is. */
export function compareFields(
  { section, fields: written }: WrittenResource,
  current: ResourceFields | undefined,
  next: ResourceFields,
): FieldChange[] {
  const described = sectionOf(section);
  const hidden = described.hide(next);
  const hiddenBefore = current === undefined ? {} : described.hide(current);
  const isSecret = (field: string, from: unknown, to: unknown) =>
    hasVariable(written[field]) ||
    canonical(hidden[field]) !== canonical(to) ||
    (current !== undefined && canonical(hiddenBefore[field]) !== canonical(from));
  return Object.keys(described.schema.shape).flatMap((field) => {
    const from = current === undefined ? defaultOf(described, field, next) : current[field];
    const to = next[field];
    if (isSame(described.simplify(field, from), described.simplify(field, to))) return [];
    return [{ field, from, to, isSecret: isSecret(field, from, to) }];
  });
}

/** Whether a stored value is that of the file. What a read-only key does not show counts as the same. */
function isSame(stored: unknown, next: unknown): boolean {
  if (typeof stored === 'string' && stored.endsWith(HIDDEN))
    return typeof next === 'string' && next.startsWith(stored.slice(0, -HIDDEN.length));
  if (!isFields(stored) || !isFields(next)) return canonical(stored) === canonical(next);
  const [names, nextNames] = [Object.keys(stored), Object.keys(next)];
  return (
    names.length === nextNames.length &&
    names.every((name) => name in next && isSame(stored[name], next[name]))
  );
}

function isFields(value: unknown): value is ResourceFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Two values are the same if this text is: the order of names in a map means nothing. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
