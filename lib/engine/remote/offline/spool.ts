import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { formatRecord, type LateRecord, parseRecord } from './late-record';
import type { Segment, SegmentFiles } from './segments';

/** The oldest results are given up by the segment: few enough bytes that most are kept. */
const SEGMENTS = 16;
/** A record takes about 400 bytes, and 2.5 KB with the longest message. */
const READ_BYTES = 256 * 1024;

/**
 * Continues with what an earlier process left. Keeps at most `maxBytes`, and gives up the oldest beyond. While the disk cannot be
 * written, keeps as many in memory instead, and logs that: nothing here ever rejects.
 */
export async function openSpool(files: SegmentFiles, options: Options): Promise<Spool> {
  const spool = new Spool(files, options);
  await spool.claim();
  return spool;
}

type Options = { maxBytes: number; log: Logger };

/** Late results in the order in which they are to be sent, on disk. */
export class Spool {
  readonly #files: SegmentFiles;
  readonly #maxBytes: number;
  readonly #log: Logger;
  #memory: string[] = [];
  #memoryBytes = 0;
  #gathered: string[] = [];
  #lost = 0;
  #failure: string | null = null;
  #isOwn = true;
  #segments: Segment[] = [];
  /** The one that is appended to: never one that an earlier process left, whose last line may be cut off. */
  #active: Segment | null = null;
  #created = 0;
  /** What the last `read` returned: of a segment, or of memory. */
  #taken: { segment: Segment | null; bytes: number; lines: number } | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(files: SegmentFiles, { maxBytes, log }: Options) {
    this.#files = files;
    this.#maxBytes = maxBytes;
    this.#log = log;
  }

  /** Takes the directory for this process, and continues with what an earlier one left there. */
  async claim(): Promise<void> {
    try {
      await this.#files.claim();
      this.#segments = await this.#files.list();
    } catch (error) {
      this.#noteFailure(error);
      this.#isOwn = false;
    }
    const numbers = this.#segments.map(({ name }) => Number.parseInt(name.replace(/\D/g, ''), 10));
    this.#created = Math.max(0, ...numbers);
  }

  /** One after the other: who writes a file is alone. */
  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const acting = this.#turn.then(act);
    this.#turn = acting.catch(() => 'the next one takes its turn');
    return acting;
  }

  readonly #noteFailure = (error: unknown): void => {
    const reason = describeError(error);
    if (reason !== this.#failure)
      this.#log.error({ error: reason }, 'cannot keep late results on disk; keeping them in memory');
    this.#failure = reason;
  };

  #giveUp(lines: number, why: string): void {
    if (lines === 0) return;
    this.#lost += lines;
    this.#log.error({ lost: lines }, why);
  }

  #sizeOnDisk(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #drop(segment: Segment): Promise<void> {
    this.#segments = this.#segments.filter((each) => each !== segment);
    if (segment === this.#active) this.#active = null;
    if (segment === this.#taken?.segment) this.#taken = null;
    await this.#files.remove(segment).catch(this.#noteFailure);
  }

  #keepInMemory(lines: readonly string[]): void {
    for (const line of lines) this.#memoryBytes += line.length;
    this.#memory.push(...lines);
    let dropped = 0;
    while (this.#memoryBytes > this.#maxBytes) this.#memoryBytes -= this.#memory[dropped++]?.length ?? 0;
    this.#memory = this.#memory.slice(dropped);
    if (this.#taken?.segment === null) this.#taken = null;
    this.#giveUp(dropped, 'too many late results; gave up the oldest');
  }

  async #write(lines: readonly string[]): Promise<void> {
    if (!this.#isOwn) return this.#keepInMemory(lines);
    const text = lines.join('');
    const bytes = Buffer.byteLength(text);
    try {
      if (this.#active === null || this.#active.bytes + bytes > this.#maxBytes / SEGMENTS) {
        this.#created += 1;
        this.#active = await this.#files.create(this.#created);
        this.#segments.push(this.#active);
      }
      await this.#files.append(this.#active, text);
      this.#active.bytes += bytes;
      this.#active.lines += lines.length;
      this.#failure = null;
    } catch (error) {
      this.#noteFailure(error);
      // A part of it may have been written.
      this.#active = null;
      this.#keepInMemory(lines);
    }
    for (
      let oldest = this.#segments[0];
      oldest && this.#sizeOnDisk() > this.#maxBytes;
      oldest = this.#segments[0]
    ) {
      this.#giveUp(oldest.lines, 'too many late results; gave up the oldest');
      await this.#drop(oldest);
    }
  }

  /** What is dealt with, or damaged. */
  async #advance(segment: Segment, { bytes, lines }: { bytes: number; lines: number }): Promise<void> {
    segment.read += bytes;
    segment.lines = Math.max(0, segment.lines - lines);
    if (segment.read >= segment.bytes && segment !== this.#active) await this.#drop(segment);
    else await this.#files.keepCursor(segment).catch(this.#noteFailure);
  }

  async #readNext(limit: number): Promise<LateRecord[]> {
    for (let segment = this.#segments[0]; segment; segment = this.#segments[0]) {
      if (segment.read >= segment.bytes) {
        if (segment === this.#active) break;
        await this.#drop(segment);
        continue;
      }
      const text = await this.#files.read(segment, READ_BYTES).catch(this.#noteFailure);
      if (text === undefined) {
        this.#giveUp(segment.lines, 'late results on disk cannot be read');
        await this.#drop(segment);
        continue;
      }
      const lines = text.split(/(?<=\n)/).slice(0, limit);
      const records = lines.flatMap((line) => parseRecord(Buffer.from(line, 'latin1').toString()) ?? []);
      const bytes = lines.reduce((sum, line) => sum + line.length, 0);
      this.#giveUp(lines.length - records.length, 'late results on disk were damaged');
      if (records.length > 0) {
        this.#taken = { segment, bytes, lines: lines.length };
        return records;
      }
      await this.#advance(segment, { bytes, lines: lines.length });
    }
    const lines = this.#memory.slice(0, limit);
    this.#taken = {
      segment: null,
      bytes: lines.reduce((sum, line) => sum + line.length, 0),
      lines: lines.length,
    };
    return lines.flatMap((line) => parseRecord(line) ?? []);
  }

  /** Keeps results; they are on disk once this resolves, together with all others that were added meanwhile. */
  add(records: readonly LateRecord[]): Promise<void> {
    this.#gathered.push(...records.map(formatRecord));
    return this.#inTurn(async () => {
      const lines = this.#gathered;
      this.#gathered = [];
      if (lines.length > 0) await this.#write(lines);
    });
  }

  /** The oldest results. They stay until `settle`. */
  read(limit: number): Promise<LateRecord[]> {
    return this.#inTurn(() => this.#readNext(limit));
  }

  /** Removes what was read last. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#taken?.segment) await this.#advance(this.#taken.segment, this.#taken);
      else if (this.#taken) {
        this.#memory = this.#memory.slice(this.#taken.lines);
        this.#memoryBytes -= this.#taken.bytes;
      }
      this.#taken = null;
    });
  }

  /** Lets another process continue, once all is written. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isOwn) await this.#files.release().catch(this.#noteFailure);
    });
  }

  /** How many results are kept. */
  size(): number {
    return this.#segments.reduce((sum, { lines }) => sum + lines, this.#memory.length);
  }

  /** How many were given up since this was called last. */
  takeLost(): number {
    const count = this.#lost;
    this.#lost = 0;
    return count;
  }

  /** Counts what could not be reported, or was refused, as given up. */
  addLost(count: number): void {
    this.#lost += count;
  }
}
