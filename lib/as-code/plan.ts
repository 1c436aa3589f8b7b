import { groupBy } from '@/lib/core/group-by';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Problem, ResourceFile, WrittenResource } from './read-file';
import { defaultOf, type Fields, SECTION_NAMES, type SectionName, sectionOf, toPlain } from './sections';
import { fillVariables, hasVariable, type ReadVariable } from './variables';

/** A resource as the API returns it. */
export type Stored = Fields & { id: string; version: number };
/** What the service has, by section; the sections of a file at least, and the monitors. */
export type StoredResources = Partial<Record<SectionName, Stored[]>> & { monitors: Stored[] };

export type FieldChange = { field: string; from: unknown; to: unknown; isSecret: boolean };

/** One step of a plan. Monitors in `fields` are named by ref or ID, as in the file. */
export type Change = {
  section: SectionName;
  key: string;
  line: number | null;
} & (
  | { action: 'create'; fields: Fields; changes: FieldChange[] }
  | { action: 'change'; fields: Fields; stored: Stored; changes: FieldChange[] }
  | { action: 'delete'; stored: Stored }
);

export type Plan = { changes: Change[]; unchanged: number };

/**
 * What makes the service equal to a file: creations and changes in the order of the sections, then deletions in the opposite one.
 * With `prune`, what a managed section does not name is deleted. `problems` are those of values, with their lines.
 */
export function planChanges(
  file: ResourceFile,
  stored: StoredResources,
  read: ReadVariable,
  prune: boolean,
): { plan: Plan; problems: Problem[] } {
  const problems: Problem[] = [];
  const writes: Change[] = [];
  const deletions: Change[] = [];
  let unchanged = 0;
  const names = new MonitorNames(stored.monitors, file.monitors ?? []);
  for (const section of SECTION_NAMES) {
    const written = file[section];
    if (written === undefined) continue;
    const existing = stored[section] ?? [];
    const byKey = groupBy(existing, (each) => each[sectionOf(section).key]);
    const byId = groupBy(existing, ({ id }) => id);
    const kept = new Set<string>();
    for (const resource of written) {
      const matches = (resource.id === null ? byKey.get(resource.key) : byId.get(resource.id)) ?? [];
      if (matches.length > 1 || (resource.id !== null && matches.length === 0)) {
        problems.push({ line: resource.line, message: explainMatch(resource, matches.length) });
        continue;
      }
      const [match] = matches;
      if (match !== undefined) kept.add(match.id);
      const current = match && currentFields(section, match, names);
      const fields = completeFields(resource, current, read, names, problems);
      if (fields === null) continue;
      const changes = compareFields(resource, current, fields);
      const { key, line } = resource;
      if (match === undefined) writes.push({ section, key, line, action: 'create', fields, changes });
      else if (changes.length === 0) unchanged += 1;
      else writes.push({ section, key, line, action: 'change', fields, stored: match, changes });
    }
    if (!prune) continue;
    const dropped = existing.filter(({ id }) => !kept.has(id));
    deletions.unshift(
      ...dropped.map((each) => ({
        section,
        key: keyOf(section, each),
        line: null,
        action: 'delete' as const,
        stored: each,
      })),
    );
  }
  return { plan: { changes: [...writes, ...deletions], unchanged }, problems };
}

/** The settable fields of a stored resource, with monitors named as in a file. */
export function currentFields(section: SectionName, stored: Stored, names: MonitorNames): Fields {
  const entries = Object.keys(sectionOf(section).schema.shape).map((field) => [field, stored[field]]);
  const fields: Fields = Object.fromEntries(entries);
  if (Array.isArray(fields.monitors)) fields.monitors = fields.monitors.map((id) => names.nameOf(String(id)));
  return fields;
}

/** How monitors are named in a file: by ref, or by ID if they have none. */
export class MonitorNames {
  private readonly byId: Map<string, string>;
  private readonly known: Set<string>;

  constructor(stored: readonly Stored[], written: readonly WrittenResource[]) {
    this.byId = new Map(stored.map(({ id, ref }) => [id, typeof ref === 'string' ? ref : id]));
    this.known = new Set([...this.byId.keys(), ...this.byId.values(), ...written.map(({ key }) => key)]);
  }

