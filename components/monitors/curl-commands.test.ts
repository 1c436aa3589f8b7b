import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { formatCurl } from './curl-commands';

it.each(['plain', "it's quoted", '$(id) `id` $HOME "x" \\ !', 'two\nlines', 'ünï • 日本'])(
  'passes a body with %j through a shell unchanged',
  (name) => {
    const body = { name, url: 'https://example.test/?a=1&b=2' };
    const command = formatCurl({ method: 'PUT', url: 'http://localhost:3000/api/monitors/mon_1', body });
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
      encoding: 'utf8',
    });
    const [x, method, url, , , , , d, sent = ''] = words.split('\0');
    expect([x, method, url, d]).toEqual(['-X', 'PUT', 'http://localhost:3000/api/monitors/mon_1', '-d']);
    expect(JSON.parse(sent)).toEqual(body);
  },
);
