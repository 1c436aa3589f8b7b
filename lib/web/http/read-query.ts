/**
 * The query of a request as a plain object, for a schema to judge. A parameter that is given more than once becomes an
 * array, which no schema of a single value takes.
 */
export function readQuery(request: Request): Record<string, string | string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of new URL(request.url).searchParams) {
    const values = found.get(name);
    if (values) values.push(value);
    else found.set(name, [value]);
  }
  return Object.fromEntries(
    [...found].map(([name, [only = '', ...more]]) => [name, more.length === 0 ? only : [only, ...more]]),
  );
}
