import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BUILT_IN_REGION_IDS,
  compareRegions,
  isOwnRegionId,
  isRegionId,
  ownRegionId,
  regionNumber,
  regionOf,
} from '.';
import { formatPlace, PLACES } from './places';

describe('the ID of an own region', () => {
  it('contains its number, so that reading results needs no table', () => {
    fc.assert(
      fc.property(fc.integer({ min: 101, max: 32_767 }), (number) => {
        const id = ownRegionId(number);
        expect([isOwnRegionId(id), regionNumber(id), regionOf(number)]).toEqual([true, number, id]);
      }),
    );
  });

  it('has one form', () => {
    const others = [
      'loc_',
      'loc_100',
      'loc_0101',
      'loc_32768',
      'loc_1e3',
      'loc_ 101',
      'loc_101 ',
      'LOC_101',
      'mars',
    ];
    expect(others.filter(isRegionId)).toEqual([]);
  });

  it('is that of no other number', () => {
    expect([null, 0, 4, 100, 32_768].map(regionOf)).toEqual([null, null, null, null, null]);
  });

  it('comes after the built-in regions, older ones first', () => {
    const ids = ['loc_1000', 'ap-southeast', 'loc_101', 'us-east', 'eu-west'] as const;
    expect(ids.toSorted(compareRegions)).toEqual([...BUILT_IN_REGION_IDS, 'loc_101', 'loc_1000']);
  });
});

describe('the places of own regions', () => {
  it('have different IDs, in their order', () => {
    const ids = PLACES.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
    expect(ids.length).toBeGreaterThan(90);
  });

  it('are named with their country, unless the city is one', () => {
    expect(['sao-paulo', 'singapore', 'atlantis'].map(formatPlace)).toEqual([
      'São Paulo, Brazil',
      'Singapore',
      'atlantis',
    ]);
  });
});
