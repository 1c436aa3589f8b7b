import { describe, expect, it } from 'vitest';
import {
  API_BODIES,
  FOLDED,
  JSON_TYPE,
  MAX_BLOCKED_MS,
  monitor,
  PAGE_BODIES,
  patterns,
  REPRESENTATIVE,
  watchLoop,
} from './testing/hostile-bodies';

const probe = watchLoop();
const withKey = () => ({ ...JSON_TYPE, authorization: `Bearer ${probe.apiKey}` });

describe('no body of up to 2 MB blocks the event loop', () => {
  it.each(API_BODIES.filter(([what]) => !REPRESENTATIVE.includes(what)))(
    '%s to POST /api%s',
    async (_, path, body) => {
      const result = await probe.measure({ path: `/api${path}`, body, headers: withKey() });
      expect(result.status).toBe(400);
      expect(result.blocked).toBeLessThan(MAX_BLOCKED_MS);
    },
  );

  it('5 monitors with 20 patterns of 160 folded classes each to POST /monitors/bulk', async () => {
    const monitors = Array(5)
      .fill(monitor(patterns(FOLDED, 20)))
      .join();
    const body = () => `{"monitors":[${monitors}]}`;
    const result = await probe.measure({ path: '/api/monitors/bulk', body, headers: withKey() });
    expect(result.status).toBe(200);
    expect(result.blocked).toBeLessThan(MAX_BLOCKED_MS);
  });

  it.each(['/api/monitors', '/setup', '/status/acme'])('7,000 parameters of GET %s', async (path) => {
    const { status, blocked } = await probe.measure({
      path: `${path}?${'a&'.repeat(7000)}`,
      method: 'GET',
      headers: { authorization: `Bearer ${probe.apiKey}` },
    });
    expect(status).toBe(400);
    expect(blocked).toBeLessThan(MAX_BLOCKED_MS);
  });

  it.each(PAGE_BODIES.filter(([what]) => !REPRESENTATIVE.includes(what)))(
    '%s to POST %s',
    async (_, path, body, headersOf) => {
      const { blocked, status } = await probe.measure({ path, body, headers: headersOf(probe) });
      expect(status, 'a response').toBeGreaterThan(0);
      expect(blocked).toBeLessThan(MAX_BLOCKED_MS);
    },
  );
});
