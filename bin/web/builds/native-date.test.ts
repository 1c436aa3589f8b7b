import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { restoreDate } from './native-date';

it('undoes that Next replaces Date', () => {
  const NativeDate = Date;
  createRequire(import.meta.url)('next/dist/server/node-environment');
  expect(Date, 'if Next no longer replaces it, nothing needs to be restored').not.toBe(NativeDate);
  restoreDate();
  expect([Date, new Date(0).constructor]).toEqual([NativeDate, NativeDate]);
});
