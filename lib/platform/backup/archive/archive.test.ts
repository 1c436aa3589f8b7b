import { randomBytes } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { readArchive, writeArchive } from './archive';
import type { BackupRecord, Manifest } from './records';

const PASSPHRASE = 'correct horse battery staple';
/** The least that is accepted: dozens of keys are derived here. */
const KEY_COST = 2 ** 14;
const MANIFEST: Manifest = {
  createdAt: '2026-03-01T12:00:00.000Z',
  version: '0.1.0',
  postgres: 18,
  migrations: ['20261128000000_first_release'],
  keyChecks: [],
  keys: null,
  tables: [{ name: 'public.monitor', partition: null, columns: ['id'], bytes: 8192 }],
};

/** Enough incompressible rows for several chunks. */
const RECORDS: BackupRecord[] = [
  { kind: 'manifest', value: MANIFEST },
  ...Array.from({ length: 8 }, () => ({ kind: 'data' as const, value: randomBytes(30_000) })),
  { kind: 'sum', value: { name: 'public.monitor', rows: 1, digest: 'x' } },
  { kind: 'end', value: { tables: [], sequences: [{ name: 'public.monitor_number_seq', last: '7' }] } },
];

async function write(
  records: Iterable<BackupRecord>,
  passphrase: string | null,
  cost: { keyCost?: number } = { keyCost: KEY_COST },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const options = { passphrase, ...cost, createdAt: new Date(MANIFEST.createdAt), version: '0.1.0' };
  await writeArchive(toAsync(records), destination, options);
  return Buffer.concat(chunks);
}

async function* toAsync(records: Iterable<BackupRecord>): AsyncGenerator<BackupRecord> {
  yield* records;
}

async function read(
  archive: Buffer,
  passphrase: string | null,
  pieceBytes = 10_000,
): Promise<BackupRecord[]> {
  const pieces = Array.from({ length: Math.ceil(archive.length / pieceBytes) }, (_, place) =>
    archive.subarray(place * pieceBytes, (place + 1) * pieceBytes),
  );
  const { records } = await readArchive(Readable.from(pieces), passphrase);
  const read: BackupRecord[] = [];
  for await (const record of records) read.push(record);
  return read;
}

/** Records with their data as text: comparing buffers byte by byte takes seconds. */
const readable = (records: BackupRecord[]) =>
  records.map((record) => (record.kind === 'data' ? record.value.toString('base64') : record));

describe.each([
  { name: 'an encrypted archive', passphrase: PASSPHRASE },
  { name: 'an unencrypted archive', passphrase: null },
])('$name', ({ passphrase }) => {
  let archive: Buffer;
  beforeAll(async () => {
    archive = await write(RECORDS, passphrase);
  });

  it('returns what was written, in whatever pieces it arrives', async () => {
    for (const pieceBytes of [10_000, 71, archive.length]) {
      const records = await read(archive, passphrase, pieceBytes);
      expect(readable(records), String(pieceBytes)).toEqual(readable(RECORDS));
    }
  });

  it('is refused wherever it was cut off', async () => {
    for (const length of [archive.length - 1, archive.length - 17, archive.length - 70_000, 150_000, 600]) {
      await expect(read(archive.subarray(0, length), passphrase), String(length)).rejects.toThrow(
        'the backup is incomplete: its end is missing',
      );
    }
  });

  it('is refused whichever byte was changed', async () => {
    const start = archive.indexOf('\n', 20) + 1;
    for (const at of [start, start + 4, start + 100, 70_000, 200_000, archive.length - 1]) {
      const altered = Buffer.from(archive);
      altered.writeUInt8((archive[at] ?? 0) ^ 1, at);
      await expect(read(altered, passphrase), String(at)).rejects.toThrow(/damaged|incomplete/);
    }
  });

  it('is refused if its date was changed', async () => {
    const altered = Buffer.from(archive.toString('latin1').replace('2026-03-01', '2026-03-02'), 'latin1');
    await expect(read(altered, passphrase)).rejects.toThrow('damaged');
  });

  it('is refused if something follows, or a chunk was left out or moved', async () => {
    await expect(read(Buffer.concat([archive, Buffer.from('x')]), passphrase)).rejects.toThrow('damaged');
    const start = archive.indexOf('\n', 20) + 1;
    const size = 4 + 64 * 1024 + 16;
    const [first, second] = [0, 1].map((place) =>
      archive.subarray(start + place * size, start + (place + 1) * size),
    );
    const [head, rest] = [archive.subarray(0, start), archive.subarray(start + 2 * size)];
    if (!first || !second) throw new Error('the archive is too short');
    for (const chunks of [[second], [second, first], [first, first]]) {
      await expect(read(Buffer.concat([head, ...chunks, rest]), passphrase)).rejects.toThrow('damaged');
    }
  });
});

it('an encrypted archive needs its passphrase, and contains nothing readable but its date and version', async () => {
  const archive = await write(RECORDS, PASSPHRASE);
  await expect(read(archive, null)).rejects.toThrow('the backup is encrypted: set BACKUP_PASSPHRASE');
  await expect(read(archive, 'wrong')).rejects.toThrow('the passphrase is not the one');
  const { header } = await readArchive(Readable.from([archive]), PASSPHRASE);
  expect(header).toMatchObject({ createdAt: MANIFEST.createdAt, version: '0.1.0' });
  const again = await write(RECORDS, PASSPHRASE, {});
  expect(again.toString('latin1'), 'guessing takes half a second').toContain('"cost":131072');
  expect(again.subarray(-64)).not.toEqual(archive.subarray(-64));
});

it.each([
  ['an empty file', '', 'is not a backup of Pharos'],
  ['another file', '-- PostgreSQL database dump\n', 'is not a backup of Pharos'],
  ['a later format', 'PHAROS BACKUP 2\n{}\n', 'a newer version of Pharos wrote it'],
  ['a header that demands too much memory', `PHAROS BACKUP 1\n${costly()}\n`, 'cannot be read'],
])('%s is refused', async (_, content, message) => {
  await expect(read(Buffer.from(content), PASSPHRASE)).rejects.toThrow(message);
});

function costly(): string {
  const encryption = {
    cipher: 'aes-256-gcm',
    kdf: 'scrypt',
    cost: 2 ** 30,
    blockSize: 8,
    salt: '',
    check: '',
  };
  return JSON.stringify({ createdAt: MANIFEST.createdAt, version: '0.1.0', encryption });
}

it('the first failure of a source or destination ends the writing', async () => {
  const failing = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) });
  const options = { passphrase: null, createdAt: new Date(), version: '0.1.0' };
  await expect(writeArchive(toAsync(RECORDS), failing, options)).rejects.toThrow('disk full');
  async function* broken(): AsyncGenerator<BackupRecord> {
    yield { kind: 'manifest', value: MANIFEST };
    throw new Error('connection lost');
  }
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  await expect(writeArchive(broken(), sink, options)).rejects.toThrow('connection lost');
});
