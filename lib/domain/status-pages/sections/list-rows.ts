import type { PageSection } from '@/lib/schemas/status-pages/sections';

/** A component, in the form of a monitor that is always operational: only incidents change its state. */
export type ComponentRow = {
  id: string;
  name: string;
  status: 'operational';
  enabled: true;
  inMaintenance: false;
  noDataSince: null;
};

type Sectioned = { sections: readonly PageSection[] };
type Named = { id: string; name: string };

/** All rows of a page in display order, with the names that the page gives them: its monitors and its components. */
export function listRows<Monitor extends Named>(
  { sections }: Sectioned,
  monitors: readonly Monitor[],
): (Monitor | ComponentRow)[] {
  if (sections.length === 0) return [...monitors];
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  return sections.flatMap(({ items }) =>
    items.flatMap(({ monitorId, componentId, name }) => {
      if (monitorId === null) return toComponent(componentId, name);
      const monitor = byId.get(monitorId);
      return monitor === undefined ? [] : { ...monitor, name: name ?? monitor.name };
    }),
  );
}

/** Finds the ID of a row by that ID, or by the name of the row in either case. */
export function rowFinder(rows: readonly Named[]): (text: string) => string | undefined {
  const found = new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]));
  for (const { id } of rows) found.set(id, id);
  return (text) => found.get(text.toLowerCase()) ?? found.get(text);
}

/** IDs of all rows of a page: its monitors, then its components. */
export function listRowIds({ monitors, sections }: Sectioned & { monitors: readonly string[] }): string[] {
  return [...monitors, ...listComponents({ sections }).map(({ id }) => id)];
}

/** Monitors with the names that the page gives them. */
export function withPageNames<Monitor extends Named>(
  page: Sectioned,
  monitors: readonly Monitor[],
): Monitor[] {
  const given = new Map(
    page.sections.flatMap(({ items }) => items.map(({ monitorId, name }) => [monitorId, name])),
  );
  return monitors.map((monitor) => ({ ...monitor, name: given.get(monitor.id) ?? monitor.name }));
}

/** The components of a page, in display order. */
export function listComponents({ sections }: Sectioned): ComponentRow[] {
  return sections.flatMap(({ items }) =>
    items.flatMap(({ monitorId, componentId, name }) =>
      monitorId === null ? toComponent(componentId, name) : [],
    ),
  );
}

/** A component of a page. */
export function toComponent(id: string, name: string): ComponentRow {
  return { id, name, status: 'operational', enabled: true, inMaintenance: false, noDataSince: null };
}

/** A section with its rows by ID, and where it is on the page: `section-payments`. */
export type ListedSection = Omit<PageSection, 'items'> & {
  anchor: string;
  rows: { id: string; description: string | null }[];
};

/** The sections of a page that have rows. The anchor of one depends on its name, and on earlier sections with a similar one. */
export function listSections({ sections }: Sectioned): ListedSection[] {
  const counts = new Map<string, number>();
  return sections
    .filter(({ items }) => items.length > 0)
    .map(({ items, ...section }) => {
      const base = `section-${slugOf(section.name)}`;
      const count = (counts.get(base) ?? 0) + 1;
      counts.set(base, count);
      return {
        ...section,
        anchor: count === 1 ? base : `${base}_${count}`,
        rows: items.map(({ monitorId, componentId, description }) => ({
          id: monitorId ?? componentId,
          description,
        })),
      };
    });
}

/** Letters and digits of any language with hyphens between them. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
