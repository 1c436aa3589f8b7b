import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { formatCommand } from '@/lib/command-line';
import { StartupError } from '@/lib/core/errors';
import { readVariable } from '@/lib/env';
import { type Api, type Connection, openApi } from './api';

/** The options of a command that uses the API of a service. */
export type ConnectionOptions = { url?: string; key?: string };

const connectionSchema = z.object({ url: z.url(), key: z.string().min(1) });

/** Adds the options `--url` and `--key`. */
export function withConnection(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'the address of Pharos').env('PHAROS_URL'))
    .addOption(new Option('--key <key>', 'an API key').env('PHAROS_API_KEY'));
}

/**
 * The API that the options, the environment or `pharos login` name, in this order; an empty one counts as not set. Throws StartupError
 * if there is no address or key.
 */
export async function connect(options: ConnectionOptions): Promise<Api> {
  const api = await connectIfKnown(options);
  if (api !== null) return api;
  throw new StartupError(
    `where is Pharos? Run "${formatCommand('login')}", or set PHAROS_URL and PHAROS_API_KEY, or use --url and --key`,
  );
}

/** The same; null if there is no address or key. */
export async function connectIfKnown(options: ConnectionOptions): Promise<Api | null> {
  const url = options.url || undefined;
  const key = options.key || undefined;
  const saved = url === undefined || key === undefined ? await readLogin() : null;
  const connection = { url: url ?? saved?.url, key: key ?? saved?.key };
  if (connection.url === undefined || connection.key === undefined) return null;
  // A key is never sent to another service than the one it was saved for.
  if (saved !== null && key === undefined && url !== undefined && url !== saved.url) {
    throw new StartupError(`you are logged in to ${saved.url}; add --key for ${url}`);
  }
  const parsed = connectionSchema.safeParse(connection);
  if (!parsed.success) throw new StartupError(`${connection.url} is not the address of a website`);
  return openApi(parsed.data);
}

/** Where `pharos login` keeps the address and the key. */
export function loginFile(): string {
  return join(readVariable('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'pharos', 'login.json');
}

/** Saves the address and key for later commands; only this user can read the file. */
export async function saveLogin(connection: Connection): Promise<void> {
  const file = loginFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(connection)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
}

async function readLogin(): Promise<Connection | null> {
  const file = loginFile();
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new StartupError(`cannot read ${file}: ${error.message}`);
  });
  if (text === null) return null;
  try {
    return connectionSchema.parse(JSON.parse(text));
  } catch {
    throw new StartupError(`${file} is damaged; run "${formatCommand('login')}" again`);
  }
}
