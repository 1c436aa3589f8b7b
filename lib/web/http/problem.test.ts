import { describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { problemResponse } from './problem';

describe('an error that is not for the caller', () => {
  const respond = async (error: unknown) => {
    const response = problemResponse(error, 'request-1');
    const { error: reported } = await response.json();
    return { status: response.status, code: reported.code, retryAfter: response.headers.get('retry-after') };
  };

  it.each<[string, unknown]>([
    ['that refuses connections', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['that is starting', Object.assign(new Error('the database system is starting up'), { code: '57P03' })],
    ['that does not respond', new Error('timeout exceeded when trying to connect')],
    ['below Prisma', { name: 'PrismaClientKnownRequestError', cause: { kind: 'ConnectionClosed' } }],
  ])('is 503 if it is from a database %s', async (_, error) => {
    expect(await respond(error)).toEqual({ status: 503, code: 'UNAVAILABLE', retryAfter: '5' });
  });

  it.each<[string, unknown]>([
    ['a mistake of ours', new TypeError('x is not a function')],
    ['a statement that PostgreSQL rejects', Object.assign(new Error('no such column'), { code: '42703' })],
    ['something else', 'text'],
  ])('is 500 if it is %s', async (_, error) => {
    expect(await respond(error)).toEqual({ status: 500, code: 'INTERNAL_ERROR', retryAfter: null });
  });

  it('is reported as it is if it is for the caller', async () => {
    expect(await respond(new DomainError('CONFLICT', 'Changed.'))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
  });
});
