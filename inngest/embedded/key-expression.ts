import type { DriverEvent } from './event';

/** Which group of runs an event belongs to. */
export type GroupOf = (event: DriverEvent) => string;

/** Every event in one group. */
export const oneGroup: GroupOf = () => '';

/**
 * Reads a key expression of the one form that needs no expression language (`event.data.a.b`), or gives null.
 */
export function parseKeyExpression(expression: string): GroupOf | null {
  if (!/^event\.data(\.[A-Za-z_]\w*)+$/.test(expression)) return null;
  const path = expression.split('.').slice(2);
  return (event) => JSON.stringify(valueAt(event.data, path)) ?? 'null';
}

function valueAt(data: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    data,
  );
}

/** Whether `value` is an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
