import { describe, expect, it } from 'vitest';
import { createdBefore, NEWEST_FIRST, pageOfCreated } from './newest-first';

const at = new Date('2026-03-01T12:00:00.000Z');

describe('lists with the newest first', () => {
  it('are ordered by time, and by number within one time', () => {
    expect(NEWEST_FIRST).toEqual([{ createdAt: 'desc' }, { number: 'desc' }]);
  });

  it('continue right after their cursor', () => {
    expect(createdBefore({ at, tie: 7 })).toEqual({
      createdAt: { lte: at },
      OR: [{ createdAt: { lt: at } }, { number: { lt: 7 } }],
    });
  });

  it.each([null, undefined])('begin with the newest row if the cursor is %s', (cursor) => {
    expect(createdBefore(cursor)).toEqual({});
  });

  it('return items with the cursor of the next page, and none on the last page', () => {
    const rows = [9n, 8n, 7n].map((number) => ({ createdAt: at, number }));
    const serialize = ({ number }: { number: bigint }) => `inc_${number}`;
    expect(pageOfCreated(rows, 2, serialize)).toEqual({ items: ['inc_9', 'inc_8'], next: { at, tie: 8 } });
    expect(pageOfCreated(rows, 3, serialize)).toEqual({ items: ['inc_9', 'inc_8', 'inc_7'], next: null });
  });
});
