import { describe, expect, it } from 'vitest';
import {
  changeRow,
  editSections,
  keysOf,
  monitorsInOrder,
  moveTo,
  newComponent,
  newSection,
  removeRow,
  removeSection,
  rowOf,
  sentSections,
  step,
} from './section-values';

const section = (key: string, ...ids: string[]) => ({
  key,
  name: key,
  description: '',
  collapsed: false,
  rows: ids.map(rowOf),
});
const TWO = [section('A', 'a', 'b'), section('B', 'c')];
const listed = (sections: Parameters<typeof keysOf>[0]) => keysOf(sections).join(' ');

describe('what is moved', () => {
  it.each([
    ['a', 'b', 'A b a B c'],
    ['a', 'B', 'A b B a c'],
    ['a', 'c', 'A b B c a'],
    ['c', 'a', 'A c a b B'],
    ['c', 'A', 'A c a b B'],
    ['c', 'B', 'A a b c B'],
    ['B', 'A', 'B c A a b'],
    ['B', 'b', 'B c A a b'],
    ['A', 'c', 'B c A a b'],
    ['a', 'x', 'A a b B c'],
  ])('%s takes the place of %s', (key, over, expected) => {
    expect(listed(moveTo(TWO, key, over))).toBe(expected);
  });

  it.each([
    ['b', 1, 'A a B b c'],
    ['c', -1, 'A a b c B'],
    ['a', -1, 'A a b B c'],
    ['c', 1, 'A a b B c'],
    ['A', 1, 'B c A a b'],
    ['A', -1, 'A a b B c'],
  ] as const)('%s steps by %d, also into another section', (key, by, expected) => {
    expect(listed(step(TWO, key, by))).toBe(expected);
  });
});

it('the rows of a removed section stay on the page, in the one next to it', () => {
  expect(listed(removeSection(TWO, 'B'))).toBe('A a b c');
  expect(listed(removeSection(TWO, 'A'))).toBe('B a b c');
  expect(removeSection([section('A', 'a')], 'A')).toEqual([]);
});

it('new sections and components have keys of their own', () => {
  const more = [...TWO, newSection(TWO, [])];
  expect(newSection(more, []).key).not.toBe(more[2]?.key);
  const [first] = more;
  const component = newComponent(more);
  const all = first ? [{ ...first, rows: [component] }] : [];
  expect(newComponent(all).key).not.toBe(component.key);
});

it('what was stored is sent back as it was, and changed rows with their texts trimmed', () => {
  const stored = [
    {
      name: 'A',
      description: null,
      collapsed: true,
      items: [
        { monitorId: 'mon_1', componentId: null, name: null, description: null },
        { monitorId: null, componentId: 'cmp_1', name: 'Phone', description: 'Calls' },
      ],
    },
  ];
  const edited = editSections(stored);
  expect(sentSections(edited)).toEqual(stored);
  expect(monitorsInOrder(edited)).toEqual(['mon_1']);
  const [row] =
    sentSections(changeRow(edited, 'mon_1', { name: ' Shop ', description: ' ' }))[0]?.items ?? [];
  expect(row).toMatchObject({ name: 'Shop', description: null });
  expect(monitorsInOrder(removeRow(edited, 'mon_1'))).toEqual([]);
});
