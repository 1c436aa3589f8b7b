import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pageQuery } from './query';

const pageSchema = z.strictObject(pageQuery);

describe('the parameters of a page', () => {
  it('default to 50 items from the start', () => {
    expect(pageSchema.parse({})).toEqual({ limit: 50 });
    expect(pageSchema.parse({ limit: '100' })).toEqual({ limit: 100 });
  });

  it.each(['0', '101', '1000', '-1', '1.5', ' 5', '', 'ten', ['1', '2']])('reject the limit %j', (limit) => {
    expect(pageSchema.safeParse({ limit }).error?.issues[0]?.path).toEqual(['limit']);
  });

  it.each(['', 'nonsense', ['a', 'b']])('reject the cursor %j', (cursor) => {
    expect(pageSchema.safeParse({ cursor }).error?.issues[0]?.path).toEqual(['cursor']);
  });
});
