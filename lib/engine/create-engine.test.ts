import { expect, it, onTestFinished } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';
import { createTestEngine } from './testing/test-engine';

const database = useTestDatabase();

it('an engine with checks in many regions is not taken for a leak of listeners', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const services = createTestServices({ db: database.db });
  const engine = createTestEngine(services);
  const regions = Array.from({ length: 20 }, (_, place) => `reg_${place}`);
  for (const region of regions) engine.startChecks(region);
  // Meanwhile, their loops go to sleep.
  await Promise.all(regions.map(engine.dueAt.checks));
  await engine.stop(1000);
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});
