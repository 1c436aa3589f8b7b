import { monitorsOf, type SentSection, sectionsOf } from '@/lib/schemas/status-pages/sections';
import { refText } from '@/lib/schemas/text';
import { renameInRules } from './rules';

/** The fields of a resource. */
type Fields = Record<string, unknown>;

/** The sections of a status page in a file: their rows name monitors by `ref` or ID. */
export const writtenSections = sectionsOf(refText);

/** The monitors in the sections of a file; null without sections, and for those that are not valid. */
export function monitorsInSections(sections: unknown): string[] | null {
  const { data = [] } = writtenSections.safeParse(sections ?? []);
  return data.length === 0 ? null : monitorsOf(data);
}

/**
 * Fields with other names of monitors: those of a page, also in its sections, those that a monitor depends on or consists of, and those in the rules of
 * an endpoint.
 */
export function renameMonitors(fields: Fields, rename: (name: string) => string): Fields {
  const { monitors, dependsOn, members, sections, rules } = fields;
  const renamed = (names: unknown[]) => names.map((name) => rename(String(name)));
  return {
    ...fields,
    ...(Array.isArray(monitors) ? { monitors: renamed(monitors) } : {}),
    ...(Array.isArray(dependsOn) ? { dependsOn: renamed(dependsOn) } : {}),
    ...(Array.isArray(members) ? { members: renamed(members) } : {}),
    ...(Array.isArray(rules) ? { rules: renameInRules(rules, rename) } : {}),
    ...(Array.isArray(sections) ? { sections: (sections as SentSection[]).map(inSection) } : {}),
  };

  function inSection(section: SentSection): SentSection {
    const items = section.items.map((item) =>
      typeof item.monitorId === 'string' ? { ...item, monitorId: rename(item.monitorId) } : item,
    );
    return { ...section, items };
  }
}

/** Sections without what is the default, and without the IDs of components, which differ between services. */
export function shortSections(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortSections);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, part]) => name !== 'componentId' && part !== null && part !== false,
  );
  return Object.fromEntries(kept.map(([name, part]) => [name, shortSections(part)]));
}
