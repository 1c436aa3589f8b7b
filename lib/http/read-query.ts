/**
 * The query of a request as a plain object, for a schema to judge. A parameter that is given more than once becomes an
 * array, which no schema of a single value takes.
 */
export function readQuery(request: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url);
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name);
      const [only = ''] = values;
      return [name, values.length === 1 ? only : values];
    }),
  );
}
