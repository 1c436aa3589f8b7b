import { setImmediate as later } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { currentRequest, noteCaller, runInRequest, runOutsideRequests } from './request-context';

it('everything that follows from a request belongs to it, and to no other', async () => {
  const handle = (requestId: string) =>
    runInRequest({ requestId }, async () => {
      await later();
      noteCaller({ organizationId: `org_of_${requestId}` });
      await later();
      return [currentRequest(), runOutsideRequests(currentRequest)];
    });
  expect(await Promise.all([handle('first'), handle('second')])).toEqual([
    [{ requestId: 'first', organizationId: 'org_of_first' }, undefined],
    [{ requestId: 'second', organizationId: 'org_of_second' }, undefined],
  ]);
  expect(currentRequest()).toBeUndefined();
});
