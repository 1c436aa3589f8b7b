import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { refText } from '@/lib/schemas/text';
import { monitorSchema } from '.';
import { bulkErrorSchema, flagOption, manyMonitors } from './bulk';
import { newMonitorFields } from './fields';

const MAX_NAME = 40;

const slug = (what: string) =>
  z
    .string(`must be ${what}`)
    .min(1, 'must not be empty')
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must have only a–z, 0–9 and single hyphens between them')
    .max(MAX_NAME, `must be at most ${MAX_NAME} characters`);

/** The name of the first source of a format if nobody gave it one. */
export const FIRST_SOURCE = 'main';

/** The name of a source: one installation of another product, or one file. */
export const sourceNameSchema = slug('the name of a source');

const options = {
  format: slug('the name of a format').meta({
    description: 'What the monitors are exported from, such as `uptime-kuma`',
    examples: ['uptime-kuma'],
  }),
  source: sourceNameSchema
    .nullable()
    .default(null)
    .meta({
      description:
        'Which installation or file of this format. The refs of the first source stay as they are, those of others get its name as prefix. Without a name it is the first source, and a monitor that would change both its name and its target, or has no target and would change its name, is rejected. `main` is the first source, too, whatever its name is',
      examples: ['office'],
    }),
  dryRun: flagOption('Whether nothing is written: the response is what an import would do'),
};

const withRef = z.looseObject({ ref: refText });

/** A monitor with its ref: what is required of a new one. */
const importedMonitorSchema = z
  .strictObject({
    ...newMonitorFields,
    ref: refText.meta({
      description:
        'Its ID in the file, by which the next import finds it again. Where it is the format and the name, such as `csv-shop`, and `csv-shop-2` for a second monitor with this name, those with the same name are found by their targets first',
      examples: ['uptime-kuma-12'],
    }),
  })
  .meta({ id: 'ImportedMonitor' });

/** The body of POST /monitors/import; apart from its `ref`, each monitor is validated by itself. */
export const importMonitorsSchema = z.strictObject({ ...options, monitors: manyMonitors(withRef) });

/** The same with what a monitor can contain. */
export const documentedImportSchema = z.strictObject({
  ...options,
  monitors: manyMonitors(importedMonitorSchema).describe(
    'The monitors, 1–500, each with its `ref`. A field that is left out stays as it is, and `[hidden]` keeps a stored value',
  ),
});

/** A field that an import changes. */
export const importedChangeSchema = z
  .strictObject({
    field: described(z.string(), 'The name of the field', 'interval'),
    before: z.unknown().meta({
      description: 'Its value; `[hidden]` for a secret that is set, null for one that is not',
      examples: [60],
    }),
    after: z.unknown().meta({
      description:
        'The value of the file; `[hidden]` for a secret that it sets, null for one that it removes',
      examples: [300],
    }),
    overwritesChange: z
      .boolean()
      .describe('Whether somebody changed it in Pharos after the last import, which this import undoes'),
  })
  .meta({ id: 'ImportedChange' });

const resultSchema = z.strictObject({
  status: z.literal([200, 201]).meta({ description: '201 if it is created' }),
  action: z.enum(['create', 'change', 'none']).describe('What the import does'),
  ref: z.string().meta({
    description: 'Its ref in Pharos, with the name of the source',
    examples: ['office/uptime-kuma-12'],
  }),
  monitor: monitorSchema.nullable().describe('The monitor; null in a dry run'),
  changes: z.array(importedChangeSchema).describe('The fields that change, of one that exists'),
  kept: z.array(z.string()).meta({
    description: 'The stored secrets that the file leaves out, and that stay',
    examples: [['headers.Authorization']],
  }),
  dropped: z.array(z.string()).meta({
    description:
      'The stored secrets that the file leaves out, and that are removed because they are not sent to another host',
    examples: [['headers']],
  }),
  replaces: z
    .boolean()
    .describe(
      'Whether both name and target change, or the name of a heartbeat, which has no target: the file can be from another source than the monitor',
    ),
});

/** The response: a result for each monitor, in the order sent. */
export const importResultsSchema = z
  .strictObject({
    source: z
      .strictObject({
        name: described(z.string(), 'Its name', 'office'),
        isNew: z.boolean().describe('Whether this is its first import'),
      })
      .describe('The source'),
    results: z
      .array(z.union([resultSchema, bulkErrorSchema]))
      .describe('One result for each monitor, in the order sent'),
  })
  .meta({ id: 'ImportResults' });

export type ImportRequest = z.output<typeof importMonitorsSchema>;
export type ImportedChange = z.output<typeof importedChangeSchema>;
export type ImportResult = z.output<typeof resultSchema>;
