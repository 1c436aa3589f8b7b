import { decodeText, MAX_TEXT_BYTES, requireSize } from '../files/decode';
import { isRecord, looseList, looseRecord } from '../files/loose';
import { createYamlBudget, decodeYamlStream, type YamlBudget } from '../files/yaml';

export const HINT = 'Choose the configuration of Gatus: config.yaml, or all files of its folder.';

/**
 * The configuration in one or several files, merged as Gatus does with those of a folder. A file can also be a ConfigMap of Kubernetes
 * with the files in it, or have several documents. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE.
 */
export function readConfig(files: readonly Uint8Array[]): Record<string, unknown> {
  const byteLength = files.reduce((sum, file) => sum + file.byteLength, 0);
  requireSize({ byteLength }, MAX_TEXT_BYTES, files.length > 1 ? 'The files together are' : undefined);
  const budget = createYamlBudget();
  const config = createRecord();
  for (const file of files) {
    const documents = decodeYamlStream(decodeText(file, HINT), HINT, budget);
    for (const part of documents.flatMap((document) => listConfigs(document, budget)))
      mergeInto(config, part);
  }
  return config;
}

/** The configurations in a document: itself, or those in a ConfigMap. Other objects of Kubernetes have none. */
function listConfigs(document: unknown, budget: YamlBudget): Record<string, unknown>[] {
  if (!isRecord(document)) return [];
  const { kind, items, data } = document;
  if (kind === 'List' || kind === 'ConfigMapList')
    return looseList.parse(items).flatMap((item) => listConfigs(item, budget));
  if (kind === 'ConfigMap')
    return Object.entries(looseRecord.parse(data)).flatMap(([name, text]) =>
      typeof text === 'string' && /\.ya?ml$/.test(name)
        ? decodeYamlStream(text, HINT, budget).filter(isRecord)
        : [],
    );
  return typeof kind === 'string' ? [] : [document];
}

/** Without a prototype, which a key could otherwise replace. */
function createRecord(): Record<string, unknown> {
  return Object.create(null);
}

/** Maps are merged and lists appended: https://github.com/TwiN/deepmerge. Of a value that is given twice, which Gatus rejects, the last is used. */
function mergeInto(target: Record<string, unknown>, source: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(source)) {
    const before = target[key];
    if (Array.isArray(value)) {
      // A copy, because an alias can be the same list under another key.
      const list: unknown[] = Array.isArray(before) ? before : [];
      for (const each of value) list.push(each);
      target[key] = list;
    } else if (isRecord(value)) {
      const record = isRecord(before) ? before : createRecord();
      mergeInto(record, value);
      target[key] = record;
    } else target[key] = value;
  }
}
