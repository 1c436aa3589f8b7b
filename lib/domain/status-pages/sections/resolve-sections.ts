import { invalidField } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import {
  monitorsOf,
  type PageSection,
  type SectionItem,
  type SentItem,
  type SentSection,
} from '@/lib/schemas/status-pages/sections';

/** The rows of a page: without sections, its monitors in order; with sections, the monitors are those of their rows. */
export type PageRows = { monitors: string[]; sections: PageSection[] };

/** What is sent of the rows of a page. */
export type SentRows = { monitors?: string[]; sections?: SentSection[] };

/**
 * The rows of a page after a write of its monitors, its sections, or both. A component without an ID keeps that of the component with
 * its name in `before`, or gets a new one. Throws VALIDATION_ERROR if monitors and sections contradict each other, and for the ID of a
 * component that the page does not have.
 */
export function resolveRows(sent: SentRows, before: PageRows): PageRows {
  const sections = sent.sections ? withComponentIds(sent.sections, before.sections) : before.sections;
  if (sections.length === 0) return { monitors: sent.monitors ?? before.monitors, sections };
  const monitors = monitorsOf(sections);
  if (sent.monitors !== undefined && sent.monitors.join() !== monitors.join()) {
    throw invalidField('monitors', 'must be those of the sections in the same order, or omitted');
  }
  return { monitors, sections };
}

function withComponentIds(sections: readonly SentSection[], before: readonly PageSection[]): PageSection[] {
  const given = new Set(sections.flatMap(({ items }) => items.map(({ componentId }) => componentId)));
  const rows = before.flatMap(({ items }) => items);
  const former = new Map(rows.map(({ name, componentId }) => [name, componentId]));
  const known = new Set(former.values());
  const complete = (item: SentItem, path: string): SectionItem => {
    const { monitorId, componentId, name, description } = item;
    if (monitorId !== null) return { monitorId, componentId: null, name, description };
    if (componentId !== null && !known.has(componentId)) {
      throw invalidField(path, 'is not a component of this page; omit it to create one');
    }
    const sameName = former.get(name) ?? null;
    const id = componentId ?? (given.has(sameName) ? null : sameName) ?? createId('component');
    return { monitorId, componentId: id, name: name ?? '', description };
  };
  return sections.map((section, place) => ({
    ...section,
    items: section.items.map((item, index) => complete(item, `sections.${place}.items.${index}.componentId`)),
  }));
}

/** Where the monitors of a page are in what was sent. */
export function pathsOf({ sections = [] }: SentRows): string | string[] {
  if (sections.length === 0) return 'monitors';
  return sections.flatMap(({ items }, place) =>
    items.flatMap(({ monitorId }, index) =>
      monitorId === null ? [] : `sections.${place}.items.${index}.monitorId`,
    ),
  );
}

/**
 * The rows that a page has now, as it was written and with the monitors that still exist. Those that are in no section, which only an
 * older version can write, are in the last one.
 */
export function currentRows({ monitors, sections }: PageRows): PageRows {
  if (sections.length === 0) return { monitors, sections };
  const existing = new Set(monitors);
  const kept = sections.map((section) => ({
    ...section,
    items: section.items.filter(({ monitorId }) => monitorId === null || existing.has(monitorId)),
  }));
  const placed = new Set(monitorsOf(kept));
  const rest = monitors.filter((id) => !placed.has(id));
  kept
    .at(-1)
    ?.items.push(
      ...rest.map((monitorId) => ({ monitorId, componentId: null, name: null, description: null })),
    );
  return { monitors: monitorsOf(kept), sections: kept };
}
