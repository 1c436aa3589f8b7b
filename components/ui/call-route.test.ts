import { afterEach, expect, it, vi } from 'vitest';
import { callRoute } from './call-route';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Has the first request refused by a limit for seven seconds, and counts the requests. */
function refuseFirst() {
  vi.useFakeTimers();
  let requests = 0;
  vi.stubGlobal('fetch', async () => {
    requests += 1;
    if (requests > 1) return Response.json({ ok: true, value: 'tried' });
    const refusal = { ok: false, message: 'Too many requests.', errors: {} };
    return Response.json(refusal, { status: 429, headers: { 'Retry-After': '7' } });
  });
  return () => requests;
}

it('one of many requests waits for as long as a limit says, and is sent again', async () => {
  const countRequests = refuseFirst();
  const result = callRoute('/any', {}, new AbortController().signal, { isOneOfMany: true });
  await vi.advanceTimersByTimeAsync(6900);
  expect(countRequests()).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await result).toEqual({ ok: true, value: 'tried' });
});

it('a single request shows that it was refused', async () => {
  refuseFirst();
  const result = await callRoute('/any', {}, new AbortController().signal);
  expect(result).toMatchObject({ ok: false, message: 'Too many requests.' });
});

it('no request is sent again once the page is left', async () => {
  const countRequests = refuseFirst();
  const controller = new AbortController();
  const result = callRoute('/any', {}, controller.signal, { isOneOfMany: true });
  await vi.advanceTimersByTimeAsync(10);
  controller.abort();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await result).toMatchObject({ ok: false });
  expect(countRequests()).toBe(1);
});
