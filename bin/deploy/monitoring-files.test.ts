import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { registerPageCacheMetrics } from '@/bin/web/metrics/page-cache-metrics';
import { countRequests } from '@/bin/web/metrics/request-metrics';
import { systemClock } from '@/lib/core/time/clock';
import { createEngineMetrics } from '@/lib/engine/metrics/engine-metrics';
import { registerServiceMetrics } from '@/lib/engine/metrics/service-metrics';
import { createProcessRegistry } from '@/lib/platform/metrics/process-registry';
import { PageCache } from '@/lib/platform/page-front';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestServices } from '@/lib/testing/services';

const database = useTestDatabase();
const pathOf = (name: string) => fileURLToPath(new URL(`../../docs/deploy/${name}`, import.meta.url));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

const rules = z
  .object({
    groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
  })
  .parse(parse(readFileSync(pathOf('prometheus-alerts.yml'), 'utf8')))
  .groups.flatMap((group) => group.rules);

const gridPos = z.object({ h: z.int(), w: z.int(), x: z.int(), y: z.int() });
const target = z.object({ expr: z.string(), legendFormat: z.string() });
const { panels } = z
  .object({
    panels: z.array(
      z.object({ id: z.int(), title: z.string(), gridPos, targets: z.array(target).default([]) }),
    ),
  })
  .parse(JSON.parse(readFileSync(pathOf('grafana-dashboard.json'), 'utf8')));

/** The names of all metrics of web and workers. */
function listMetrics(): string[] {
  const registry = createProcessRegistry('web', () => []);
  createEngineMetrics(registry).watch({
    recording: () => ({ pending: 0, oldestMs: null }),
    freeCheckSlots: () => 1,
    suspensions: { count: () => 0, stalls: () => 0 },
  });
  countRequests(registry, () => undefined);
  registerPageCacheMetrics(registry, new PageCache({ clock: systemClock, maxBytes: 1 }));
  const health = { read: async () => ({ status: 'ok' as const, parts: [] }) };
  const services = createTestServices({ db: database.db });
  registerServiceMetrics(registry, { services, health, hasMonitors: false, migrations: [] });
  return registry.getMetricsAsArray().map(({ name }) => name);
}

describe.each([
  ['an alert rule', rules.map(({ expr }) => expr)],
  ['a panel of the Grafana dashboard', panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))],
])('%s', (_, expressions) => {
  it('uses only metrics that exist', () => {
    const known = listMetrics();
    const used = expressions.flatMap((expr) => expr.match(/\b(pharos|process|nodejs)_\w+/g) ?? []);
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !known.includes(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([]);
  });

  it.skipIf(!hasPromtool)('is accepted by Prometheus (skipped where promtool is not installed)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pharos-rules-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const rules = expressions.map((expr, index) => ({
      record: `pharos_test:${index}`,
      // Grafana replaces its own variable with a duration.
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    // Every JSON document is a YAML document.
    writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups: [{ name: 'test', rules }] }));
    const { status, stdout } = spawnSync('promtool', ['check', 'rules', join(folder, 'rules.yml')], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining(`${expressions.length} rules found`)]);
  });
});

it.skipIf(!hasPromtool)('Prometheus accepts the file of alert rules as it is', () => {
  const { status, stdout } = spawnSync('promtool', ['check', 'rules', pathOf('prometheus-alerts.yml')], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
});

it('the panels of the Grafana dashboard have unique IDs, and do not overlap', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
});
