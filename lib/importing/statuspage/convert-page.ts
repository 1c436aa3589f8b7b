import { cutText } from '@/lib/core/storable-text';
import { MAX_SECTIONS } from '@/lib/schemas/status-pages/sections';
import { isSlug, RESERVED_SLUGS } from '@/lib/schemas/status-pages/slug';
import { nameText } from '@/lib/schemas/text';
import type { Component, StatuspageFile } from './statuspage-file';

const MAX_NAME = 100;
const MAX_DESCRIPTION = 500;
const MAX_SLUG = 50;
/** The section of components without a group. */
const SERVICES = 'Services';

type Row = { name: string; description?: string };
type Section = Row & { items: Row[] };

/** A status page as a file of resources has it. */
export type ImportedPage = { slug: string; name: string; published: boolean; sections: Section[] };

/** A component next to what it becomes: its section and name in Pharos, or null. */
export type ImportedRow = {
  id: string;
  group: string;
  name: string;
  section: string | null;
  row: string | null;
  changes: string[];
};

/** The page with a section per group of components, and what becomes of each component, in the order of the page. */
export function convertPage({ page, components }: StatuspageFile): {
  page: ImportedPage;
  rows: ImportedRow[];
} {
  const names = new Names();
  const titles = new Names();
  const groups = listGroups(components).map(({ group, members }) => ({
    group,
    title: titles.take(group?.name || SERVICES),
    members,
  }));
  const kept = groups.slice(0, MAX_SECTIONS);
  const rows = groups.flatMap(({ group, title, members }) =>
    members.map((component): ImportedRow => {
      const { id, name, description, only_show_if_degraded: onlyDegraded } = component;
      const isKept = kept.some((each) => each.title === title);
      const row = isKept ? names.take(name, title) : null;
      const changes = [
        ...(isKept ? [] : [`Pharos permits at most ${MAX_SECTIONS} sections.`]),
        ...(description.length > MAX_DESCRIPTION
          ? [`The description is cut to ${MAX_DESCRIPTION} characters.`]
          : []),
        ...(isKept && name.includes(';') ? ['Semicolons in its name become commas.'] : []),
        ...(onlyDegraded === true ? ['It is always shown, not only while it is degraded.'] : []),
      ];
      return { id, group: group?.name ?? '', name, section: isKept ? title : null, row, changes };
    }),
  );
  const rowOf = new Map(rows.map(({ id, row }) => [id, row]));
  const sections = kept.map(({ group, title, members }) => ({
    name: title,
    ...withDescription(group?.description ?? ''),
    items: members.map(({ id, description }) => ({
      name: rowOf.get(id) ?? '',
      ...withDescription(description),
    })),
  }));
  const name = nameOf(page.name, 'Status');
  return { page: { slug: slugOf(page.subdomain, name), name, published: false, sections }, rows };
}

function withDescription(description: string): { description?: string } {
  const written = cutText(description, MAX_DESCRIPTION).trim();
  return written === '' ? {} : { description: written };
}

/** Groups in the order of the page, and those without one together where the first of them is. Empty groups are left out. */
function listGroups(components: readonly Component[]): { group: Component | null; members: Component[] }[] {
  const sorted = components.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0));
  const groups = new Map(sorted.filter(({ group }) => group === true).map((group) => [group.id, group]));
  const members = new Map<Component | null, Component[]>();
  for (const component of sorted.filter(({ group }) => group !== true)) {
    const group = groups.get(component.group_id ?? '') ?? null;
    const list = members.get(group) ?? [];
    list.push(component);
    members.set(group, list);
  }
  // Positions within a group say nothing about the page.
  const placeOf = (group: Component | null, [first]: readonly Component[]) => (group ?? first)?.position ?? 0;
  return [...members]
    .map(([group, list]) => ({ group, members: list, place: placeOf(group, list) }))
    .toSorted((one, other) => one.place - other.place);
}

/** A name as Pharos permits it: a line that people can see. */
function nameOf(text: string, fallback: string): string {
  const line = cutText(text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim(), MAX_NAME).trim();
  return nameText(1, MAX_NAME).safeParse(line).success ? line : fallback;
}

/** Names that differ in more than their case: subscribers name rows in either. */
class Names {
  private readonly taken = new Set<string>();

  /** A name that is free: the given one, or else with its group, or else with a number. */
  take(name: string, group?: string): string {
    // A semicolon separates rows in lists of subscribers.
    const base = nameOf(name.replaceAll(';', ','), 'Component');
    const grouped = group === undefined ? base : `${cutText(base, 45).trim()} (${cutText(group, 45).trim()})`;
    let free = this.taken.has(base.toLowerCase()) ? grouped : base;
    for (let count = 2; this.taken.has(free.toLowerCase()); count++)
      free = `${cutText(grouped, MAX_NAME - 6).trim()} ${count}`;
    this.taken.add(free.toLowerCase());
    return free;
  }
}

/** The subdomain there, or else the name. */
function slugOf(subdomain: string | null, name: string): string {
  const words = (subdomain ?? name).toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const slug = words.slice(0, MAX_SLUG).replaceAll(/^-+|-+$/g, '');
  if (!isSlug(slug)) return 'status-page';
  return RESERVED_SLUGS.includes(slug) ? `${slug}-page` : slug;
}
