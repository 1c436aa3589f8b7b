import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { onlyThese } from '@/e2e/support/run-pharos';
import { formatCommand, formatProgram, PRINTED_COMMANDS } from '@/lib/command-line';
import { useTestDatabase } from '@/lib/testing/database';
import { callPharos } from './testing/call-pharos';

type Printed = (typeof PRINTED_COMMANDS)[number];

const database = useTestDatabase();
const notSetUp = useTestDatabase();
const SECRET_KEY = 'k'.repeat(32);

/** What would not end, or asks or needs more than a database: these show that their words are a command. */
const ONLY_HELP: readonly Printed[] = [
  'start',
  'upgrade-database',
  'login',
  'mail set',
  'export',
  'import FORMAT FILE --source NAME',
];
/** Exits with 1, because nothing runs here. */
const FINDS_PROBLEMS: readonly Printed[] = ['doctor'];

describe('every command that Pharos prints works as it is printed', () => {
  it.each(PRINTED_COMMANDS)('%s', async (command) => {
    const url = command === 'setup-link' ? notSetUp.url : database.url;
    const settings = { DATABASE_URL: url, SECRET_KEY };
    const values = {
      ORGANIZATION: '',
      PLAN: 'pro',
      EMAIL: `${randomUUID()}@example.com`,
      REGION: 'eu-west',
      FORMAT: 'uptime-kuma',
      FILE: 'kuma.db',
      NAME: 'office',
    };
    if (/ORGANIZATION|EMAIL/.test(command)) {
      const owner = ['--email', values.EMAIL, '--password', 'correct horse'];
      const { stdout } = await callPharos(['org', 'create', '--name', 'Acme', ...owner], settings);
      values.ORGANIZATION = JSON.parse(stdout).organizationId;
    }
    const words = formatCommand(command, { values }).slice(formatProgram().length + 1);
    const help = ONLY_HELP.includes(command) ? ['--help'] : [];
    const { code, stderr, stdout } = await callPharos([...words.split(' '), ...help], settings);
    expect(code, stderr).toBe(FINDS_PROBLEMS.includes(command) ? 1 : 0);
    expect(stdout + stderr).not.toBe('');
  });

  it('in the shell, in any directory, and those of public screens in that of Pharos', () => {
    const env = onlyThese({ DATABASE_URL: database.url, SECRET_KEY });
    const run = (text: string, cwd: string) =>
      execFileSync('sh', ['-c', `${text} --help`], { env, cwd, encoding: 'utf8' });
    expect(run(formatCommand('setup-link'), '/')).toContain('Show the link to set up');
    const shown = formatCommand('user reset-password EMAIL', { isPublic: true });
    expect(shown).toBe('node bin/pharos.mjs user reset-password EMAIL');
    expect(run(shown, process.cwd())).toContain('Create a link to reset a password');
  });
});
