import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycle } from './find-cycle';

const edges = (given: Record<string, string[]>) => new Map(Object.entries(given));

describe('a cycle', () => {
  it.each([
    ['itself', {}, ['a'], ['a', 'a']],
    ['what depends on it', { b: ['a'] }, ['b'], ['a', 'b', 'a']],
    [
      'what depends on it indirectly',
      { b: ['c'], c: ['x', 'd'], d: ['a'] },
      ['x', 'b'],
      ['a', 'b', 'c', 'd', 'a'],
    ],
  ])('of %s is found, with the way back', (_, known, dependsOn, way) => {
    expect(findCycle(edges(known), 'a', dependsOn)).toEqual(way);
  });

  it('is none if two ways lead to the same monitor', () => {
    expect(findCycle(edges({ b: ['d'], c: ['d'] }), 'a', ['b', 'c'])).toBeNull();
  });

  it('is never created by dependencies that were admitted one after the other', () => {
    const change = fc.tuple(fc.nat(8), fc.uniqueArray(fc.nat(8), { maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const known = new Map<string, string[]>();
        for (const [id, dependsOn] of changes) {
          const named = dependsOn.map(String);
          if (findCycle(known, String(id), named) === null) known.set(String(id), named);
        }
        // Removing monitors that depend on nothing left ends with none exactly if there is no cycle.
        for (let before = -1; before !== known.size; ) {
          before = known.size;
          for (const [id, named] of known) if (!named.some((each) => known.has(each))) known.delete(id);
        }
        expect(known.size).toBe(0);
      }),
    );
  });
});
