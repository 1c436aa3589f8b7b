// Runs in a worker of the browser, so that a large or hostile file can be abandoned. The policy of its script permits no
// connections: the file does not leave the browser.
import { DomainError } from '@/lib/core/errors';
import { type ImportPlan, type ImportSource, readImport } from '@/lib/importing';

export type ReadRequest = { source: ImportSource; files: ArrayBuffer[] };
/** Null if reading failed for another reason than the file, which the console has. */
export type ReadResponse = { plan: ImportPlan } | { problem: string | null };

self.addEventListener('message', async ({ data }: MessageEvent<ReadRequest>) => {
  self.postMessage(await read(data));
});

async function read({ source, files }: ReadRequest): Promise<ReadResponse> {
  try {
    const bytes = files.map((file) => new Uint8Array(file));
    return { plan: await readImport(source, bytes) };
  } catch (error) {
    if (error instanceof DomainError) return { problem: error.message };
    reportError(error);
    return { problem: null };
  }
}
