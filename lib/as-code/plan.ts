import { DomainError, type ErrorDetail } from '@/lib/core/errors';
import { groupBy } from '@/lib/core/groups';
import { parseUrl } from '@/lib/core/parse-url';
import { HIDDEN } from '@/lib/schemas/hidden';
import { canKeepSecret } from '@/lib/schemas/monitor/authentication-parts';
import { parseInput } from '@/lib/schemas/validation';
import { compareFields, type FieldChange } from './compare';
import { renameMonitors, shortSections } from './page-sections';
import { explainRepeated, type FileProblem, type ResourceFile, type WrittenResource } from './read-file';
import { monitorsInRules, shortRules } from './rules';
import {
  type ResourceFields,
  SECTION_NAMES,
  type Section,
  type SectionName,
  sectionOf,
  toPlain,
} from './sections';
import { fillVariables, type ReadVariable } from './variables';

/** A resource as the API returns it. */
export type Stored = ResourceFields & { id: string; version: number };
/** What the service has, by section; the sections of a file at least, and the monitors. */
export type StoredResources = Partial<Record<SectionName, Stored[]>> & { monitors: Stored[] };

/** One step of a plan. Monitors in `fields` are named by ref or ID, as in the file. */
export type Change = {
  section: SectionName;
  key: string;
  line: number | null;
} & (
  | { action: 'create'; fields: ResourceFields; changes: FieldChange[] }
  | { action: 'change'; fields: ResourceFields; stored: Stored; changes: FieldChange[] }
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
): { plan: Plan; problems: FileProblem[] } {
  const problems: FileProblem[] = [];
  const writes: Change[] = [];
  const deletions: Change[] = [];
  /** The lines that name a monitor. */
  const used = new Map<string, number>();
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
      if (match !== undefined && kept.has(match.id)) {
        problems.push({ line: resource.line, message: explainRepeated(section, resource.key) });
        continue;
      }
      if (match !== undefined) kept.add(match.id);
      const current = match && currentFields(section, match, names);
      const fields = completeFields(resource, current, read, names, problems);
      if (fields === null) continue;
      for (const { field, name } of monitorsOf(fields, resource)) used.set(name, resource.lineOf(field));
      const changes = compareFields(resource, current, fields);
      const { key, line } = resource;
      if (match === undefined) writes.push({ section, key, line, action: 'create', fields, changes });
      else if (changes.length === 0) unchanged += 1;
      else writes.push({ section, key, line, action: 'change', fields, stored: match, changes });
    }
    if (!prune) continue;
    const dropped = existing.filter(({ id }) => !kept.has(id));
    deletions.unshift(
      ...(section === 'monitors' ? dependentsFirst(dropped) : dropped).map((each) => ({
        section,
        key: keyOf(section, each),
        line: null,
        action: 'delete' as const,
        stored: each,
      })),
    );
  }
  for (const { section, key } of deletions) {
    const line = section === 'monitors' ? used.get(key) : undefined;
    if (line === undefined) continue;
    const message = `The monitor ${JSON.stringify(key)} is named here, and --prune would delete it; add it to \`monitors\`.`;
    problems.push({ line, message });
  }
  return { plan: { changes: [...writes, ...deletions], unchanged }, problems };
}

/** The monitors that a resource names, each once for a field of the file. */
function monitorsOf(
  fields: ResourceFields,
  { fields: written }: WrittenResource,
): { field: string; name: string }[] {
  const named: ResourceFields = { ...fields, rules: monitorsInRules(fields.rules) };
  return ['monitors', ...NAMING_FIELDS, 'rules'].flatMap((field) => {
    const names = named[field];
    if (!Array.isArray(names)) return [];
    // Those of a page follow from its sections.
    const source = field === 'monitors' && !('monitors' in written) ? 'sections' : field;
    return [...new Set(names.map(String))].map((name) => ({ field: source, name }));
  });
}

