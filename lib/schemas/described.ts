import type { z } from 'zod';

/**
 * A schema with what the API document shows for it: a sentence without its period, and an example, as JSON, unless it has a default. zod
 * drops `examples` of what transforms its input, but not `example`.
 */
export function described<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example: unknown,
): Schema {
  return schema.meta({ description, example });
}
