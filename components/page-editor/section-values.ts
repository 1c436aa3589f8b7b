import { monitorsOf, type SentSection } from '@/lib/schemas/status-pages/sections';

/** A row as it is edited: texts as typed. `key` identifies it also before it is saved. */
export type EditedRow = {
  key: string;
  monitorId: string | null;
  componentId: string | null;
  name: string;
  description: string;
};

export type EditedSection = {
  key: string;
  name: string;
  description: string;
  collapsed: boolean;
  rows: readonly EditedRow[];
};

/** Stored sections as they are edited. */
export function editSections(sections: readonly SentSection[]): EditedSection[] {
  return sections.map(({ name, description, collapsed, items }, place) => ({
    key: `section-${place}`,
    name,
    collapsed,
    description: description ?? '',
    rows: items.map((item, index) => ({
      key: item.monitorId ?? item.componentId ?? `row-${place}-${index}`,
      monitorId: item.monitorId,
      componentId: item.componentId,
      name: item.name ?? '',
      description: item.description ?? '',
    })),
  }));
}

/** Edited sections as the API takes them. */
export function sentSections(sections: readonly EditedSection[]): SentSection[] {
  return sections.map(({ name, description, collapsed, rows }) => ({
    name,
    collapsed,
    description: description.trim() || null,
    items: rows.map((row) => ({
      monitorId: row.monitorId,
      componentId: row.componentId,
      name: row.name.trim() || null,
      description: row.description.trim() || null,
    })),
  }));
}

/** The monitors of a page with these sections. */
export function monitorsInOrder(sections: readonly EditedSection[]): string[] {
  return monitorsOf(sentSections(sections));
}

/** A row of a monitor under its own name. */
export function rowOf(monitorId: string): EditedRow {
  return { key: monitorId, monitorId, componentId: null, name: '', description: '' };
}

/** A section with a key that no other one has. */
export function newSection(sections: readonly EditedSection[], rows: readonly EditedRow[]): EditedSection {
  return { key: freeKey(keysOf(sections), 'new-section'), name: '', description: '', collapsed: false, rows };
}

/** A component without a name, with a key that no other row has. */
export function newComponent(sections: readonly EditedSection[]): EditedRow {
  const key = freeKey(keysOf(sections), 'new-component');
  return { key, monitorId: null, componentId: null, name: '', description: '' };
}

/** A key with this prefix that is not taken. */
export function freeKey(taken: readonly string[], prefix: string): string {
  const keys = new Set(taken);
  for (let number = 1; ; number += 1) {
    const key = `${prefix}-${number}`;
    if (!keys.has(key)) return key;
  }
}

/** The keys of all sections and rows, as they are listed. */
export function keysOf(sections: readonly EditedSection[]): string[] {
  return sections.flatMap(({ key, rows }) => [key, ...rows.map((row) => row.key)]);
}

/**
 * Moves what has a key to the place of another in the list of `keysOf`: a row, also into another section, or a section with all of its
 * rows to the place of the section that the other is in. What is above the first section moves into it.
 */
export function moveTo(
  sections: readonly EditedSection[],
  key: string,
  over: string,
): readonly EditedSection[] {
  const keys = keysOf(sections);
  const [from, to] = [keys.indexOf(key), keys.indexOf(over)];
  if (from < 0 || to < 0 || from === to) return sections;
  const moved = sections.find((section) => section.key === key);
  if (moved) {
    const target = sections.findIndex((section) => keysOf([section]).includes(over));
    const others = sections.filter((section) => section !== moved);
    return [...others.slice(0, target), moved, ...others.slice(target)];
  }
  const rest = keys.filter((each) => each !== key);
  return regroup(sections, [...rest.slice(0, to), key, ...rest.slice(to)]);
}

/** Moves a row or a section one place up or down; unchanged at the end of the list. */
export function step(sections: readonly EditedSection[], key: string, by: 1 | -1): readonly EditedSection[] {
  const place = sections.findIndex((section) => section.key === key);
  const list = place >= 0 ? sections.map((section) => section.key) : keysOf(sections);
  const over = list[list.indexOf(key) + by];
  return over === undefined ? sections : moveTo(sections, key, over);
}

function regroup(sections: readonly EditedSection[], keys: readonly string[]): EditedSection[] {
  const rows = new Map(sections.flatMap((section) => section.rows.map((row) => [row.key, row])));
  const headings = new Map(sections.map((section) => [section.key, section]));
  const grouped: { section: EditedSection; rows: EditedRow[] }[] = [];
  const before: EditedRow[] = [];
  for (const key of keys) {
    const [section, row] = [headings.get(key), rows.get(key)];
    if (section) grouped.push({ section, rows: grouped.length === 0 ? before : [] });
    else if (row) (grouped.at(-1)?.rows ?? before).push(row);
  }
  return grouped.map(({ section, rows: own }) => ({ ...section, rows: own }));
}

/** Without a section, whose rows move to the one before or after it. */
export function removeSection(sections: readonly EditedSection[], key: string): readonly EditedSection[] {
  const place = sections.findIndex((section) => section.key === key);
  const removed = sections[place];
  if (removed === undefined) return sections;
  const others = sections.filter((section) => section !== removed);
  return others.map((section, index) => {
    if (index !== Math.max(0, place - 1)) return section;
    const rows = place === 0 ? [...removed.rows, ...section.rows] : [...section.rows, ...removed.rows];
    return { ...section, rows };
  });
}

/** With changes of one row. */
export function changeRow(
  sections: readonly EditedSection[],
  key: string,
  changes: Partial<EditedRow>,
): readonly EditedSection[] {
  return sections.map((section) => ({
    ...section,
    rows: section.rows.map((row) => (row.key === key ? { ...row, ...changes } : row)),
  }));
}

/** Without one row. */
export function removeRow(sections: readonly EditedSection[], key: string): readonly EditedSection[] {
  return sections.map((section) => ({ ...section, rows: section.rows.filter((row) => row.key !== key) }));
}
