import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { formatRecord, type LateRecord, parseRecord } from './late-record';
import type { Segment, SegmentFiles } from './segments';

/** The oldest results are given up by the segment: few enough bytes that most are kept. */
const SEGMENTS = 16;
/** A record takes about 400 bytes, and 2.5 KB with the longest message. */
const READ_BYTES = 256 * 1024;

/** Late results in the order in which they are to be sent, on disk. */
export type Spool = Awaited<ReturnType<typeof openSpool>>;

/**
 * Continues with what an earlier process left. Keeps at most `maxBytes`, and gives up the oldest beyond. While the disk cannot be
 * written, keeps as many in memory instead, and logs that: nothing here ever rejects.
 */
export async function openSpool(files: SegmentFiles, { maxBytes, log }: { maxBytes: number; log: Logger }) {
  let memory: string[] = [];
  let memoryBytes = 0;
  let gathered: string[] = [];
  let lost = 0;
  let failure: string | null = null;
  /** What the last `read` returned: of a segment, or of memory. */
  let taken: { segment: Segment | null; bytes: number; lines: number } | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** One after the other: who writes a file is alone. */
  const inTurn = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const acting = turn.then(act);
    turn = acting.catch(() => 'the next one takes its turn');
    return acting;
  };
  const noteFailure = (error: unknown) => {
    const reason = describeError(error);
    if (reason !== failure)
      log.error({ error: reason }, 'cannot keep late results on disk; keeping them in memory');
    failure = reason;
  };
  const giveUp = (lines: number, why: string) => {
    if (lines === 0) return;
    lost += lines;
    log.error({ lost: lines }, why);
  };

  let isOwn = true;
  let segments: Segment[] = await files
    .claim()
    .then(files.list)
    .catch((error: unknown) => {
      noteFailure(error);
      isOwn = false;
      return [];
    });
  /** The one that is appended to: never one that an earlier process left, whose last line may be cut off. */
  let active: Segment | null = null;
  let created = Math.max(0, ...segments.map(({ name }) => Number.parseInt(name.replace(/\D/g, ''), 10)));
  const sizeOnDisk = () => segments.reduce((sum, { bytes }) => sum + bytes, 0);

  const drop = async (segment: Segment) => {
    segments = segments.filter((each) => each !== segment);
    if (segment === active) active = null;
    if (segment === taken?.segment) taken = null;
    await files.remove(segment).catch(noteFailure);
  };

  const keepInMemory = (lines: readonly string[]) => {
    for (const line of lines) memoryBytes += line.length;
    memory.push(...lines);
    let dropped = 0;
    while (memoryBytes > maxBytes) memoryBytes -= memory[dropped++]?.length ?? 0;
    memory = memory.slice(dropped);
    if (taken?.segment === null) taken = null;
    giveUp(dropped, 'too many late results; gave up the oldest');
  };

  const write = async (lines: readonly string[]) => {
    if (!isOwn) return keepInMemory(lines);
    const text = lines.join('');
    const bytes = Buffer.byteLength(text);
    try {
      if (active === null || active.bytes + bytes > maxBytes / SEGMENTS) {
        created += 1;
        active = await files.create(created);
        segments.push(active);
      }
      await files.append(active, text);
      active.bytes += bytes;
      active.lines += lines.length;
      failure = null;
    } catch (error) {
      noteFailure(error);
      // A part of it may have been written.
      active = null;
      keepInMemory(lines);
    }
    for (let oldest = segments[0]; oldest && sizeOnDisk() > maxBytes; oldest = segments[0]) {
      giveUp(oldest.lines, 'too many late results; gave up the oldest');
      await drop(oldest);
    }
  };

  /** What is dealt with, or damaged. */
  const advance = async (segment: Segment, { bytes, lines }: { bytes: number; lines: number }) => {
    segment.read += bytes;
    segment.lines = Math.max(0, segment.lines - lines);
    if (segment.read >= segment.bytes && segment !== active) await drop(segment);
    else await files.keepCursor(segment).catch(noteFailure);
  };

  const readNext = async (limit: number): Promise<LateRecord[]> => {
    for (let segment = segments[0]; segment; segment = segments[0]) {
      if (segment.read >= segment.bytes) {
        if (segment === active) break;
        await drop(segment);
        continue;
      }
      const text = await files.read(segment, READ_BYTES).catch(noteFailure);
      if (text === undefined) {
        giveUp(segment.lines, 'late results on disk cannot be read');
        await drop(segment);
        continue;
      }
      const lines = text.split(/(?<=\n)/).slice(0, limit);
      const records = lines.flatMap((line) => parseRecord(Buffer.from(line, 'latin1').toString()) ?? []);
      const bytes = lines.reduce((sum, line) => sum + line.length, 0);
      giveUp(lines.length - records.length, 'late results on disk were damaged');
      if (records.length > 0) {
        taken = { segment, bytes, lines: lines.length };
        return records;
      }
      await advance(segment, { bytes, lines: lines.length });
    }
    const lines = memory.slice(0, limit);
    taken = { segment: null, bytes: lines.reduce((sum, line) => sum + line.length, 0), lines: lines.length };
    return lines.flatMap((line) => parseRecord(line) ?? []);
  };

  return {
    /** Keeps results; they are on disk once this resolves, together with all others that were added meanwhile. */
    add: (records: readonly LateRecord[]): Promise<void> => {
      gathered.push(...records.map(formatRecord));
      return inTurn(async () => {
        const lines = gathered;
        gathered = [];
        if (lines.length > 0) await write(lines);
      });
    },
    /** The oldest results. They stay until `settle`. */
    read: (limit: number): Promise<LateRecord[]> => inTurn(() => readNext(limit)),
    /** Removes what was read last. */
    settle: (): Promise<void> =>
      inTurn(async () => {
        if (taken?.segment) await advance(taken.segment, taken);
        else if (taken) {
          memory = memory.slice(taken.lines);
          memoryBytes -= taken.bytes;
        }
        taken = null;
      }),
    /** Lets another process continue, once all is written. */
    close: (): Promise<void> =>
      inTurn(async () => {
        if (isOwn) await files.release().catch(noteFailure);
      }),
    /** How many results are kept. */
    size: (): number => segments.reduce((sum, { lines }) => sum + lines, memory.length),
    /** How many were given up since this was called last. */
    takeLost: (): number => {
      const count = lost;
      lost = 0;
      return count;
    },
    /** Counts what could not be reported, or was refused, as given up. */
    addLost: (count: number): void => {
      lost += count;
    },
  };
}
