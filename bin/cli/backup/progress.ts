import { formatBytes } from '@/lib/core/text';
import type { BackupProgress } from '@/lib/platform/backup/snapshot/read-snapshot';

const REDRAW_MS = 200;

/** Where progress is shown: a line that is drawn again on a terminal, nothing elsewhere. */
export type ProgressLine = { show(step: string, progress: BackupProgress): void; end(): void };

/** Shows progress on standard error. */
export function createProgressLine(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    show: (step, { table, bytes, share }) => {
      const now = performance.now();
      if (!stream.isTTY || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const percent = Math.floor(share * 100);
      stream.write(`\r\x1b[2K${step}: ${percent} % (${formatBytes(bytes)}, ${table})`);
    },
    end: () => {
      if (stream.isTTY && drawnAt > 0) stream.write('\r\x1b[2K');
    },
  };
}
