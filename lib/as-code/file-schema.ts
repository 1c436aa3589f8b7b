import { z } from 'zod';
import { SECTION_NAMES, sectionOf } from './sections';

/** The JSON Schema of a file, for editors. Variables are allowed wherever text is. */
export function fileSchema(): object {
  const id = z.string().optional().describe('Identifies a resource that has no ref, or whose title repeats');
  const sections = SECTION_NAMES.map((name) => {
    const { schema } = sectionOf(name);
    const item = z.strictObject({ id, ...schema.shape });
    return [
      name,
      z.array(item).nullable().optional().describe('Without this section, nothing of it is changed'),
    ];
  });
  const file = z.strictObject({ version: z.literal(1), ...Object.fromEntries(sections) });
  return {
    title: 'Pharos resources',
    ...z.toJSONSchema(file, {
      io: 'input',
      unrepresentable: 'any',
      reused: 'inline',
      override: allowVariables,
    }),
  };
}

/** A variable has another form than the text that it stands for. */
function allowVariables({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // Only the API document shows it.
  delete jsonSchema.example;
  if (jsonSchema.type !== 'string' || jsonSchema.enum !== undefined) return;
  for (const name of ['pattern', 'format', 'minLength', 'maxLength'] as const) delete jsonSchema[name];
}
