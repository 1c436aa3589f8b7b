import type { ResourceFields } from './sections';

/** `${NAME}`; `$${` stands for `${` itself. */
const VARIABLE = /\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Reads a variable of the environment. */
export type ReadVariable = (name: string) => string | undefined;

/**
 * Fills the variables of a value, at any depth. Where one is unset, the value that `stored` has at the same place is kept;
 * without one its name is added to `missing`.
 */
export function fillVariables(
  value: unknown,
  stored: unknown,
  read: ReadVariable,
  missing: Set<string>,
): unknown {
  if (typeof value === 'string') return fillText(value, stored, read, missing);
  if (Array.isArray(value)) return value.map((each) => fillVariables(each, undefined, read, missing));
  if (typeof value !== 'object' || value === null) return value;
  const held: ResourceFields =
    typeof stored === 'object' && stored !== null ? (stored as ResourceFields) : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, fillVariables(part, held[name], read, missing)]),
  );
}

/** Whether a variable is part of a value: what it stands for is not shown, wherever it is. */
export function hasVariable(value: unknown): boolean {
  return [...JSON.stringify(value ?? null).matchAll(VARIABLE)].some(([, , name]) => name !== undefined);
}

function fillText(text: string, stored: unknown, read: ReadVariable, missing: Set<string>): string {
  const unset = [...text.matchAll(VARIABLE)].flatMap(([, , name]) =>
    name !== undefined && read(name) === undefined ? [name] : [],
  );
  if (unset.length > 0) {
    if (typeof stored === 'string') return stored;
    for (const name of unset) missing.add(name);
  }
  return text.replace(VARIABLE, (_, escaped: string | undefined, name: string) =>
    escaped === undefined ? (read(name) ?? '') : escaped,
  );
}

/** A text that stands for itself in a file. */
export function escapeVariables(text: string): string {
  return text.split('${').join('$${');
}

/** Names of variables, each different. */
export class VariableNames {
  private readonly taken = new Set<string>();

  /** A name made of words, such as `SHOP_HEADERS_AUTHORIZATION`. */
  take(...words: string[]): string {
    const base = words
      .join('_')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '');
    const start = /^[A-Z]/.test(base) ? base : `PHAROS_${base}`;
    let name = start;
    for (let count = 2; this.taken.has(name); count++) name = `${start}_${count}`;
    this.taken.add(name);
    return name;
  }
}
