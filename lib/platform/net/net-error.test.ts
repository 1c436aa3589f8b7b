import { expect, it } from 'vitest';
import { BlockedTargetError, createProgress, errorCode, formatPeer, NetError } from './net-error';

it('an error carries its code and its cause, and no progress until an exchange sets it', () => {
  const cause = new Error('ECONNREFUSED');
  const error = new NetError('connect', 'connection refused', { cause });
  expect(error).toMatchObject({ name: 'NetError', code: 'connect', message: 'connection refused', cause });
  expect(error.progress).toBeNull();
});

it('a blocked target is an error that does not name the address', () => {
  expect(new BlockedTargetError()).toMatchObject({
    name: 'BlockedTargetError',
    code: 'blocked',
    message: 'this target address is not allowed',
  });
});

it('an exchange begins with nothing reached', () => {
  const { timings, ...rest } = createProgress();
  expect(Object.keys(timings)).toEqual(['dns', 'connect', 'tls', 'firstByte', 'transfer']);
  expect(new Set([...Object.values(timings), ...Object.values(rest)])).toEqual(new Set([null]));
});

it.each([
  [Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [Object.assign(new Error('refused'), { code: 111 }), ''],
  [new Error('refused'), ''],
  [{ code: 'ECONNREFUSED' }, ''],
  [null, ''],
])('the code of %j is %j', (error, code) => {
  expect(errorCode(error)).toBe(code);
});

it('an IPv6 address stands in brackets before a port', () => {
  expect([formatPeer('10.0.0.5', 443), formatPeer('::1', 80)]).toEqual(['10.0.0.5:443', '[::1]:80']);
});
