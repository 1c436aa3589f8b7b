import { stringify } from 'yaml';
import { HIDDEN } from '@/lib/schemas/hidden';
import { currentFields, MonitorNames, type StoredResources } from './plan';
import { defaultOf, type ResourceFields, SECTION_NAMES, type SectionName, sectionOf } from './sections';
import { escapeVariables, VariableNames } from './variables';

/** The file that describes what a service has. Fields with their defaults are left out, and each secret is a variable. */
export function writeResourceFile(stored: StoredResources): string {
  const names = new MonitorNames(stored.monitors, []);
  const variables = new VariableNames();
  const sections = SECTION_NAMES.map((section) => {
    const resources = stored[section] ?? [];
    const keyField = sectionOf(section).key;
    const counts = new Map<unknown, number>();
    for (const each of resources) counts.set(each[keyField], (counts.get(each[keyField]) ?? 0) + 1);
    const items = resources.map((each) => {
      const needsId = each[keyField] === null || counts.get(each[keyField]) !== 1;
      const fields = shortFields(section, currentFields(section, each, names), variables);
      return needsId ? { id: each.id, ...fields } : fields;
    });
    return [section, items];
  });
  return stringify(
    { version: 1, ...Object.fromEntries(sections) },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}

function shortFields(section: SectionName, fields: ResourceFields, variables: VariableNames): ResourceFields {
  const described = sectionOf(section);
  const hidden = described.hide(fields);
  const key = String(fields[described.key] ?? fields.name ?? section);
  const entries = Object.keys(described.schema.shape)
    .filter((field) => JSON.stringify(fields[field]) !== JSON.stringify(defaultOf(described, field, fields)))
    .map((field) => [field, toWritten(fields[field], hidden[field], [key, field], variables)] as const);
  // What identifies a resource is read first.
  return Object.fromEntries([
    ...entries.filter(([field]) => field === described.key),
    ...entries.filter(([field]) => field !== described.key),
  ]);
}

function toWritten(value: unknown, hidden: unknown, words: string[], variables: VariableNames): unknown {
  if (hidden === HIDDEN && value !== null) return `\${${variables.take(...words)}}`;
  if (typeof value === 'string') return escapeVariables(value);
  if (Array.isArray(value)) return value.map((each) => toWritten(each, null, words, variables));
  if (typeof value !== 'object' || value === null) return value;
  const parts: ResourceFields =
    typeof hidden === 'object' && hidden !== null ? (hidden as ResourceFields) : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      toWritten(part, parts[name], [...words, name], variables),
    ]),
  );
}
