import { readVariable } from './env';

/**
 * Every command that screens, errors and logs print, with placeholders in capitals. A test runs each as it is printed; another finds
 * commands that are printed without `formatCommand`.
 */
export const PRINTED_COMMANDS = [
  'start',
  'migrate',
  'doctor',
  'upgrade-database',
  'setup-link',
  'org plan ORGANIZATION PLAN',
  'user reset-password EMAIL',
  'region create-token REGION',
  'import FORMAT FILE --source NAME',
  'mail set',
  'login',
  'export',
] as const;

type PrintedCommand = (typeof PRINTED_COMMANDS)[number];

type Options = {
  /** Values for placeholders; those without one are left for people to fill in. */
  values?: Record<string, string>;
  /** Words that follow, such as an option that was given. */
  added?: readonly string[];
  /** Without the path of the installation, for what strangers can read: the command then works in its directory. */
  isPublic?: boolean;
};

/** A command as it works in the shell of this installation's machine: `node /opt/pharos/bin/pharos.mjs setup-link`. */
export function formatCommand(
  command: PrintedCommand,
  { values = {}, added = [], isPublic = false }: Options = {},
): string {
  const words = [...command.split(' ').map((word) => values[word] ?? word), ...added].map(quote);
  return [formatProgram({ isPublic }), ...words].join(' ');
}

/**
 * What precedes the words of a command: COMMAND_PREFIX, which containers and service managers set, otherwise the program of this
 * installation, whose directory is the working directory of every process.
 */
export function formatProgram({ isPublic = false }: { isPublic?: boolean } = {}): string {
  const file = 'bin/pharos.mjs';
  return readVariable('COMMAND_PREFIX') || `node ${isPublic ? file : quote(`${process.cwd()}/${file}`)}`;
}

/** A word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
