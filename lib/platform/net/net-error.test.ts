import { describe, expect, it } from 'vitest';
import {
  BlockedTargetError,
  createProgress,
  DeadlineError,
  errorCode,
  formatPeer,
  inPhase,
  isClosedByPeer,
  isFromPeer,
  isNetworkLost,
  NetError,
  type NetErrorCode,
} from './net-error';

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

it('the end of a deadline is a timeout that names its phase, and any other error stays as it is', () => {
  const late = new DeadlineError('no response', 10_000);
  expect(late).toMatchObject({
    name: 'DeadlineError',
    code: 'timeout',
    message: 'no response within 10s',
    within: '10s',
  });
  const named = inPhase(late, ({ within }) => `no connection within ${within}`);
  expect(named).toBeInstanceOf(NetError);
  expect(named).toMatchObject({ code: 'timeout', message: 'no connection within 10s', cause: late });
  const other = new NetError('timeout', 'no response');
  expect(inPhase(other, () => 'no connection')).toBe(other);
});

describe('who is to blame for a lost connection', () => {
  /** An error with the code of its cause; null: without a cause. */
  const failed = (code: NetErrorCode, cause: string | null) => {
    const options = cause === null ? {} : { cause: Object.assign(new Error(cause), { code: cause }) };
    return new NetError(code, 'failed', options);
  };

  it.each<[NetErrorCode, string | null, { isFromPeer: boolean; isClosed: boolean; isLost: boolean }]>([
    ['connect', 'ECONNREFUSED', { isFromPeer: true, isClosed: false, isLost: false }],
    ['connect', 'ECONNRESET', { isFromPeer: true, isClosed: false, isLost: false }],
    ['connection_lost', 'ECONNRESET', { isFromPeer: true, isClosed: true, isLost: false }],
    ['connection_lost', 'EPIPE', { isFromPeer: false, isClosed: true, isLost: false }],
    // It ended without an error.
    ['connection_lost', null, { isFromPeer: false, isClosed: true, isLost: false }],
    ['connection_lost', 'ETIMEDOUT', { isFromPeer: false, isClosed: false, isLost: true }],
    ['connect', 'EHOSTUNREACH', { isFromPeer: false, isClosed: false, isLost: true }],
    ['connect', 'ENETUNREACH', { isFromPeer: false, isClosed: false, isLost: true }],
    ['connect', 'ENETDOWN', { isFromPeer: false, isClosed: false, isLost: true }],
    ['timeout', null, { isFromPeer: false, isClosed: false, isLost: false }],
  ])('%s with %s: %j', (code, cause, expected) => {
    const error = failed(code, cause);
    expect({
      isFromPeer: isFromPeer(error),
      isClosed: isClosedByPeer(error),
      isLost: isNetworkLost(error),
    }).toEqual(expected);
  });

  it.each(['ECONNRESET', 'ETIMEDOUT'])('an error of anything else with %s is nobody’s', (code) => {
    const cause = Object.assign(new Error(code), { code });
    const error = Object.assign(new Error('failed', { cause }), { code: 'connection_lost' });
    expect([isFromPeer(error), isClosedByPeer(error), isNetworkLost(error)]).toEqual([false, false, false]);
  });
});
