import { z } from 'zod';
import { invalidState } from '@/lib/core/errors';
import { decodeJson, decodeText, looksLikeJson, requireItems } from '../files/decode';
import {
  isRecord,
  looseList,
  looseRecord,
  looseText,
  looseTextMap,
  looseTexts,
  looseWord,
} from '../files/loose';
import { createYamlBudget, decodeYamlStream } from '../files/yaml';
import type { ReadFile } from '../plan/plan';
import { leftBehind } from '../plan/sentences';
import { convertTarget, type ProbedTarget } from './convert-target';
import { type Module, readModules } from './module';
import { relabel, ruleSchema } from './relabel';

const HINT =
  'Choose prometheus.yml with static targets of the blackbox exporter, or a list of targets (file_sd).';
/** Characters of the rules, labels and modules of all targets together: a file can use one of them for every target. */
const MAX_SIZE = 20_000_000;
/** Of Prometheus: https://prometheus.io/docs/prometheus/latest/configuration/configuration/. */
const INTERVAL = '1m';
const TIMEOUT = '10s';
/** Of the exporter, if a job does not name a module: https://github.com/prometheus/blackbox_exporter/blob/HEAD/prober/handler.go. */
const MODULE = 'http_2xx';

const listSchema = z.object({ targets: looseTexts, labels: looseTextMap });
const jobSchema = z.object({
  job_name: looseText.transform((name) => name ?? ''),
  metrics_path: looseWord,
  params: looseRecord.pipe(z.object({ module: looseTexts, target: looseTexts })),
  scrape_interval: looseWord,
  scrape_timeout: looseWord,
  static_configs: looseList.transform((lists) =>
    lists.filter(isRecord).map((list) => listSchema.parse(list)),
  ),
  file_sd_configs: looseList,
  relabel_configs: looseList.transform((rules) =>
    rules.filter(isRecord).map((rule) => ruleSchema.parse(rule)),
  ),
});
type List = z.output<typeof listSchema>;
type Job = z.output<typeof jobSchema>;

/**
 * Reads jobs of Prometheus that probe targets with its blackbox exporter, lists of targets (file_sd), and modules of the exporter, in one
 * file or several documents of a YAML stream. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE.
 */
export function readPrometheus(file: Uint8Array): ReadFile {
  const documents = readDocuments(decodeText(file, HINT));
  const records = documents.flatMap(readJobs);
  const probing = records.filter(isProbing);
  const jobs = probing.map((record) => jobSchema.parse(record));
  const lists = documents.flatMap(readLists);
  if (jobs.length === 0 && lists.length === 0)
    throw invalidState(`The file has no targets of the blackbox exporter. ${HINT}`);
  // Lists next to the only job that reads some are its own.
  const readers = jobs.filter(({ file_sd_configs: files }) => files.length > 0);
  const owner = lists.length > 0 && readers.length === 1 ? readers[0] : undefined;
  const all = jobs.map((job) => (job === owner ? withLists(job, lists) : job));
  const listed = owner === undefined ? lists : [];
  const every = [...all.flatMap((job) => job.static_configs), ...listed];
  requireItems(every.reduce((sum, { targets }) => sum + targets.length, 0));
  const modules = readModules(documents);
  requireBounded([...all, { relabel_configs: [], static_configs: listed }], modules);
  const files = readers.filter((job) => job !== owner).flatMap((job) => job.file_sd_configs);
  return {
    items: [...all.flatMap(listTargets), ...listed.flatMap(listAlone)].map((each) =>
      convertTarget(each, modules),
    ),
    notes: [
      ...leftBehind(files.length, 'list of targets in another file', 'lists of targets in other files'),
      ...leftBehind(probing.flatMap(listDiscoveries).length, 'service discovery', 'service discoveries'),
      ...leftBehind(documents.flatMap(listRuleFiles).length, 'rule file'),
      ...leftBehind(records.length - probing.length, 'job of other exporters', 'jobs of other exporters'),
    ],
  };
}

function withLists(job: Job, lists: readonly List[]): Job {
  return { ...job, static_configs: [...job.static_configs, ...lists] };
}

