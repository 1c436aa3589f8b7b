import { z } from 'zod';
import { PatternBudget } from '@/lib/checks/assertions/pattern-budget';
import { upsertBody } from '@/lib/schemas/bodies/upsert';
import { described } from '@/lib/schemas/described';
import { expectedVersion, refText } from '@/lib/schemas/text';
import { createMonitorSchema, monitorSchema, updateMonitorSchema } from '.';

/** The monitors of one request. */
export const MAX_BULK_MONITORS = 500;
/** Enough for as many whole monitors, as a list returns them. */
export const MAX_BULK_VALUES = 50_000;

/** The monitors of a request. */
export const manyMonitors = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, 'must be an array of monitors')
    .min(1, 'must have at least one monitor')
    .max(MAX_BULK_MONITORS, `must have at most ${MAX_BULK_MONITORS} monitors`);

/** An option of such a request, which is off by default. */
export const flagOption = (description: string) =>
  z.boolean('must be true or false').default(false).meta({ description });

const options = {
  atomic: flagOption(
    'Whether the first error rejects the whole request; otherwise each monitor has its own result',
  ),
  upsert: flagOption('Whether a monitor whose `ref` exists is changed, as by PUT; one without is created'),
};

/** The body of POST /monitors/bulk; each monitor is validated by itself. */
export const bulkMonitorsSchema = z.strictObject({ monitors: manyMonitors(z.unknown()), ...options });

/** The same with what a monitor can contain. */
export const documentedBulkSchema = z.strictObject({
  monitors: manyMonitors(createMonitorSchema).describe('The monitors, 1–500'),
  ...options,
});

/** The result of a monitor that was rejected. */
export const bulkErrorSchema = z.strictObject({
  status: z.int().meta({ description: 'The status that the error would have alone' }),
  error: z
    .strictObject({
      code: described(z.string(), 'What went wrong, for programs', 'ECONNREFUSED'),
      message: described(
        z.string(),
        'What went wrong, and what to do next, for people',
        'Nothing found at this path.',
      ),
      details: z
        .array(
          z.strictObject({
            path: described(z.string(), 'The field, with dots: `regions.0`', 'name'),
            code: described(z.string(), 'What is wrong with the field, for programs', 'too_small'),
            message: described(z.string(), 'What is wrong with the field', 'must not be empty'),
          }),
        )
        .optional()
        .describe('More about it'),
    })
    .describe('Why it was not created'),
});

/** The response: a result for each monitor, in the order sent. */
export const bulkResultsSchema = z
  .strictObject({
    results: z
      .array(
        z.union([
          z.strictObject({
            status: z
              .literal([200, 201])
              .meta({ description: '201 if it was created, 200 if it was changed' }),
            monitor: monitorSchema.describe('The monitor'),
          }),
          bulkErrorSchema,
        ]),
      )
      .describe('One result for each monitor, in the order sent'),
  })
  .meta({ id: 'BulkResults' });

const identified = z
  .object({ ref: refText.nullish().catch(null), version: expectedVersion.catch(null) })
  .catch({ ref: null, version: null });

/** The monitors as sent, whose patterns share one budget. */
export function bulkItems(sent: readonly unknown[], budget = new PatternBudget()) {
  return sent.map((each) => bulkItem(each, budget));
}

/** One of them. */
export function bulkItem(sent: unknown, budget = new PatternBudget()) {
  const { ref, version } = identified.parse(sent);
  const expected = version ? [{ version, code: 'CONFLICT' as const }] : [];
  const body = upsertBody({ creation: createMonitorSchema, changes: updateMonitorSchema }, sent);
  return {
    ...body,
    creation: () => budget.during(body.creation),
    changes: () => budget.during(body.changes),
    ref: ref ?? null,
    expected,
  };
}
