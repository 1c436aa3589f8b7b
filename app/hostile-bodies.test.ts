import { describe, expect, it } from 'vitest';
import {
  API_BODIES,
  JSON_TYPE,
  MAX_BLOCKED_MS,
  PAGE_BODIES,
  REPRESENTATIVE,
  watchLoop,
} from './testing/hostile-bodies';

const probe = watchLoop();
const withKey = () => ({ ...JSON_TYPE, authorization: `Bearer ${probe.apiKey}` });

describe('no body of up to 2 MB blocks the event loop', () => {
  it.each(API_BODIES.filter(([what]) => REPRESENTATIVE.includes(what)))(
    '%s to POST /api%s',
    async (_, path, body) => {
      const result = await probe.measure({ path: `/api${path}`, body, headers: withKey() });
      expect(result.status).toBe(400);
      expect(result.blocked).toBeLessThan(MAX_BLOCKED_MS);
    },
  );

  it.each(PAGE_BODIES.filter(([what]) => REPRESENTATIVE.includes(what)))(
    '%s to POST %s',
    async (_, path, body, headersOf) => {
      const { blocked, status } = await probe.measure({ path, body, headers: headersOf(probe) });
      expect(status, 'a response').toBeGreaterThan(0);
      expect(blocked).toBeLessThan(MAX_BLOCKED_MS);
    },
  );
});
