import { z } from 'zod';
import {
  anything,
  isRecord,
  looseFlag,
  looseList,
  looseNumber,
  looseText,
  looseTexts,
  looseWord,
  pairsToMap,
  toTextMap,
  tryJson,
} from '../files/loose';
import type { OpenStatusAssertion } from './assertions';

/** A monitor of openstatus, in the same form for each of its formats. */
export type OpenstatusMonitor = {
  id: string;
  name: string;
  kind: string;
  url: string | null;
  frequency: string | null;
  isActive: boolean;
  regions: string[];
  retry: number | null;
  timeout: number | null;
  degradedAfter: number | null;
  followRedirects: boolean | null;
  method: string | null;
  headers: Record<string, string>;
  body: string | null;
  assertions: OpenStatusAssertion[];
};

const common = {
  id: looseWord,
  name: looseText.transform((name) => name ?? ''),
  active: looseFlag,
  retry: looseNumber,
  timeout: looseNumber,
  body: looseText,
  method: looseWord,
};

/** Headers: a map in YAML, pairs in the API, and JSON of either in older versions of the API. */
const headers = anything.transform((value) => {
  const parsed = typeof value === 'string' ? tryJson(value) : value;
  return Array.isArray(parsed) ? pairsToMap(parsed) : isRecord(parsed) ? toTextMap(parsed) : {};
});

const assertions = anything.transform((value): Record<string, unknown>[] =>
  looseList.parse(typeof value === 'string' ? tryJson(value) : value).filter(isRecord),
);

const yamlSchema = z.object({
  ...common,
  kind: looseText.transform((kind) => kind ?? ''),
  frequency: looseWord,
  regions: looseTexts,
  degradedAfter: looseNumber,
  followRedirects: looseFlag,
  assertions,
  request: anything.transform((request) =>
    z
      .object({
        method: looseWord,
        url: looseWord,
        headers,
        body: looseText,
        host: looseWord,
        port: looseWord,
        uri: looseWord,
      })
      .parse(isRecord(request) ? request : {}),
  ),
});

/** A monitor of openstatus.yaml, with its key in the file. */
export function fromYaml(key: string, value: Record<string, unknown>): OpenstatusMonitor {
  const { request, ...monitor } = yamlSchema.parse(value);
  const hostAndPort =
    request.host === null || request.port === null ? null : `${request.host}:${request.port}`;
  return {
    ...monitor,
    id: key,
    name: monitor.name || key,
    url: request.url ?? request.uri ?? hostAndPort,
    isActive: monitor.active === true,
    method: request.method,
    headers: request.headers,
    body: request.body,
    assertions: monitor.assertions.map((each) => toAssertion(each.kind, each.compare, each)),
  };
}

/** Names of assertions in the API and in the YAML. */
const KINDS: Partial<Record<string, string>> = { status: 'statusCode' };

const restSchema = z.object({
  ...common,
  jobType: looseWord,
  periodicity: looseWord,
  url: looseWord,
  regions: anything.transform((value) =>
    typeof value === 'string' ? value.split(',') : looseTexts.parse(value),
  ),
  degradedAfter: looseNumber,
  followRedirects: looseFlag,
  headers,
  assertions,
});

/** A monitor as the API v1 returns it. */
export function fromRest(value: Record<string, unknown>): OpenstatusMonitor {
  const { jobType, periodicity, ...monitor } = restSchema.parse(value);
  return {
    ...monitor,
    id: monitor.id ?? monitor.name,
    kind: jobType ?? 'http',
    frequency: periodicity,
    isActive: monitor.active === true,
    assertions: monitor.assertions.map((each) => toAssertion(each.type, each.compare, each)),
  };
}

const rpcSchema = z.object({
  ...common,
  url: looseWord,
  uri: looseWord,
  periodicity: looseWord,
  regions: looseTexts,
  degradedAt: looseNumber,
  followRedirects: looseFlag,
  headers,
  statusCodeAssertions: assertions,
  bodyAssertions: assertions,
  headerAssertions: assertions,
  recordAssertions: assertions,
});

const COMPARATORS: Partial<Record<string, string>> = {
  EQUAL: 'eq',
  NOT_EQUAL: 'not_eq',
  GREATER_THAN: 'gt',
  GREATER_THAN_OR_EQUAL: 'gte',
  LESS_THAN: 'lt',
  LESS_THAN_OR_EQUAL: 'lte',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'not_contains',
  EMPTY: 'empty',
  NOT_EMPTY: 'not_empty',
};

/** A monitor as the RPC API returns it, in one of three lists by type. Its enumerations have prefixes. */
export function fromRpc(kind: string, value: Record<string, unknown>): OpenstatusMonitor {
  const monitor = rpcSchema.parse(value);
  const listed = (type: string, list: readonly Record<string, unknown>[]) =>
    list.map((each) => {
      const name = (looseText.parse(each.comparator) ?? '').replace(
        /^(NUMBER|STRING|RECORD)_COMPARATOR_/,
        '',
      );
      return toAssertion(type, Object.hasOwn(COMPARATORS, name) ? COMPARATORS[name] : name, each);
    });
  return {
    ...monitor,
    id: monitor.id ?? monitor.name,
    kind,
    url: monitor.url ?? monitor.uri,
    frequency: monitor.periodicity?.replace(/^PERIODICITY_/, '').toLowerCase() ?? null,
    isActive: monitor.active === true,
    regions: monitor.regions.map((region) => region.replace(/^REGION_(FLY_)?/, '').toLowerCase()),
    method: monitor.method?.replace(/^HTTP_METHOD_/, '') ?? null,
    degradedAfter: monitor.degradedAt,
    assertions: [
      ...listed('statusCode', monitor.statusCodeAssertions),
      ...listed('textBody', monitor.bodyAssertions),
      ...listed('header', monitor.headerAssertions),
      ...listed('dnsRecord', monitor.recordAssertions),
    ],
  };
}

function toAssertion(kind: unknown, compare: unknown, sent: Record<string, unknown>): OpenStatusAssertion {
  const name = looseText.parse(kind) ?? '';
  return {
    kind: (Object.hasOwn(KINDS, name) ? KINDS[name] : undefined) ?? name,
    compare: looseText.parse(compare) ?? '',
    key: looseText.parse(sent.key ?? sent.recordType ?? sent.record),
    target: looseText.parse(sent.target) ?? '',
  };
}
