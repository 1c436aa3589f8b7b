import { describe, expect, it } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { makeDriver } from './testing/harness';

describe('what cannot be honoured is refused when the driver is made', () => {
  it.each<[string, object, string]>([
    ['an if expression', { triggers: { event: 'a', if: 'event.data.x > 1' } }, '"if" expression'],
    ['a pattern of events', { triggers: { event: 'app/*' } }, '"app/*"'],
    ['a cron with seconds', { triggers: { cron: '* * * * * *' } }, 'five fields'],
    ['a cron in a time zone', { triggers: { cron: 'TZ=Europe/Berlin 0 9 * * *' } }, 'five fields'],
    ['no trigger', { triggers: [] }, 'no trigger'],
    [
      'a key that is more than a path',
      { concurrency: { limit: 1, key: 'event.data.a + "x"' } },
      'concurrency key',
    ],
    ['a limit over all functions', { concurrency: { limit: 1, scope: 'account' } }, 'scope "account"'],
    ['batchEvents', { batchEvents: { maxSize: 2, timeout: '1s' } }, '"batchEvents"'],
    ['debounce', { debounce: { period: '1s' } }, '"debounce"'],
    ['throttle', { throttle: { limit: 1, period: '1s' } }, '"throttle"'],
    ['rateLimit', { rateLimit: { limit: 1, period: '1s' } }, '"rateLimit"'],
    ['cancelOn', { cancelOn: [{ event: 'b' }] }, '"cancelOn"'],
    ['idempotency', { idempotency: 'event.data.x' }, '"idempotency"'],
    ['a singleton that cancels', { singleton: { mode: 'cancel' } }, 'mode "cancel"'],
  ])('%s', (_, options, words) => {
    const make = () =>
      makeDriver((client) => [
        client.createFunction({ id: 'fine', triggers: { event: 'a' } }, () => {}),
        client.createFunction({ id: 'bad', triggers: { event: 'a' }, ...options }, () => {}),
      ]);
    expect(make).toThrow(StartupError);
    expect(make).toThrow('bad: ');
    expect(make).toThrow(`bad: `);
    expect(make).toThrow(words);
  });
});
