import { describe, expect, it } from 'vitest';
import type { PageSection, SentItem, SentSection } from '@/lib/schemas/status-pages/sections';
import { currentRows, resolveRows } from './resolve-sections';

const NONE = { monitors: [], sections: [] };
const row = (fields: Partial<SentItem>): SentItem => ({
  monitorId: null,
  componentId: null,
  name: null,
  description: null,
  ...fields,
});
const section = (name: string, ...items: Partial<SentItem>[]): SentSection => ({
  name,
  description: null,
  collapsed: false,
  items: items.map(row),
});
const idsOf = (sections: PageSection[]) =>
  sections.flatMap(({ items }) => items.map(({ componentId }) => componentId));

describe('the rows of a page after a write', () => {
  it('are its monitors, without sections', () => {
    expect(resolveRows({ monitors: ['mon_1'] }, NONE)).toEqual({ monitors: ['mon_1'], sections: [] });
  });

  it('have the monitors of the sections in their order', () => {
    const sections = [
      section('A', { monitorId: 'mon_2' }, { name: 'Phone' }),
      section('B', { monitorId: 'mon_1' }),
    ];
    expect(resolveRows({ sections }, NONE).monitors).toEqual(['mon_2', 'mon_1']);
    expect(resolveRows({ sections, monitors: ['mon_2', 'mon_1'] }, NONE).monitors).toEqual([
      'mon_2',
      'mon_1',
    ]);
  });

  it('keep their monitors when the sections are removed', () => {
    const before = resolveRows({ sections: [section('A', { monitorId: 'mon_1' })] }, NONE);
    expect(resolveRows({ sections: [] }, before)).toEqual({ monitors: ['mon_1'], sections: [] });
  });

  it.each([
    ['others', ['mon_1', 'mon_3']],
    ['another order', ['mon_2', 'mon_1']],
    ['fewer', ['mon_1']],
  ])('refuse %s than the monitors of the sections', (_, monitors) => {
    const sections = [section('A', { monitorId: 'mon_1' }, { monitorId: 'mon_2' })];
    const details = [expect.objectContaining({ path: 'monitors' })];
    const refusal = { code: 'VALIDATION_ERROR', details };
    const before = resolveRows({ sections }, NONE);
    expect(() => resolveRows({ sections, monitors }, NONE)).toThrow(expect.objectContaining(refusal));
    expect(() => resolveRows({ monitors }, before)).toThrow(expect.objectContaining(refusal));
  });
});

describe('a component', () => {
  const before = resolveRows({ sections: [section('A', { name: 'Phone' }, { name: 'Mail' })] }, NONE);
  const [phone, mail] = idsOf(before.sections);

  it('gets an ID, and keeps it by its name or when it is sent back', () => {
    expect(phone).toMatch(/^cmp_/);
    const moved = [section('B', { name: 'Mail' }), section('C', { name: 'Phone', description: 'Calls' })];
    expect(idsOf(resolveRows({ sections: moved }, before).sections)).toEqual([mail, phone]);
    const renamed = [section('A', { componentId: phone, name: 'Hotline' })];
    expect(idsOf(resolveRows({ sections: renamed }, before).sections)).toEqual([phone]);
  });

  it('gets a new ID if the one of its former name was given to another', () => {
    const swapped = [section('A', { componentId: phone, name: 'Hotline' }, { name: 'Phone' })];
    const [first, second] = idsOf(resolveRows({ sections: swapped }, before).sections);
    expect(first).toBe(phone);
    expect(second).toMatch(/^cmp_/);
    expect([phone, mail]).not.toContain(second);
  });

  it('of another page is refused with its place', () => {
    const sections = [section('A'), section('B', { name: 'Phone' }, { componentId: 'cmp_9', name: 'X' })];
    expect(() => resolveRows({ sections }, before)).toThrow(
      expect.objectContaining({
        details: [expect.objectContaining({ path: 'sections.1.items.1.componentId' })],
      }),
    );
  });
});

describe('the rows of a page now', () => {
  const sections = [
    section('A', { monitorId: 'mon_1' }),
    section('B', { monitorId: 'mon_2' }, { name: 'Phone' }),
  ];
  const written = resolveRows({ sections }, NONE);

  it('are those that were written, without deleted monitors', () => {
    expect(currentRows(written)).toEqual(written);
    const left = currentRows({ ...written, monitors: ['mon_2'] });
    expect(left.monitors).toEqual(['mon_2']);
    expect(left.sections.map(({ items }) => items.length)).toEqual([0, 2]);
  });

  it('include monitors that an older version added, at the end', () => {
    const added = currentRows({ ...written, monitors: ['mon_3', 'mon_1', 'mon_2'] });
    expect(added.monitors).toEqual(['mon_1', 'mon_2', 'mon_3']);
    expect(written.sections[1]?.items).toHaveLength(2);
  });
});
