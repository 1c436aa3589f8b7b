import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createEngineMetrics } from '@/lib/engine/metrics/engine-metrics';
import { registerServiceMetrics } from '@/lib/engine/metrics/service-metrics';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';

const database = useTestDatabase();
const path = fileURLToPath(new URL('../../docs/deploy/prometheus-alerts.yml', import.meta.url));
const rules = z
  .object({
    groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
  })
  .parse(parse(readFileSync(path, 'utf8')))
  .groups.flatMap((group) => group.rules);
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

it('every metric in an alert rule exists', async () => {
  const registry = new Registry();
  createEngineMetrics(registry).watch({
    recording: () => ({ pending: 0, oldestMs: null }),
    freeCheckSlots: () => 1,
  });
  const health = { read: async () => ({ status: 'ok' as const, parts: [] }) };
  const services = createTestServices({ db: database.db });
  registerServiceMetrics(registry, { services, health, hasMonitors: false });
  const known = registry.getMetricsAsArray().map(({ name }) => name);
  const used = rules.flatMap(({ expr }) => expr.match(/pharos_\w+/g) ?? []);
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((name) => !known.includes(name.replace(/_bucket$/, '')))).toEqual([]);
});

it.skipIf(!hasPromtool)('Prometheus accepts the rules (skipped where promtool is not installed)', () => {
  const { status, stdout } = spawnSync('promtool', ['check', 'rules', path], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
});
