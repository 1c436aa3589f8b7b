import { type ImportedMonitor, type ImportPlan, type ImportSource, readImport } from '@/lib/importing';

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
