import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseUrl } from '@/lib/core/parse-url';
import { literalAddress } from './target-policy';

it('takes for an address what the URL parser does, twice the same', () => {
  const pieces = ['.', '1', '127', '256', '0x7f', '0X', 'a', 'a1', '1a', 'xn--', '-', '_', '２', '。', '%31'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }), (chosen) => {
      const host = chosen.join('');
      const parsed = parseUrl(`http://${host}`)?.hostname ?? '';
      const address = isIPv4(parsed) ? parsed : null;
      expect([literalAddress(host), literalAddress(host)], host).toEqual([address, address]);
    }),
    { numRuns: 2000 },
  );
});
