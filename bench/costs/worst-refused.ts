import { fillEach } from '@/app/api/testing/fixtures';
import { pngChunk, pngImage } from '@/lib/core/images/testing/samples';
import type { ApiOperation } from './read-operations';
import type { CostsWorld } from './world';
import { type CostRequest, withBody, withFile } from './worst-requests';

const MEGABYTE = 1024 * 1024 - 200;
const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;

/** A request that is refused, and what is wrong with it. */
export type Refused = { name: string; request: CostRequest };

/** Bodies of up to 2 MB that no operation accepts. */
const HOSTILE: Record<string, () => string> = {
  '9,000 unknown keys': () => keys(9000),
  '80,000 unknown keys': () => keys(80_000),
  '340,000 arrays': () => `[${Array(340_000).fill('[]').join()}]`,
  '500,000 levels': () => '['.repeat(500_000),
  'a key of 1 MiB': () => `{"${'a'.repeat(MEGABYTE)}":1}`,
  '2 MB': () => JSON.stringify('é'.repeat(1_000_000 - 2)),
};

/** It comes from memory, whatever is added to its query. */
const DOCUMENT = '/openapi.json';

/** Requests to an operation that are refused at different times, derived from the worst one that it accepts. */
export function worstRefused(operation: ApiOperation, legal: CostRequest, world: CostsWorld): Refused[] {
  const { method, path } = legal;
  const other = { ...legal, body: undefined, file: undefined };
  const refused: Refused[] = [
    { name: 'no key', request: { ...legal, headers: { ...legal.headers, authorization: '' } } },
  ];
  if (operation.path !== DOCUMENT) {
    const crowded = `${path.split('?')[0]}?${'a&'.repeat(7000)}`;
    refused.push({ name: '7,000 parameters', request: { ...other, path: crowded } });
  }
  if (operation.path.includes('{')) {
    const unknown = `/api${fillEach(operation.path, 'x'.repeat(3000))}`;
    refused.push({ name: 'an ID of 3,000 characters', request: { ...legal, path: unknown } });
  }
  if (method !== 'GET' && !operation.isPublic) {
    const authorization = `Bearer ${world.readKey}`;
    refused.push({ name: 'a read key', request: { ...legal, headers: { ...legal.headers, authorization } } });
  }
  if (legal.file !== undefined) {
    const chunks = Array.from({ length: 21_000 }, () => pngChunk('teXt'));
    const small = { width: 2, height: 2 };
    refused.push(
      { name: 'a truncated image', request: withFile(legal, legal.file.subarray(0, -1)) },
      {
        name: '21,000 chunks, and frames',
        request: withFile(legal, pngImage(small, [...chunks, pngChunk('acTL')])),
      },
      { name: 'a file of 1 MB', request: withFile(legal, Buffer.alloc(1_000_000)) },
    );
  }
  if (legal.body === undefined) return operation.isPublic ? refused.slice(1) : refused;
  refused.push({ name: 'an unknown key', request: withBody(legal, `${legal.body.slice(0, -1)},"x":1}`) });
  for (const [name, write] of Object.entries(HOSTILE))
    refused.push({ name, request: withBody(legal, write()) });
  return refused;
}
