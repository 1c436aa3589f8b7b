import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { forMembers } from '@/lib/checks/for-members';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import { lateResultSchema } from '@/lib/engine/remote/protocol';

/** A late result on the disk of a probe, with what corrects its time: which process measured it, and how far the service was ahead. */
const lateRecordSchema = z.object({
  result: lateResultSchema,
  process: z.string(),
  offsetMs: z.number(),
});
export type LateRecord = z.infer<typeof lateRecordSchema>;

const CHECKSUM_LENGTH = 8;

/** What is kept of a finished check: as much as is stored of it, and nothing of what it saw. */
export function toLateRecord(
  { check: { monitor }, startedAt, result }: FinishedCheck,
  clock: Pick<LateRecord, 'process' | 'offsetMs'>,
): LateRecord {
  const { outcome, responseTime, statusCode, phases } = result;
  const error = result.error && { code: result.error.code, message: forMembers(result.error).message };
  const about = { id: monitor.id, configVersion: monitor.configVersion, startedAt: startedAt.getTime() };
  return { result: { ...about, outcome, responseTime, statusCode, error, phases }, ...clock };
}

/** A record as a line of a file, with a checksum, since the machine may stop while it is written. */
export function formatRecord(record: LateRecord): string {
  const text = JSON.stringify(record);
  return `${checksum(text)} ${text}\n`;
}

/** The record of a line; null if the line is damaged. */
export function parseRecord(line: string): LateRecord | null {
  const text = line.slice(CHECKSUM_LENGTH + 1, -1);
  if (!line.endsWith('\n') || line.slice(0, CHECKSUM_LENGTH) !== checksum(text)) return null;
  try {
    return lateRecordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_LENGTH, '0');
}
