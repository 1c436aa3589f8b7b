import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StartupError } from '@/lib/core/errors';
import { readVariable } from '@/lib/env';

const MIB = 1024 * 1024;

/**
 * The bytes of a file, named from where the person is, or of standard input for `-`. Throws a StartupError if it cannot be read
 * or has more than `maxBytes`. `advice` completes the message for one that cannot be opened.
 */
export async function readInput(name: string, maxBytes: number, advice?: string): Promise<Buffer> {
  if (name === '-') return readBounded('standard input', process.stdin, maxBytes);
  const path = resolve(readVariable('INIT_CWD') ?? process.cwd(), name);
  const handle = await open(path).catch((error: Error) => {
    throw new StartupError([`cannot read ${path}: ${error.message}`, advice].filter(Boolean).join('; '));
  });
  try {
    if ((await handle.stat()).isDirectory()) throw new StartupError(`${path} is a folder; name a file`);
    return await readBounded(path, handle.createReadStream({ autoClose: false }), maxBytes);
  } finally {
    await handle.close();
  }
}

async function readBounded(
  name: string,
  stream: AsyncIterable<string | Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > maxBytes) throw new StartupError(`${name} is larger than ${maxBytes / MIB} MiB; split it`);
  }
  return Buffer.concat(chunks);
}
