import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { borrowService } from '@/e2e/support/borrow-service';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';
import { hasPooler, type Pooler, startPooler } from '@/lib/platform/db/testing/pooler';
import { createEmptyDatabase } from '@/lib/testing/database';
import type { CommandBlock } from './read-guides';
import { createOpenFolder } from '@/lib/testing/open-folder';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Programs that guides use and that not every machine has. */
const PROGRAMS = ['caddy', 'curl', 'docker', 'kubeconform', 'nginx', 'openssl', 'psql', 'promtool'];

/** Directories of a machine that guides write to: here, they are below that of the test. */
const PLACES = /(?<=^|[\s='":])\/(?=(?:archive|backups|etc|opt|var)\/)/gm;

const DATABASE = 'postgresql://pharos:…@db.internal:5432/pharos';
const POOLER = 'postgresql://pharos:…@pooler.internal:6432/pharos';

/** The programs of a block that this machine does not have. */
export function findMissingPrograms({ commands }: CommandBlock): string[] {
  const used = PROGRAMS.filter((name) => new RegExp(`(^|[|;&(] *)${name} `, 'm').test(commands));
  const missing = used.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return commands.includes(POOLER) && !hasPooler ? [...missing, 'PgBouncer'] : missing;
}

/** What bash says about the syntax of a text; empty: it is correct. */
export function checkSyntax(commands: string): string {
  return spawnSync('bash', ['-n'], { input: commands, encoding: 'utf8' }).stderr;
}

/** A machine as a guide describes it: a checkout in /opt/pharos, and a running service or a new installation. */
export type GuideSandbox = {
  /** Runs commands after those before, whose variables and directory they keep. Stops at the first that fails. */
  run(block: CommandBlock): Promise<{ code: number; output: string }>;
  close(): Promise<void>;
};

/** A sandbox for the commands of one guide. */
export async function openSandbox(): Promise<GuideSandbox> {
  const folder = await createOpenFolder('pharos-guide-');
  const checkout = join(folder, 'opt', 'pharos');
  for (const path of ['archive', 'backups', 'etc', 'opt/pharos', 'var/lib', 'home', 'new']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  for (const name of readdirSync(root).filter((each) => each !== '.env' && each !== '.data')) {
    symlinkSync(join(root, name), join(checkout, name));
  }
  const { url, dataDir } = await borrowService();
  const dataDirs = { service: dataDir, 'new machine': join(folder, 'new', 'data') };
  const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const env = childEnvironment({ ...unset, HOME: join(folder, 'home') });

  let database: Awaited<ReturnType<typeof createEmptyDatabase>> | undefined;
  let pooler: Pooler | undefined;

  const localize = (commands: string) =>
    commands
      .replaceAll(DATABASE, database?.url ?? DATABASE)
      .replaceAll(POOLER, pooler?.url ?? POOLER)
      .replaceAll(/https:\/\/pharos\.example\.com|http:\/\/localhost:3000/g, url)
      .replaceAll(PLACES, `${folder}/`)
      .replaceAll('…', 'correct-horse-battery');

  return {
    run: async ({ commands, place }) => {
      if (commands.includes(DATABASE)) database ??= await createEmptyDatabase();
      if (database && commands.includes(POOLER)) pooler ??= await startPooler(database.url);
      const script = `set -euo pipefail
        if [ -f ${folder}/state ]; then . ${folder}/state; cd "$(cat ${folder}/directory)"; fi
        export DATA_DIR=${dataDirs[place]}
${localize(commands)}
        export -p > ${folder}/state; pwd > ${folder}/directory`;
      const bash = spawn('bash', ['-c', script], { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [bash.stdout, bash.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      }
      const [code] = await once(bash, 'close');
      return { code, output };
    },
    close: async () => {
      await pooler?.stop();
      await database?.drop();
      rmSync(folder, { recursive: true });
    },
  };
}