/** The settable fields of a stored resource, with monitors named as in a file. */
export function currentFields(section: SectionName, stored: Stored, names: MonitorNames): ResourceFields {
  const { schema, readStored } = sectionOf(section);
  const returned = readStored(stored);
  const entries = Object.keys(schema.shape).map((field) => [field, returned[field]]);
  const fields = renameMonitors(Object.fromEntries(entries), (id) => names.nameOf(id));
  const rules = 'rules' in fields ? { rules: shortRules(fields.rules) } : {};
  const sections = 'sections' in fields ? { sections: shortSections(fields.sections) } : {};
  return { ...fields, ...rules, ...sections };
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
  resource: WrittenResource,
  current: ResourceFields | undefined,
  read: ReadVariable,
  names: MonitorNames,
  problems: FileProblem[],
): ResourceFields | null {
  const { section, fields: written, lineOf, line } = resource;
  const found: FileProblem[] = [];
  /** The fields whose variables are not set: whatever else is wrong with them follows from that. */
  const unset = new Set<string>();
  const kept = current === undefined ? {} : keptSecrets(section, current, written);
  const filled = Object.entries(written).map(([field, value]) => {
    const missing = new Set<string>();
    const full = fillVariables(value, kept[field], read, missing);
    if (missing.size > 0) unset.add(field);
    for (const name of missing) {
      found.push({
        line: lineOf(field),
        message: `The variable ${name} is not set; set it in the environment.`,
      });
    }
    return [field, full];
  });
  const given = Object.fromEntries(filled);
  const described = sectionOf(section);
  const { data, invalid } = validate(described, given);
  for (const { path, message } of invalid) {
    if (unset.has(path.split('.', 1).join())) continue;
    found.push({ line: path === '' ? line : lineOf(path), message: `\`${path}\` ${message}.` });
  }
  for (const { field, name } of data === null ? [] : monitorsOf(data, resource)) {
    if (names.has(name) || unset.has(field)) continue;
    const message = `There is no monitor ${JSON.stringify(name)}, neither in the file nor in Pharos.`;
    found.push({ line: lineOf(field), message });
  }
  problems.push(...found);
  if (data === null || found.length > 0) return null;
  // A file can name a monitor by its ID although it has a ref.
  return renameMonitors(toPlain(data) as ResourceFields, (name) => names.nameOf(name));
}

type Validated = { data: ResourceFields | null; invalid: readonly Pick<ErrorDetail, 'path' | 'message'>[] };

/** The fields with their defaults, or null; and what is wrong with them, as the API says it. */
function validate({ schema, defaultsFor, findConflicts }: Section, given: ResourceFields): Validated {
  try {
    const data = parseInput(schema, { ...defaultsFor(given), ...given });
    return { data, invalid: findConflicts(data) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { data: null, invalid: error.details ?? [{ path: '', message: error.message }] };
  }
}

/**
 * The stored secrets that stay where a variable is not set. As in the API, those of a monitor are not kept for another host: that
 * would reveal them.
 */
function keptSecrets(section: SectionName, current: ResourceFields, written: ResourceFields): ResourceFields {
  const { url, connectTo = null } = written;
  const isElsewhere = (where: unknown) =>
    originOf(String(where)) !== originOf(String(current.url)) || connectTo !== (current.connectTo ?? null);
  if (section === 'monitors' && typeof url === 'string' && isElsewhere(url)) return {};
  const kept = secretParts(current, sectionOf(section).hide(current)) as ResourceFields;
  const { headers, authentication } = written;
  const staysThere = canKeepSecret(Object(authentication), Object(current.authentication));
  return {
    ...kept,
    headers: renameParts(kept.headers, headers),
    authentication: staysThere ? kept.authentication : undefined,
  };
}

/** Parts under the names that a file gives them, which are the same in any case. */
function renameParts(parts: unknown, written: unknown): unknown {
  if (typeof parts !== 'object' || parts === null || typeof written !== 'object' || written === null)
    return parts;
  const byName = new Map(Object.entries(parts).map(([name, part]) => [name.toLowerCase(), part]));
  return Object.fromEntries(Object.keys(written).map((name) => [name, byName.get(name.toLowerCase())]));
}

function originOf(url: string): string {
  return (/^https?:/i.test(url) ? parseUrl(url)?.origin : undefined) ?? url;
}

/** The parts of a value that are hidden; undefined for the others. */
function secretParts(value: unknown, hidden: unknown): unknown {
  if (hidden === HIDDEN) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    secretParts(part, (hidden as ResourceFields)[name]),
  ]);
  return Object.fromEntries(parts);
}

type Named = ResourceFields & { id: string };

/** The fields of a monitor that name others. */
export const NAMING_FIELDS = ['dependsOn', 'members'] as const;

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Monitors in an order in which each comes before those that it names: deleting one changes those that name it. */
function dependentsFirst<Monitor extends Named>(monitors: readonly Monitor[]): Monitor[] {
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const done = new Set<string>();
  const parentsFirst: Monitor[] = [];
  const visit = (monitor: Monitor) => {
    if (done.has(monitor.id)) return;
    done.add(monitor.id);
    for (const id of NAMING_FIELDS.flatMap((field) => listOf(monitor[field]))) {
      const parent = byId.get(String(id));
      if (parent) visit(parent);
    }
    parentsFirst.push(monitor);
  };
  for (const monitor of monitors) visit(monitor);
  return parentsFirst.toReversed();
}
