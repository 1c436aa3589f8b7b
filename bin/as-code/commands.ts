import { styleText } from 'node:util';
import type { Command } from 'commander';
import { writeResourceFile } from '@/lib/as-code/export-file';
import { fileSchema } from '@/lib/as-code/file-schema';
import { type Change, type Plan, planChanges, type StoredResources } from '@/lib/as-code/plan';
import { type FileProblem, MAX_FILE_BYTES, readResourceFile } from '@/lib/as-code/read-file';
import { type Paint, renderPlan } from '@/lib/as-code/render';
import { SECTION_NAMES } from '@/lib/as-code/sections';
import { formatCommand } from '@/lib/command-line';
import { StartupError } from '@/lib/core/errors';
import { readVariable } from '@/lib/env';
import type { Api } from '../remote/api';
import { type ConnectionOptions, connect, withConnection } from '../remote/connection';
import { confirm } from '../remote/output/ask';
import { printJson, withProgress } from '../remote/output/print';
import { readInput } from '../remote/read-input';
import { applyPlan, formatFailure } from './apply-plan';
import { readStored } from './stored-resources';

type PlanOptions = ConnectionOptions & { prune?: boolean; json?: boolean };

const FILE = 'pharos.yaml';
/** In `public`: editors read it from the service. */
const SCHEMA_FILE = 'pharos.schema.json';

/** `pharos export`. */
export function registerExport(program: Command): void {
  withConnection(program.command('export'))
    .description('Print monitors, webhook endpoints, status pages and maintenance as a file for "apply".')
    .action(async (options: ConnectionOptions) => {
      const api = await connect(options);
      const schema = `# yaml-language-server: $schema=${new URL(`/${SCHEMA_FILE}`, api.connection.url)}\n`;
      process.stdout.write(schema + writeResourceFile(await readStored(api, SECTION_NAMES)));
    });
}

/** `pharos plan`: exits with 2 if the service differs from the file. */
export function registerPlan(program: Command): void {
  withPlanning(program.command('plan'))
    .description('Show what "apply" would change; exits with 2 if that is anything.')
    .action(async (file: string, options: PlanOptions) => {
      const { plan } = await makePlan(await connect(options), file, options.prune === true);
      if (options.json) printJson(withoutValues(plan));
      else process.stdout.write(renderPlan(plan, paint));
      if (plan.changes.length > 0) process.exitCode = 2;
    });
}

/** `pharos apply`. */
export function registerApply(program: Command): void {
  withPlanning(program.command('apply'))
    .description('Create, change and (with --prune) delete what differs from a file.')
    .option('--yes', 'do not ask')
    .action(async (file: string, options: PlanOptions & { yes?: boolean }) => {
      if (options.json && !options.yes)
        throw new StartupError('add --yes: with --json nobody sees the plan first');
      const api = await connect(options);
      const { plan, stored } = await makePlan(api, file, options.prune === true);
      if (!options.json) process.stdout.write(renderPlan(plan, paint));
      if (plan.changes.length > 0 && !options.yes) {
        await confirm(`Apply to ${api.connection.url}?`, 'add --yes to apply without being asked');
      }
      const failures = await withProgress(plan.changes.length, (onDone) =>
        applyPlan(api, plan, stored, onDone),
      );
      if (options.json) printJson({ ...withoutValues(plan), failures });
      for (const failure of failures) process.stderr.write(`${formatFailure(file, failure)}\n`);
      if (failures.length > 0) process.exitCode = 1;
      else if (!options.json && plan.changes.length > 0) process.stdout.write('Applied.\n');
    });
}

/** `pharos schema`. */
export function registerSchema(program: Command): void {
  program
    .command('schema')
    .description('Print the JSON Schema of the file, for editors.')
    .action(() => void process.stdout.write(formatSchema()));
}

/** The JSON Schema as text, as it is in `public`. */
export function formatSchema(): string {
  return `${JSON.stringify(fileSchema(), null, 2)}\n`;
}

function withPlanning(command: Command): Command {
  return withConnection(command)
    .argument('[file]', 'the file, or - for standard input', FILE)
    .option('--prune', 'delete what a section of the file does not name')
    .option('--json', 'print JSON');
}

async function makePlan(
  api: Api,
  name: string,
  prune: boolean,
): Promise<{ plan: Plan; stored: StoredResources }> {
  const bytes = await readInput(name, MAX_FILE_BYTES, `"${formatCommand('export')} > ${FILE}" writes one`);
  const { file, problems } = readResourceFile(bytes.toString('utf8'));
  rejectProblems(name, problems);
  const managed = SECTION_NAMES.filter((section) => file[section] !== undefined);
  const stored = await readStored(api, managed);
  const { plan, problems: wrong } = planChanges(file, stored, readVariable, prune);
  rejectProblems(name, wrong);
  return { plan, stored };
}

function rejectProblems(name: string, problems: readonly FileProblem[]): void {
  if (problems.length === 0) return;
  const lines = problems.slice(0, 50).map(({ line, message }) => `${name}:${line}: ${message}`);
  if (problems.length > lines.length) lines.push(`and ${problems.length - lines.length} more`);
  throw new StartupError(lines.join('\n'));
}

/** In color on a terminal that shows it, unless NO_COLOR is set. */
const paint: Paint = (color, text) => styleText(color, text);

/** A plan for programs, without secrets. */
function withoutValues({ changes, unchanged }: Plan) {
  const shown = changes.map((change: Change) => {
    const { section, key, line, action } = change;
    if (action === 'delete') return { section, key, line, action };
    const fields = change.changes.map(({ field, from, to, isSecret }) =>
      isSecret ? { field } : { field, from, to },
    );
    return { section, key, line, action, fields };
  });
  return { changes: shown, unchanged };
}
