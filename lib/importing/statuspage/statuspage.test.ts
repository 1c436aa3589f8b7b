import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { sectionsOf } from '@/lib/schemas/status-pages/sections';
import { isSlug, RESERVED_SLUGS } from '@/lib/schemas/status-pages/slug';
import { nameText, refText } from '@/lib/schemas/text';
import { readStatuspage } from './read-statuspage';

const FILE = join(import.meta.dirname, 'testing', 'statuspage.json');
const read = async () => readStatuspage(await readFile(FILE));
const readJson = (content: unknown) => readStatuspage(new TextEncoder().encode(JSON.stringify(content)));
const component = (settings: object) => ({
  id: 'a',
  name: 'API',
  group: false,
  group_id: null,
  position: 1,
  ...settings,
});
const written = sectionsOf(refText);

describe("responses of Statuspage's API", () => {
  it('become a page with a section per group and a row per component, in the same order', async () => {
    const { page } = await read();
    expect({
      ...page,
      sections: page.sections.map(({ name, items }) => [name, items.map((item) => item.name)]),
    }).toEqual({
      slug: 'example',
      name: 'Example',
      published: false,
      sections: [
        ['Europe', ['API', 'Dashboard', 'Checkout', 'Search', 'Webhooks', 'Email', 'Exports', 'Files']],
        ['Services', ['Website', 'Documentation', 'Support', 'Partner portal', 'Status page']],
        [
          'United States',
          [
            'API (United States)',
            'Dashboard (United States)',
            'Checkout (United States)',
            'Search (United States)',
            'Webhooks (United States)',
            'SMS',
            'Reports',
          ],
        ],
      ],
    });
    expect(page.sections[0]?.description).toBe('Data center in Frankfurt');
    expect(page.sections[1]?.items[0]).toEqual({ name: 'Website', description: 'www.example.com' });
    expect(written.safeParse(page.sections).error).toBeUndefined();
  });

  it('become the same page again', async () => {
    expect(await read()).toEqual(await read());
  });

  it('are shown next to what they become', async () => {
    const { rows } = await read();
    expect(rows).toHaveLength(20);
    expect(rows[6]).toEqual({
      id: 'c09',
      group: 'Europe',
      name: 'Exports',
      section: 'Europe',
      row: 'Exports',
      changes: ['It is always shown, not only while it is degraded.'],
    });
    expect(rows.every(({ row }) => row !== null)).toBe(true);
  });

  it('become a list of subscribers with the rows that they chose', async () => {
    const { subscribers, notes } = await read();
    const us =
      'API (United States); Dashboard (United States); Checkout (United States); Search (United States); Webhooks (United States); SMS; Reports';
    expect(subscribers).toEqual({
      confirmed: `email,rows\nann@example.com,\nben@example.com,API; API (United States)\ncleo@example.com,${us}\n`,
      unconfirmed: 'email,rows\nbounced@example.com,\n',
    });
    expect(notes).toEqual([
      'Import the confirmed subscribers as confirmed. Otherwise, Pharos emails each a link to confirm again.',
      "The file does not state who confirmed. Without state, Statuspage's API lists only those who did.",
      '1 subscriber did not confirm, or emails to them failed: --subscribers unconfirmed prints them.',
      '1 subscriber of components that are not on the page left out.',
      '2 subscribers by SMS, webhook or chat are not imported.',
      'The file has 1 incident: --incidents prints those that ended.',
      '1 maintenance window is not imported.',
      'The domain is not imported. Set it in Pharos once it points there.',
    ]);
  });

  it('keep those who confirmed apart from all others, by the state that they were listed with', () => {
    const listed = (name: string, fields: object) => ({
      mode: 'email',
      email: `${name}@example.com`,
      ...fields,
    });
    const { subscribers, notes } = readJson([
      [component({})],
      [listed('ann', { state: 'active', quarantined_at: null, purge_at: null })],
      [listed('ben', { state: 'unconfirmed' }), listed('cleo', { state: 'quarantined' })],
      [listed('dan', { state: 'active', purge_at: '2026-01-01T00:00:00.000Z' })],
      [listed('eve', { state: 'active', quarantined_at: '2026-01-01T00:00:00.000Z' })],
      [listed('finn', { state: 'something new' }), listed('@', { state: 'active' })],
    ]);
    const names = (csv: string | null) => [...`${csv}`.matchAll(/^(\w+)@/gm)].map(([, name]) => name);
    expect(names(subscribers.confirmed)).toEqual(['ann']);
    expect(names(subscribers.unconfirmed)).toEqual(['ben', 'cleo', 'dan', 'eve', 'finn']);
    expect(notes).toEqual([
      'Import the confirmed subscribers as confirmed. Otherwise, Pharos emails each a link to confirm again.',
      '5 subscribers did not confirm, or emails to them failed: --subscribers unconfirmed prints them.',
      '1 subscriber without a valid address is not imported.',
    ]);
  });

  it('keep what subscribers chose if the name of a component has a semicolon, which separates rows', () => {
    const { rows, subscribers } = readJson([
      { components: [component({ name: 'Checkout; API' }), component({ id: 'b', name: 'Checkout' })] },
      [{ mode: 'email', email: 'ada@example.com', components: ['a'], state: 'active' }],
    ]);
    expect(rows[0]).toMatchObject({
      row: 'Checkout, API',
      changes: ['Semicolons in its name become commas.'],
    });
    expect(subscribers.confirmed).toBe('email,rows\nada@example.com,"Checkout, API"\n');
  });

  it('can be summary.json of a public page', () => {
    const group = { ...component({ id: 'g', name: 'Europe', group: true }), components: ['a'] };
    const summary = {
      page: { id: 'p', name: 'Example Status', url: 'https://status.example.com' },
      components: [component({ group_id: 'g' }), group],
      incidents: [{ id: 'i', impact: 'minor', incident_updates: [] }],
      scheduled_maintenances: [{ id: 'm', impact: 'maintenance', incident_updates: [] }],
      status: { indicator: 'none' },
    };
    const { page, subscribers, notes } = readJson(summary);
    expect(page).toEqual({
      slug: 'example-status',
      name: 'Example Status',
      published: false,
      sections: [{ name: 'Europe', items: [{ name: 'API' }] }],
    });
    expect(subscribers).toEqual({ confirmed: null, unconfirmed: null });
    expect(notes).toEqual([
      'The file has 1 incident: --incidents prints those that ended.',
      '1 maintenance window is not imported.',
    ]);
  });

  it('with more groups than Pharos has sections say which components are left out', () => {
    const groups = Array.from({ length: 51 }, (_, n) =>
      component({ id: `g${n}`, name: `G${n}`, group: true, position: n }),
    );
    const members = groups.map(({ id }) => component({ id: `${id}-a`, name: id, group_id: id }));
    const { page, rows } = readJson([...groups, ...members]);
    expect(page.sections).toHaveLength(50);
    expect(rows.at(-1)).toMatchObject({ row: null, changes: ['Pharos permits at most 50 sections.'] });
  });

  it.each([
    ['no components', { page: { name: 'Example' }, components: [] }, /no components of Statuspage/],
    ['an error', { error: 'Could not authenticate' }, /no components of Statuspage/],
    [
      'too many components',
      Array.from({ length: 5001 }, (_, n) => component({ id: `${n}` })),
      /more than 5,000/,
    ],
  ])('are rejected with %s', (_, content, message) => {
    expect(() => readJson(content)).toThrow(message);
  });

  it('of any content become a valid page or are rejected with a sentence', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom('API', 'api', 'Services', 'status'),
    );
    const id = fc.constantFrom('a', 'b', 'g', 'h');
    const record = fc.record(
      {
        id,
        name,
        group: fc.boolean(),
        group_id: fc.option(id),
        description: name,
        position: fc.oneof(fc.integer(), fc.constant(null)),
        mode: fc.constant('email'),
        components: fc.oneof(fc.array(id), fc.jsonValue()),
        subdomain: name,
        email: fc.oneof(name, fc.constant('ann@example.com')),
        state: fc.oneof(name, fc.constantFrom('active', 'unconfirmed')),
      },
      { requiredKeys: [] },
    );
    const content = fc.oneof(fc.array(fc.oneof(record, fc.array(record))), fc.jsonValue());
    fc.assert(
      fc.property(content, (value) => {
        try {
          const { page, subscribers } = readJson(value);
          expect(written.safeParse(page.sections).error).toBeUndefined();
          expect(nameText(1, 100).safeParse(page.name).error).toBeUndefined();
          expect(isSlug(page.slug) && !RESERVED_SLUGS.includes(page.slug)).toBe(true);
          for (const csv of Object.values(subscribers)) expect(csv ?? 'email').toMatch(/^email/);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          expect(error.message).toMatch(/^[A-Z].*\.$/s);
        }
      }),
      { numRuns: 300 },
    );
  });
});
