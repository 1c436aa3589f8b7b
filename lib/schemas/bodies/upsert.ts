import { z } from 'zod';
import { invalidField } from '@/lib/core/errors';
import { refText } from '../text';
import { parseInput } from '../validation';

/** A body that creates a resource, or changes it: which of the two is known only under the locks that an upsert takes. */
export type UpsertBody<Creation, Changes> = {
  /** The body as that of a creation. Throws as `parseInput` does. */
  creation(): Creation;
  /** The same of a change. */
  changes(): Changes;
  /** The texts in a list of the body, valid or not. */
  listTexts(field: string): string[];
};

/** What an upsert did, and the resource. */
export type Upserted<Created, Updated = Created> =
  | { isCreated: true; resource: Created }
  | { isCreated: false; resource: Updated };

/** The schemas of the two bodies that an upsert can have. */
export type UpsertSchemas<Creation extends z.ZodType, Changes extends z.ZodType> = {
  creation: Creation;
  changes: Changes;
};

/** A field whose value is in the path, so that a body can omit it. */
export type PathField = {
  name: string;
  value: string;
  /** A change can set another value. */
  canChange?: boolean;
};

/** A body as sent, to be validated as whichever of the two it is. One that contradicts the path throws VALIDATION_ERROR. */
export function upsertBody<Creation extends z.ZodType, Changes extends z.ZodType>(
  schemas: UpsertSchemas<Creation, Changes>,
  sent: unknown,
  field?: PathField,
): UpsertBody<z.output<Creation>, z.output<Changes>> {
  return {
    creation: () => {
      const body = parseInput(schemas.creation, field ? withField(sent, field) : sent);
      if (field) requireSame(body, field);
      return body;
    },
    changes: () => {
      const body = parseInput(schemas.changes, sent);
      if (field && !field.canChange) requireSame(body, field);
      return body;
    },
    listTexts: (name) => listSchema.parse(sentObject.parse(sent)[name]),
  };
}

const sentObject = z.record(z.string(), z.unknown()).catch({});
const listSchema = z
  .array(z.unknown())
  .catch([])
  .transform((values) => values.filter((value) => typeof value === 'string'));

function withField(sent: unknown, { name, value }: PathField): unknown {
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  return isObject && !Object.hasOwn(sent, name) ? { ...sent, [name]: value } : sent;
}

function requireSame(body: unknown, { name, value }: PathField): void {
  const given: unknown = (body as Record<string, unknown>)[name];
  if (given === undefined || given === value) return;
  throw invalidField(name, 'must be the same as in the path');
}

/** The `ref` of a path. Throws VALIDATION_ERROR if no resource can have it. */
export function parseRef(text: string): string {
  const parsed = refText.safeParse(text);
  if (parsed.success && parsed.data === text) return text;
  throw invalidField('ref', 'must be 1 to 200 characters without surrounding whitespace');
}
