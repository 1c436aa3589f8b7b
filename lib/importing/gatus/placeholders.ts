import { HIDDEN } from '@/lib/schemas/hidden';
import { looseRecord } from '../files/loose';
import { withoutPassword } from '../plan/targets';

/** Values of the environment of Gatus, as far as they are known. */
export type Variables = Readonly<Record<string, string>>;

/** `${NAME}` or `$NAME`, which Gatus replaces from its environment; `$$` is a plain dollar sign. */
const PLACEHOLDER = /\$\$|\$\{([^{}]{1,100})\}|\$([A-Za-z_]\w{0,99})/g;
const VARIABLE = /^\$\{?([A-Z_][A-Z0-9_]*)\}?$/;

/** The placeholders without a value in all texts of a value, as written. */
export function listPlaceholders(value: unknown, variables: Variables, depth = 0): string[] {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].flatMap(([whole, braced, bare]) =>
      whole === '$$' || Object.hasOwn(variables, braced ?? bare ?? '') ? [] : [whole],
    );
  if (typeof value !== 'object' || value === null || depth > 10) return [];
  return Object.values(value).flatMap((each) => listPlaceholders(each, variables, depth + 1));
}

/** The variable of a placeholder; null for one that does not look like it, which can be a part of a password with a dollar sign. */
export function variableOf(placeholder: string): string | null {
  return VARIABLE.exec(placeholder)?.[1] ?? null;
}

/** A value, such as an endpoint, with known variables replaced, and `$$` as `$`, in all of its texts. Other placeholders stay as they are. */
export function fillIn(value: unknown, variables: Variables, depth = 0): unknown {
  if (typeof value === 'string')
    return value.replaceAll(PLACEHOLDER, (whole: string, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      return whole === '$$' ? '$' : ((Object.hasOwn(variables, name) ? variables[name] : null) ?? whole);
    });
  if (typeof value !== 'object' || value === null || depth > 10) return value;
  if (Array.isArray(value)) return value.map((each) => fillIn(each, variables, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, fillIn(each, variables, depth + 1)]),
  );
}

/** An endpoint whose body, header values and password are hidden where they contain a placeholder without a value: it is never sent as it is. */
export function hideUnknown(
  endpoint: Readonly<Record<string, unknown>>,
  variables: Variables,
): Record<string, unknown> {
  const isUnknown = (value: unknown) => listPlaceholders(value, variables).length > 0;
  const hide = (value: unknown) => (isUnknown(value) ? HIDDEN : value);
  const { url, body } = endpoint;
  const headers = Object.entries(looseRecord.parse(endpoint.headers)).map(
    ([name, value]) => [name, hide(value)] as const,
  );
  const hidden = { ...endpoint, body: hide(body) };
  const user = typeof url === 'string' ? /^\s*https?:\/\/([^/?#]*)@/i.exec(url)?.[1] : undefined;
  if (typeof url !== 'string' || !isUnknown(user)) return { ...hidden, headers: Object.fromEntries(headers) };
  const isGiven = headers.some(([name]) => name.trim().toLowerCase() === 'authorization');
  const all = isGiven ? headers : [...headers, ['Authorization', HIDDEN] as const];
  return { ...hidden, url: withoutPassword(url.trim()), headers: Object.fromEntries(all) };
}