/** The documents of a JSON, a YAML, or a stream of YAML. */
function readDocuments(text: string): unknown[] {
  if (looksLikeJson(text)) return [decodeJson(text, HINT)];
  return decodeYamlStream(text, HINT, createYamlBudget());
}

/** The jobs of a document, with its global settings: those of prometheus.yml, or a list of jobs alone. */
function readJobs(document: unknown): Record<string, unknown>[] {
  if (Array.isArray(document)) return document.filter(isRecord).filter((each) => 'job_name' in each);
  if (!isRecord(document)) return [];
  const { scrape_interval, scrape_timeout } = looseRecord.parse(document.global);
  const jobs = looseList.parse(document.scrape_configs).filter(isRecord);
  return jobs.map((job) => ({ scrape_interval, scrape_timeout, ...job }));
}

function readLists(document: unknown): List[] {
  const lists = looseList.parse(document).filter(isRecord);
  return lists.filter(({ targets }) => Array.isArray(targets)).map((list) => listSchema.parse(list));
}

/** Whether a job uses the exporter. Others pass a module, too, but to another path. */
function isProbing(job: Record<string, unknown>): boolean {
  const path = looseWord.parse(job.metrics_path);
  return path === null ? 'module' in looseRecord.parse(job.params) : /\/probe\/?$/.test(path);
}

function listDiscoveries(job: Record<string, unknown>): unknown[] {
  const names = Object.keys(job).filter((name) => name.endsWith('_sd_configs') && name !== 'file_sd_configs');
  return names.flatMap((name) => looseList.parse(job[name]));
}

function listRuleFiles(document: unknown): unknown[] {
  return isRecord(document) ? looseList.parse(document.rule_files) : [];
}

function requireBounded(
  jobs: readonly Pick<Job, 'relabel_configs' | 'static_configs'>[],
  modules: ReadonlyMap<string, Module>,
): void {
  const shared = Math.max(0, ...[...modules.values()].map((module) => sizeOf(module)));
  const sizes = jobs.flatMap((job) => {
    const rules = sizeOf(job.relabel_configs);
    return job.static_configs.map(
      ({ targets, labels }) => targets.length * (rules + sizeOf(labels) + shared),
    );
  });
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_SIZE)
    throw invalidState(
      'The rules, labels and modules of the targets are too large. Split the file and import the parts.',
    );
}

/** What is deeper is not read. */
const MAX_DEPTH = 10;

/** The characters of a value, without writing it out: aliases of YAML can repeat a long one. */
function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 1;
  return Object.entries(value).reduce((sum, [name, each]) => sum + name.length + sizeOf(each, depth + 1), 1);
}

function listTargets(job: Job): ProbedTarget[] {
  const { job_name: name, params, relabel_configs: rules } = job;
  return job.static_configs.flatMap(({ targets, labels }) =>
    targets.map((address) => {
      const given = new Map([
        ...Object.entries(labels),
        ['__address__', address],
        ['__param_module', labels.__param_module ?? params.module[0] ?? MODULE],
      ]);
      // Without rules, there is nothing that would tell the exporter from its targets.
      const target = labels.__param_target ?? params.target[0] ?? (rules.length === 0 ? address : undefined);
      if (target !== undefined) given.set('__param_target', target);
      return {
        job: name,
        interval: job.scrape_interval ?? INTERVAL,
        timeout: job.scrape_timeout ?? TIMEOUT,
        ...relabel(given, rules),
        isAlone: targets.length === 1,
      };
    }),
  );
}

/** Targets of lists without their job: many have a label for the module. */
function listAlone({ targets, labels }: List): ProbedTarget[] {
  const module = labels.__param_module ?? labels.module ?? '';
  return targets.map((address) => ({
    job: '',
    interval: INTERVAL,
    timeout: TIMEOUT,
    labels: new Map([...Object.entries(labels), ['__param_target', address], ['__param_module', module]]),
    unknown: new Set(),
    isAlone: targets.length === 1,
  }));
}
