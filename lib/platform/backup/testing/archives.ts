import { Readable, Writable } from 'node:stream';
import { readArchive, writeArchive } from '../archive/archive';
import { readSections, type Sections } from '../archive/read-sections';
import { readSnapshot, type SnapshotOptions } from '../snapshot/read-snapshot';

const NOW = new Date('2026-03-02T00:00:00Z');

/** An archive of the database at `url`, in memory. */
export async function archiveOf(
  url: string,
  { passphrase = null, ...options }: Partial<SnapshotOptions> & { passphrase?: string | null } = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const snapshot = readSnapshot(url, { version: '0.1.0', now: NOW, ...options });
  await writeArchive(snapshot, destination, { passphrase, createdAt: NOW, version: '0.1.0' });
  return Buffer.concat(chunks);
}

/** The sections of an archive in memory. */
export async function sectionsOf(archive: Buffer, passphrase: string | null = null): Promise<Sections> {
  const { records } = await readArchive(Readable.from([archive]), passphrase);
  return readSections(records);
}
