import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSource } from 'oazapfts';

/**
 * The source of a client of the whole document, with the generator oazapfts: tests drive it, so that the document is one from
 * which generators create clients that work.
 * @param {import('./read-document.mjs').OpenApiDocument} document
 * @returns {Promise<string>}
 */
export async function generateSecondClient(document) {
  // The generator reads files.
  const folder = await mkdtemp(join(tmpdir(), 'pharos-document-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    return await generateSource(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
