import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { ensureDataDir } from '../data-dir';
import { copyDataDir, createPlayground, query, removePlayground, startIn } from './data-dirs';

/**
 * Provides each test with a directory to start servers in; they are stopped, and it is removed, after the test. The DATA_DIR to copy from
 * was started, used and stopped: initdb takes a second.
 */
export function useDataDir() {
  let template: string;
  let playground: string;
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    template = await createPlayground();
    await ensureDataDir(join(template, 'data'));
    const server = await startIn(template);
    await query(server.url, 'CREATE TABLE note (text text)');
    await query(server.url, "INSERT INTO note VALUES ('kept')");
    await server.stop();
  });
  beforeEach(async () => {
    playground = await createPlayground();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()));
    await removePlayground(playground);
  });
  afterAll(() => removePlayground(template));

  return {
    get playground() {
      return playground;
    },
    get dataDir() {
      return join(playground, 'data');
    },
    copyTo: (name = 'data') => copyDataDir(join(template, 'data'), join(playground, name)),
    start: async (name = 'data', findPort?: () => Promise<number>) => {
      const server = await startIn(playground, name, findPort);
      running.push(server);
      return server;
    },
  };
}
