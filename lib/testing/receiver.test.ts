import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from './receiver';

describe('a receiver', () => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const send = (event: string, body: string) =>
    fetch(`${receiver.url}/hook?x=1`, { method: 'POST', headers: { 'x-service-event': event }, body });

  it('keeps every request with its exact body', async () => {
    const body = '{"text": "ä  \\u00e4"}\n';
    await send('monitor.down', body);
    expect(receiver.requests).toMatchObject([{ method: 'POST', path: '/hook?x=1', body }]);
    expect(receiver.requests[0]?.headers['x-service-event']).toBe('monitor.down');
  });

  it('responds with the given status', async () => {
    receiver.respondWith(503);
    expect((await send('monitor.down', '')).status).toBe(503);
    receiver.respondWith(204);
    expect((await send('monitor.down', '')).status).toBe(204);
  });

  it('finds a past request and a future one', async () => {
    await send('monitor.down', 'first');
    const isUp = receiver.waitFor(({ headers }) => headers['x-service-event'] === 'monitor.up');
    await send('monitor.up', 'second');
    expect((await receiver.waitFor(({ body }) => body === 'first')).body).toBe('first');
    expect((await isUp).body).toBe('second');
  });

  it('lists what it received if the expected request does not arrive', async () => {
    await send('monitor.down', '');
    await expect(receiver.waitFor(() => false, 10)).rejects.toThrow(
      'no such request within 10 ms; received: monitor.down',
    );
  });
});
