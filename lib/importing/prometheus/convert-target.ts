import { goSeconds } from '../files/durations';
import { Draft } from '../plan/draft';
import type { ImportedMonitor } from '../plan/plan';
import { NO_TARGET, onlyPort, UNKNOWN_KIND } from '../plan/reasons';
import { refOf } from '../plan/ref';
import { connectionTarget, nameOfTarget, withoutPassword } from '../plan/targets';
import { setDnsModule } from './dns-module';
import { FIELDS } from './fields';
import { setHttpModule } from './http-module';
import { findModule, type Module } from './module';
import type { TargetLabels, Unknown } from './relabel';
import { setTcpModule } from './tcp-module';

/** A target of the exporter, once its labels are final. */
export type ProbedTarget = {
  /** Empty if the file has only lists of targets. */
  job: string;
  interval: string;
  timeout: string;
  labels: TargetLabels;
  /** What rules that were not applied can change. */
  unknown: ReadonlySet<Unknown>;
  /** Whether its labels are those of no other target. */
  isAlone: boolean;
};

const RELABELED =
  'The relabeling of its job sets the target or the module in a way that is not understood. Use rules that copy a label, or put the target into a CSV.';
const UNIX = 'Unix sockets are not supported. If the service also has a TCP port, monitor that port.';

/** One target of the exporter as a monitor of Pharos, or why it cannot be imported. */
export function convertTarget(target: ProbedTarget, modules: ReadonlyMap<string, Module>): ImportedMonitor {
  const { job, labels, unknown } = target;
  const address = (labels.get('__param_target') ?? '').trim();
  const moduleName = labels.get('__param_module') ?? '';
  const module = findModule(modules, moduleName, address);
  const { name, tags } = describeLabels(target, address || (labels.get('__address__') ?? ''));
  const identity = [job, moduleName, withoutPassword(address)].join(' ');
  const ref = refOf('prometheus', identity, `${job} ${nameOfTarget(address)}`);
  const draft = new Draft(FIELDS, { name, kind: module.prober || 'unknown', ref });
  if (unknown.has('target')) return draft.reject(RELABELED);
  const reason = address === '' ? NO_TARGET : setTarget(draft, module, address);
  if (reason !== null) return draft.reject(reason);
  if (module.doubt !== null) {
    draft.change(module.doubt);
    draft.keep('method', 'headers', 'body', 'send');
  }
  draft.setInterval(secondsOf(target.interval));
  // The exporter gives up a little before Prometheus does.
  const timeouts = [target.timeout, module.timeout].flatMap((text) => secondsOf(text) ?? []);
  draft.setTimeout(Math.min(...timeouts));
  draft.setTags(tags);
  if (unknown.has('selection'))
    draft.change('Rules that keep or drop targets are not applied: it may not be probed there.');
  if (unknown.has('label')) draft.change('Some relabeling rules are not applied: tags may be missing.');
  return draft.finish();
}

/** A label `name` or `instance` is the name if no other target has it; the other labels and the job are tags. */
function describeLabels(
  { job, labels, isAlone }: ProbedTarget,
  address: string,
): { name: string; tags: string[] } {
  const own = [...labels].filter(
    // Copies of the target can contain its password.
    ([label, value]) => value !== '' && value.trim() !== address && !label.startsWith('__'),
  );
  const named = isAlone ? own.find(([label]) => label === 'name' || label === 'instance') : undefined;
  const others = own.filter((each) => each !== named && !['job', 'module'].includes(each[0]));
  return {
    name: named === undefined ? nameOfTarget(address) : nameOfTarget(named[1]),
    tags: [job, ...others.map(([label, value]) => `${label}: ${value}`)],
  };
}

/** Returns why there is no target. */
function setTarget(draft: Draft, module: Module, address: string): string | null {
  switch (module.prober) {
    case 'http':
      return setHttpModule(draft, module.http, address);
    case 'tcp':
      return setTcpModule(draft, module.tcp, address);
    case 'icmp':
      draft.setTarget('ping', address);
      return null;
    case 'dns':
      return setDnsModule(draft, module.dns, address);
    case 'grpc':
      draft.change(onlyPort('The gRPC health check is'));
      return setPort(draft, address, null);
    case 'websocket':
      draft.change(onlyPort('The WebSocket connection and its messages are'));
      return setPort(draft, address, address.startsWith('ws:') ? 80 : 443);
    case 'unix':
      return UNIX;
    default:
      return UNKNOWN_KIND;
  }
}

function setPort(draft: Draft, address: string, port: number | null): string | null {
  const target = connectionTarget(address, port);
  if (target === null) return NO_TARGET;
  draft.setTarget('tcp', target);
  return null;
}

const HOURS: Partial<Record<string, number>> = { d: 24, w: 168, y: 8760 };

/** The seconds of a duration of Prometheus, which also has days, weeks and years. */
function secondsOf(text: string | null): number | null {
  const inHours = text?.replaceAll(/(\d{1,6})([dwy])/g, (_, count, unit) =>
    String(Number(count) * (HOURS[unit] ?? 0)).concat('h'),
  );
  return goSeconds(inHours ?? null);
}
