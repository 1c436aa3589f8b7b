import { afterEach, expect, it, vi } from 'vitest';
import { patience, withPatience } from './patience.mjs';

afterEach(() => vi.unstubAllEnvs());

it('patience scales by one factor, which is generous where nothing measured it', () => {
  const patienceAt = (factor: string) => {
    vi.stubEnv('TEST_PATIENCE', factor);
    return patience(1000);
  };
  expect(['1', '2.5', '', '0', 'slow', 'Infinity'].map(patienceAt)).toEqual([
    1000, 2500, 3000, 3000, 3000, 3000,
  ]);
});

it('a run measures the factor once, says so, and hands it on', async () => {
  const said = vi.spyOn(console, 'log').mockReturnValue(undefined);
  const environment = await withPatience({ NODE_ENV: 'test' });
  expect(Number(environment.TEST_PATIENCE)).toBeGreaterThanOrEqual(1);
  expect(said.mock.calls).toEqual([
    [expect.stringContaining(`Patience × ${environment.TEST_PATIENCE}: how much slower`)],
  ]);
  expect(await withPatience(environment)).toBe(environment);
  expect(said).toHaveBeenCalledTimes(1);
});
