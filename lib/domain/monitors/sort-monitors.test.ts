import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageMonitors, type SortableMonitor } from './list-monitors';

const monitor = fc.record({
  id: fc.uuid(),
  name: fc.string({ maxLength: 3 }),
  createdAt: fc.integer({ min: 0, max: 5 }).map((ms) => new Date(ms)),
  status: fc.constantFrom('down', 'degraded', 'pending', 'operational'),
});
const monitors = fc.uniqueArray(monitor, { selector: ({ id }) => id, maxLength: 30 });
const sorts = fc.constantFrom('name', '-name', 'createdAt', '-createdAt', 'status', '-status');

const idsOf = ({ items }: { items: SortableMonitor[] }) => items.map(({ id }) => id);

describe('pages of monitors', () => {
  it('add up to the whole list in the same order, for any sort and size', () => {
    fc.assert(
      fc.property(monitors, sorts, fc.integer({ min: 1, max: 10 }), (all, sort, limit) => {
        const whole = pageMonitors(all, { sort });
        const collected: string[] = [];
        let cursor: string | undefined;
        do {
          const page = pageMonitors(all, { sort, limit, cursor });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          collected.push(...idsOf(page));
          cursor = page.next ?? undefined;
        } while (cursor !== undefined);
        expect(collected).toEqual(idsOf(whole));
        expect(whole).toMatchObject({ next: null });
        expect(new Set(idsOf(whole)).size).toBe(all.length);
      }),
    );
  });

  it('continue correctly after the last monitor of a page is deleted or one is added before it', () => {
    const sortable = (id: string, name: string): SortableMonitor => ({
      id,
      name,
      createdAt: new Date(0),
      status: 'operational',
    });
    const all = [
      sortable('mon_1', 'a'),
      sortable('mon_2', 'b'),
      sortable('mon_3', 'c'),
      sortable('mon_4', 'd'),
    ];
    const first = pageMonitors(all, { sort: 'name', limit: 2 });
    expect(idsOf(first)).toEqual(['mon_1', 'mon_2']);
    const later = [...all.filter(({ id }) => id !== 'mon_2'), sortable('mon_0', 'A0')];
    expect(idsOf(pageMonitors(later, { sort: 'name', limit: 2, cursor: first.next ?? '' }))).toEqual([
      'mon_3',
      'mon_4',
    ]);
  });

  it('start with problems when sorted by status', () => {
    const all = (['operational', 'down', 'pending', 'degraded'] as const).map((status, index) => ({
      id: `mon_${index}`,
      name: status,
      createdAt: new Date(0),
      status,
    }));
    expect(idsOf(pageMonitors(all, { sort: 'status' }))).toEqual(['mon_1', 'mon_3', 'mon_2', 'mon_0']);
  });

  it.each(['', 'nonsense', 'W10', 'WzEsMl0'])('reject %j as a cursor', (cursor) => {
    expect(() => pageMonitors([], { sort: 'name', cursor })).toThrow('cursor');
  });
});
