import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '@/lib/testing/receiver';
import { createReleaseReader } from './latest-release';

/** A reader of a server that responds with `body`, where 0.9.1 runs. */
async function readFrom(body: unknown, status = 200) {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  receiver.respondWith(status, typeof body === 'string' ? body : JSON.stringify(body));
  const problems: string[] = [];
  const read = createReleaseReader({
    url: `${receiver.url}/releases/latest`,
    current: '0.9.1',
    userAgent: 'Pharos',
    onProblem: (reason) => problems.push(reason),
  });
  return { receiver, read, problems };
}

describe('the latest release', () => {
  it('is returned if it is newer, with its page', async () => {
    const page = 'https://example.com/releases/v0.10.0';
    const { read, receiver } = await readFrom({ tag_name: 'v0.10.0', html_url: page, body: 'Faster.' });
    expect(await read()).toEqual({ version: '0.10.0', url: page });
    expect(receiver.requests[0]).toMatchObject({ method: 'GET', path: '/releases/latest', body: '' });
  });

  it.each(['0.9.1', 'v0.9.0', 'v0.10.0-beta.1', 'nightly'])('is not mentioned if it is %s', async (tag) => {
    const { read, problems } = await readFrom({ tag_name: tag });
    expect(await read()).toBeNull();
    expect(problems).toEqual([]);
  });

  it('is read once a day, however many ask for it', async () => {
    const { read, receiver } = await readFrom({ tag_name: '1.0.0' });
    await Promise.all([read(), read(), read()]);
    expect(await read()).toEqual({ version: '1.0.0', url: null });
    expect(receiver.requests).toHaveLength(1);
  });

  it.each([
    ['an error', 'no', 404, 'responded with 404, expected 200'],
    ['another page', '<!doctype html>', 200, 'did not respond with a release: expected JSON with tag_name'],
    ['a dangerous link', { tag_name: '1.0.0', html_url: 'javascript:alert(1)' }, 200, 'did not respond with'],
  ])(
    'is unknown after %s, which is reported, and not read again at once',
    async (_, body, status, reason) => {
      const { read, receiver, problems } = await readFrom(body, status);
      expect(await read()).toBeNull();
      expect(await read()).toBeNull();
      expect(problems).toEqual([expect.stringContaining(reason)]);
      expect(receiver.requests).toHaveLength(1);
    },
  );
});
