import { open } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseOpenFilesLimit, readDescriptors } from './health';

describe('file descriptors', () => {
  it.runIf(process.platform === 'linux')('are counted for this process', async () => {
    const before = await readDescriptors();
    const files = await Promise.all(Array.from({ length: 20 }, () => open('/dev/null')));
    const during = await readDescriptors();
    await Promise.all(files.map((file) => file.close()));
    expect(during?.limit).toBe(before?.limit);
    expect(during?.limit).toBeGreaterThan(during?.open ?? 0);
    // Other code of this process may open and close some at the same time.
    expect((during?.open ?? 0) - (before?.open ?? 0)).toBeGreaterThan(10);
  });

  it('have the soft limit, or none', () => {
    const line = (soft: string) =>
      `Max processes  1  2  processes\nMax open files            ${soft}              1048576              files     \n`;
    expect(parseOpenFilesLimit(line('1024'))).toBe(1024);
    expect(parseOpenFilesLimit(line('unlimited'))).toBeNull();
    expect(parseOpenFilesLimit('')).toBeNull();
  });
});
