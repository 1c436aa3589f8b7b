import { beforeAll, describe, expect, it } from 'vitest';
import { type ImportPlan, readImport } from '@/lib/importing';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createKumaDatabase } from '../testing/create-kuma-database';
import { unset } from '../testing/import-text';
import { kumaTables, SECRET, SUPPORTED, UNSUPPORTED } from '../testing/kuma-monitors';
import { FIELDS } from './fields';

describe('a kuma.db of Uptime Kuma 2.x with 200 monitors of all types', () => {
  let plan: ImportPlan;

  beforeAll(async () => {
    plan = await readImport('uptime-kuma', await createKumaDatabase(kumaTables()));
  });

  /** The case that a monitor of the file was made from. */
  const kinds = [...SUPPORTED, ...UNSUPPORTED];
  const caseOf = (index: number) => kinds[index % kinds.length];

  it('has an item for each monitor, in their order', () => {
    expect(plan.items.map(({ name }) => name)).toEqual(
      Array.from({ length: 200 }, (_, index) => `Monitor ${index + 1}`),
    );
  });

  it('has a valid monitor for each that is supported, with its target', () => {
    const wrong = plan.items.flatMap(({ name, kind, monitor, reason }, index) => {
      const expected = caseOf(index);
      if (expected === undefined || !('url' in expected)) return [];
      const isRight = monitor?.type === expected.type && monitor.url === expected.url && reason === null;
      return isRight && createMonitorSchema.safeParse(monitor).success
        ? []
        : [{ name, kind, monitor, reason }];
    });
    expect(wrong).toEqual([]);
  });

  it('says of each other one why not, and what to do instead', () => {
    const wrong = plan.items.flatMap(({ kind, monitor, reason, changes }, index) => {
      const expected = caseOf(index);
      if (expected === undefined || 'url' in expected) return [];
      return monitor === null && changes.length === 0 && expected.reason.test(reason ?? '')
        ? []
        : [{ kind, reason }];
    });
    expect(wrong).toEqual([]);
  });

  it('mentions no secret outside the monitors', () => {
    const shown = plan.items.map(({ name, kind, changes, reason }) => ({ name, kind, changes, reason }));
    expect(JSON.stringify({ shown, notes: plan.notes })).not.toContain(SECRET);
    expect(JSON.stringify(plan.items.map(({ monitor }) => monitor?.headers))).toContain(SECRET);
  });

  it('has refs that are unique and derived from the IDs', () => {
    const refs = plan.items.flatMap(({ monitor }) => monitor?.ref ?? []);
    expect(new Set(refs).size).toBe(refs.length);
    expect(refs[0]).toBe('uptime-kuma-1');
  });

  it('counts what else the file has', () => {
    expect(plan.notes).toEqual([
      '1 notification setting is not imported.',
      '1 status page is not imported.',
      '2 maintenance windows are not imported.',
      '1 proxy is not imported.',
      '1 Docker host is not imported.',
    ]);
  });

  it('ends in full sentences', () => {
    const sentences = plan.items.flatMap(({ changes, reason }) => [
      ...changes,
      ...(reason === null ? [] : [reason]),
    ]);
    expect([...new Set(sentences)].filter((sentence) => !/^[A-Z].*[.]$/.test(sentence))).toEqual([]);
  });
});

describe('a kuma.db of Uptime Kuma 1.23', () => {
  it('is read although columns are missing', async () => {
    const row = { name: 'Shop', type: 'http', url: 'https://shop.example.com/', interval: 60, timeout: 48 };
    const { items } = await readImport('uptime-kuma', await createKumaDatabase({ monitor: [row] }, 1));
    expect(items).toEqual([
      {
        name: 'Shop',
        kind: 'http',
        reason: null,
        changes: ['Certificate notifications 21, 14 and 7 days before expiry become a warning from 21 days.'],
        monitor: {
          ...unset(FIELDS, 'http'),
          name: 'Shop',
          ref: 'uptime-kuma-1',
          type: 'http',
          url: 'https://shop.example.com/',
          method: 'GET',
          assertions: [{ source: 'status', property: null, comparison: 'oneOf', target: ['2xx'] }],
          followRedirects: true,
          maxRedirects: 10,
          tlsVerify: true,
          tlsExpiryDays: 21,
          interval: 60,
          timeout: 48,
          alertThreshold: 1,
          recoveryThreshold: 1,
          enabled: true,
        },
      },
    ]);
  });
});