  nameOf(id: string): string {
    return this.byId.get(id) ?? id;
  }

  has(name: string): boolean {
    return this.known.has(name);
  }
}

/** What a stored resource is called in a file. */
export function keyOf(section: SectionName, stored: Stored): string {
  const key = stored[sectionOf(section).key];
  return typeof key === 'string' ? key : stored.id;
}

function explainMatch({ section, key, id }: WrittenResource, count: number): string {
  const { noun, key: field } = sectionOf(section);
  if (count > 1) return `There are ${count} of ${noun} ${JSON.stringify(key)}; add the \`id\` of one.`;
  return `There is no ${noun} with the ID ${id}; name it by its \`${field}\` to create it.`;
}

function completeFields(
  { section, fields: written, lineOf, line }: WrittenResource,
  current: Fields | undefined,
  read: ReadVariable,
  names: MonitorNames,
  problems: Problem[],
): Fields | null {
  const found: Problem[] = [];
  const kept = current === undefined ? {} : keptSecrets(section, current, written);
  const filled = Object.entries(written).map(([field, value]) => {
    const missing = new Set<string>();
    const full = fillVariables(value, kept[field], read, missing);
    for (const name of missing) {
      found.push({
        line: lineOf(field),
        message: `The variable ${name} is not set; set it in the environment.`,
      });
    }
    return [field, full];
  });
  const parsed = sectionOf(section).schema.safeParse(Object.fromEntries(filled));
  for (const { path, message, code, ...issue } of parsed.error?.issues ?? []) {
    const unknown = code === 'unrecognized_keys' && 'keys' in issue ? (issue.keys as string[]) : [];
    for (const name of unknown) found.push({ line: lineOf(name), message: `\`${name}\` is not a field.` });
    if (unknown.length > 0) continue;
    const [field] = path;
    const where = field === undefined ? line : lineOf(String(field));
    found.push({ line: where, message: `\`${path.join('.')}\` ${message}.` });
  }
  if (parsed.success && Array.isArray(parsed.data.monitors)) {
    for (const name of parsed.data.monitors as string[]) {
      if (!names.has(name)) {
        const message = `There is no monitor ${JSON.stringify(name)}, neither in the file nor in Pharos.`;
        found.push({ line: lineOf('monitors'), message });
      }
    }
  }
  problems.push(...found);
  return parsed.success && found.length === 0 ? (toPlain(parsed.data) as Fields) : null;
}

/**
 * The stored secrets that stay where a variable is not set. As in the API, those of a monitor are not kept for another host: that
 * would reveal them.
 */
function keptSecrets(section: SectionName, current: Fields, written: Fields): Fields {
  const { url } = written;
  if (section === 'monitors' && typeof url === 'string' && originOf(url) !== originOf(String(current.url)))
    return {};
  return secretParts(current, sectionOf(section).hide(current)) as Fields;
}

function originOf(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : url;
}

/** The parts of a value that are hidden; undefined for the others. */
function secretParts(value: unknown, hidden: unknown): unknown {
  if (hidden === HIDDEN) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    secretParts(part, (hidden as Fields)[name]),
  ]);
  return Object.fromEntries(parts);
}

function compareFields(
  { section, fields: written }: WrittenResource,
  current: Fields | undefined,
  next: Fields,
): FieldChange[] {
  const described = sectionOf(section);
  const hidden = described.hide(next);
  const hiddenBefore = current === undefined ? {} : described.hide(current);
  const isSecret = (field: string, from: unknown, to: unknown) =>
    hasVariable(written[field]) ||
    canonical(hidden[field]) !== canonical(to) ||
    (current !== undefined && canonical(hiddenBefore[field]) !== canonical(from));
  return Object.keys(described.schema.shape).flatMap((field) => {
    const from = current === undefined ? defaultOf(described, field) : current[field];
    const to = next[field];
    if (canonical(from) === canonical(to)) return [];
    return [{ field, from, to, isSecret: isSecret(field, from, to) }];
  });
}

/** Two values are the same if this text is: the order of names in a map means nothing. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
