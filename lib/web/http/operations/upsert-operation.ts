import { z } from 'zod';
import { isNotFound } from '@/lib/core/errors';
import {
  type PathField,
  type UpsertBody,
  type Upserted,
  type UpsertSchemas,
  upsertBody,
} from '@/lib/schemas/bodies/upsert';
import {
  type Call,
  type Definition,
  identify,
  type Operation,
  type Params,
  readCall,
  withInvalidation,
} from '../operation';
import { type Representation, readExpected } from '../preconditions';
import { commonHeaders } from '../problem';

type UpsertCall<Creation extends z.ZodType, Changes extends z.ZodType, Query extends z.ZodType> = Omit<
  Call<z.ZodType, Query>,
  'body'
> & { body: UpsertBody<z.output<Creation>, z.output<Changes>> };

/**
 * A PUT that creates what its path names (201, with a `Location`), or changes it (200). Which of the two is known only under locks, so
 * `run` decides how to validate the body. Preconditions are about what GET responds at the path, or nothing.
 */
export function upsertOperation<
  Creation extends z.ZodType,
  Changes extends z.ZodType,
  Query extends z.ZodType,
  Created extends z.ZodType,
  Output extends z.ZodType,
>(
  definition: Omit<Definition<z.ZodType, Query>, 'scope' | 'body' | 'bodyIsOptional'> & {
    body: UpsertSchemas<Creation, Changes>;
    /** The field that the path contains. */
    field(params: Params): PathField;
    /** Whether this call may create; always, unless given. */
    canCreate?(query: z.output<Query>): boolean;
    output: Output;
    createdOutput: Created;
    /** The path below /api of what was created. */
    created(output: z.output<Created>): string;
    run(call: UpsertCall<Creation, Changes, Query>): Promise<Upserted<z.input<Created>, z.input<Output>>>;
  },
): Operation {
  const { body: schemas, field, canCreate, output, createdOutput, created, run, ...common } = definition;
  const shown = { ...common, scope: 'write' as const, body: schemas.changes };
  const reading = { body: z.unknown(), query: common.query };
  return {
    description: { ...shown, output, createdOutput, status: 200, isPaged: false },
    handle: async (request, params, { requestId, headers, represent }) => {
      const caller = await identify('write', request, headers);
      const call = await readCall(reading, caller, request, params);
      const body = upsertBody(schemas, call.body, field(call.params));
      const mayCreate = canCreate?.(call.query) ?? true;
      const readCurrent = async () => {
        const current = represent && (await orNull(represent(caller, request, params), mayCreate));
        // An invalid request is refused as such, whatever its preconditions (RFC 9110, 13.2.1).
        current === null ? body.creation() : body.changes();
        return current;
      };
      const expected = await readExpected(request, call.sentVersion, readCurrent);
      const result = await withInvalidation('write', run({ ...call, body, ctx: { ...caller, expected } }));
      const all = { ...commonHeaders(requestId), ...headers };
      if (!result.isCreated) return Response.json(output.parse(result.resource), { headers: all });
      const resource = createdOutput.parse(result.resource);
      const Location = `${call.baseUrl}/api${created(resource)}`;
      return Response.json(resource, { status: 201, headers: { ...all, Location } });
    },
  };
}

/** Null for what does not exist, if it may be created. */
async function orNull(current: Promise<Representation>, mayCreate: boolean): Promise<Representation | null> {
  try {
    return await current;
  } catch (error) {
    if (mayCreate && isNotFound(error)) return null;
    throw error;
  }
}
