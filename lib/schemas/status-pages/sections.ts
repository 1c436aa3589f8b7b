import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { idText, nameText, storable } from '@/lib/schemas/text';

export const MAX_SECTIONS = 50;
/** Monitors of one page: as many IDs as fit into a request body. Rows without a monitor count too. */
export const MAX_PAGE_MONITORS = 5000;
const MAX_DESCRIPTION = 500;

const description = storable(z.string('must be a string').trim())
  .max(MAX_DESCRIPTION, `must be at most ${MAX_DESCRIPTION} characters`)
  .nullable()
  .default(null)
  .transform((written) => written || null);

/** The sections of a page as they are sent; `monitorId` is how a monitor is named there. */
export const sectionsOf = <Id extends z.ZodType<string>>(monitorId: Id) =>
  z
    .array(
      z.strictObject({
        name: described(nameText(1, 100), 'The name of the section', 'Payments'),
        description: described(
          description,
          'Plain text below the name; null for none',
          'Cards and bank transfers',
        ),
        collapsed: z
          .boolean('must be true or false')
          .default(false)
          .describe('Whether the section is folded while all of it is operational'),
        items: z
          .array(
            z.strictObject({
              monitorId: described(
                monitorId.nullable().default(null),
                'The monitor of the row; null for a component, whose state only incidents set',
                'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
              ),
              componentId: described(
                idText('must be a component ID').nullable().default(null),
                'The ID of a component, for incidents. If omitted, the component of the page with this name keeps its ID; another one is created',
                null,
              ),
              name: described(
                nameText(1, 100).nullable().default(null),
                'The name on the page; null for the name of the monitor. Required without a monitor',
                'Payments',
              ),
              description: described(
                description,
                'Plain text below the name; null for none',
                'Cards and bank transfers',
              ),
            }),
            'must be an array of rows',
          )
          .max(MAX_PAGE_MONITORS, `must have at most ${MAX_PAGE_MONITORS} rows`)
          .describe('The rows, in display order'),
      }),
      'must be an array of sections',
    )
    .max(MAX_SECTIONS, `must have at most ${MAX_SECTIONS} sections`)
    .superRefine(checkSections);

/** A row of a section as it is sent. */
export type SentItem = {
  monitorId: string | null;
  componentId: string | null;
  name: string | null;
  description: string | null;
};

type MonitorItem = SentItem & { monitorId: string; componentId: null };
type ComponentItem = SentItem & { monitorId: null; componentId: string; name: string };
/** A row of a section: a monitor, or a component, whose state only incidents set. */
export type SectionItem = MonitorItem | ComponentItem;

type SectionOf<Item> = { name: string; description: string | null; collapsed: boolean; items: Item[] };
export type SentSection = SectionOf<SentItem>;
/** A section of a status page with its rows in display order. */
export type PageSection = SectionOf<SectionItem>;

/** The monitors in sections, in display order. */
export function monitorsOf(sections: readonly SentSection[]): string[] {
  return sections.flatMap(({ items }) => items.flatMap(({ monitorId }) => monitorId ?? []));
}

/** What no single row can get wrong: names and IDs are unique, and each row has a name. */
function checkSections(sections: SentSection[], context: z.RefinementCtx<SentSection[]>): void {
  const seen = new Set<string>();
  let rows = 0;
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  const requireNew = (key: string, path: (string | number)[]) => {
    if (seen.has(key)) refuse(path, 'is a duplicate');
    seen.add(key);
  };
  sections.forEach(({ name: title, items }, place) => {
    requireNew(`section ${title}`, [place, 'name']);
    rows += items.length;
    items.forEach(({ monitorId, componentId, name }, index) => {
      const at = (field: string) => [place, 'items', index, field];
      if (monitorId !== null) requireNew(`monitor ${monitorId}`, at('monitorId'));
      if (componentId !== null) requireNew(`component ${componentId}`, at('componentId'));
      if (monitorId !== null && componentId !== null) refuse(at('componentId'), 'must be null for a monitor');
      if (monitorId !== null) return;
      if (name === null) refuse(at('name'), 'is required without a monitor');
      else requireNew(`name ${name}`, at('name'));
    });
  });
  if (rows > MAX_PAGE_MONITORS) refuse([], `must have at most ${MAX_PAGE_MONITORS} rows in total`);
}

/** The sections of a page as the API returns them to its organization. */
export const shownSectionsSchema = z.array(
  z
    .strictObject({
      name: described(z.string(), 'The name of the section', 'Payments'),
      description: described(
        z.string().nullable(),
        'More for people; null or empty for none',
        'Orders may take longer than usual.',
      ),
      collapsed: described(
        z.boolean(),
        'Whether the section is folded while all of it is operational',
        false,
      ),
      items: z
        .array(
          z
            .strictObject({
              monitorId: described(
                z.string().nullable(),
                'The monitor of the row; null for a component',
                'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
              ),
              componentId: described(
                z.string().nullable(),
                'The ID of the component, which incidents name; null for a monitor',
                null,
              ),
              name: described(
                z.string().nullable(),
                'The name on the page; null for the name of the monitor',
                'Checkout',
              ),
              description: described(
                z.string().nullable(),
                'More for people; null or empty for none',
                'Orders may take longer than usual.',
              ),
            })
            .meta({ id: 'StatusPageItem' }),
        )
        .describe('The rows, in display order'),
    })
    .meta({ id: 'StatusPageSection' }),
);
