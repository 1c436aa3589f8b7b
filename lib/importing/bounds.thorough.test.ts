import { describe, expect, it } from 'vitest';
import { MAX_ITEMS } from '.';
import { importText, onlyItem } from './testing/import-text';

describe('an import', () => {
  it('takes 10,000 lines', async () => {
    const { items } = await importText(
      'csv',
      Array.from({ length: MAX_ITEMS }, () => 'a.example.com').join('\n'),
    );
    expect(new Set(items.map(({ monitor }) => monitor?.ref)).size).toBe(MAX_ITEMS);
  });

  it('reads a map of 200,000 keys in seconds', async () => {
    const keys = Array.from({ length: 200_000 }, (_, n) => `k${n}: a`).join('\n');
    const text = `endpoints: [{name: a, url: "https://a.example.com/"}]\n${keys}`;
    expect(onlyItem(await importText('gatus', text)).reason).toBeNull();
  });
});
