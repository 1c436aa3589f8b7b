import { hasFieldGroup, type MonitorType } from '@/lib/checks/types';
import { type ImportedMonitor, type ImportPlan, type ImportSource, readImport } from '@/lib/importing';
import { defaultsOfType } from '@/lib/schemas/monitor';
import { describeField, FIELD_NAMES, type FieldName, monitorDefaults } from '@/lib/schemas/monitor/fields';

/** The plan of a text file. A value is written as JSON. */
export function importText(source: ImportSource, content: unknown): Promise<ImportPlan> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return readImport(source, new TextEncoder().encode(text));
}

/** The only item of a plan. */
export function onlyItem({ items }: ImportPlan): ImportedMonitor {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0) throw new Error(`${items.length} items instead of one`);
  return item;
}

/** What a monitor of a format has where its file has nothing: the defaults, so that nothing of an earlier export remains. */
export function unset(fields: readonly FieldName[], type: MonitorType): Record<string, unknown> {
  const defaults: Partial<Record<FieldName, unknown>> = { ...monitorDefaults, ...defaultsOfType(type) };
  const names = FIELD_NAMES.filter((name) => {
    const { group } = describeField(name);
    return fields.includes(name) || (group !== undefined && !hasFieldGroup(type, group));
  });
  return Object.fromEntries(names.map((name) => [name, defaults[name]]));
}
