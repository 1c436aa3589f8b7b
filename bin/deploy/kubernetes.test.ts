import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { DEFAULT_WORKER_PORT, parseEnvironment, VARIABLE_NAMES } from '@/lib/env';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'docs/deploy/kubernetes');
const guide = readFileSync(join(root, 'docs/operate/kubernetes.md'), 'utf8');
const files = readdirSync(folder);
const hasKubeconform = spawnSync('kubeconform', ['-v']).status === 0;

const labels = z.record(z.string(), z.string());
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const container = z.looseObject({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  envFrom: z.array(z.record(z.string(), z.object({ name: z.string() }))),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  securityContext: z.unknown(),
  resources: z.object({ requests: labels, limits: labels }),
});
const podSpec = z.looseObject({
  terminationGracePeriodSeconds: z.int().optional(),
  securityContext: z.looseObject({}),
  containers: z.tuple([container]),
});
const workload = z.looseObject({
  template: z.looseObject({ metadata: z.object({ labels }), spec: podSpec }),
});

const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => ({
    file,
    ...z
      .looseObject({
        apiVersion: z.string(),
        kind: z.string(),
        spec: z.unknown().optional(),
        data: labels.optional(),
        stringData: labels.optional(),
        metadata: z.looseObject({ name: z.string(), namespace: z.literal('pharos') }),
      })
      .parse(document.toJS()),
  })),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const workloads = manifests
  .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
  .map(({ file, kind, spec }) => {
    const { template, ...rest } = workload.parse(spec);
    const { containers, ...pod } = template.spec;
    return { file, kind, labels: template.metadata.labels, pod, container: containers[0], spec: rest };
  });
const [web] = workloads.filter(({ file }) => file === 'web.yaml');

/** What a ConfigMap or Secret contains. */
const valuesOf = (name: string) => {
  const found = manifests.find(({ metadata }) => metadata.name === name);
  return labels.parse(found?.data ?? found?.stringData);
};

describe('the manifests for Kubernetes', () => {
  it('are those that the guide lists', () => {
    const listed = [...guide.matchAll(/^\| `([\w.-]+\.yaml)`/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(files.toSorted());
  });

  it('are of the kinds that Kubernetes serves', () => {
    expect(new Set(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))).toEqual(
      new Set([
        'v1 ConfigMap',
        'v1 Secret',
        'v1 Service',
        'batch/v1 Job',
        'apps/v1 Deployment',
        'policy/v1 PodDisruptionBudget',
        'networking.k8s.io/v1 Ingress',
      ]),
    );
  });

  it.skipIf(!hasKubeconform)('are accepted by kubeconform (skipped where it is not installed)', () => {
    const { status, stdout, stderr } = spawnSync('kubeconform', ['-strict', folder], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  it.each(workloads)('$file gives its process settings that exist and are valid', ({ kind, container }) => {
    const given = Object.fromEntries([
      ...container.envFrom.flatMap((source) =>
        Object.values(source).flatMap(({ name }) => Object.entries(valuesOf(name))),
      ),
      ...container.env.map(({ name, value }) => [name, value] as const),
    ]);
    expect(Object.keys(given).filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
    const environment = parseEnvironment({ ...given, SECRET_KEY: 'ab'.repeat(32) });
    const role = container.args[0];
    expect(role).toBe(kind === 'Job' ? 'migrate' : role === 'web' ? 'web' : 'worker');
    if (role === 'migrate') return;
    const port = role === 'web' ? environment.PORT : (environment.WORKER_PORT ?? DEFAULT_WORKER_PORT);
    expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
  });

  it.each(workloads)('$file runs without privileges, on a read-only file system', ({ pod, container }) => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(Object.keys(container.resources.limits), 'what is throttled is late').toEqual(['memory']);
  });

  it('requests paths that exist', () => {
    const pathsOf = ({ livenessProbe, readinessProbe }: z.infer<typeof container>) =>
      [livenessProbe, readinessProbe].map((each) => each?.httpGet.path);
    for (const { file, kind, container } of workloads.filter((each) => each.kind === 'Deployment')) {
      const expected = file === 'web.yaml' ? ['/api/live', '/api/live?ready'] : ['/live', '/live'];
      expect(pathsOf(container), `${kind} of ${file}`).toEqual(expected);
    }
    expect(existsSync(join(root, 'app/api/live/route.ts'))).toBe(true);
  });

  it('starts a process before it stops one, and gives that the time it needs', () => {
    for (const { kind, pod, spec } of workloads.filter((each) => each.kind === 'Deployment')) {
      expect(spec, kind).toMatchObject({
        strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      });
      // Of a worker 12 s; of a web process 5 s before it is stopped, and 6 s for its requests.
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(12);
    }
  });

  it('selects the pods that it creates, one budget for each Deployment', () => {
    const deployed = workloads.filter(({ kind }) => kind === 'Deployment').map((each) => each.labels);
    const selectorOf = z.looseObject({ selector: z.object({ matchLabels: labels }) });
    for (const kind of ['Deployment', 'PodDisruptionBudget']) {
      expect(ofKind(kind).map(({ spec }) => selectorOf.parse(spec).selector.matchLabels)).toEqual(deployed);
    }
    const [service] = ofKind('Service');
    expect(service?.spec).toEqual({
      selector: web?.labels,
      ports: [{ name: 'http', port: 80, targetPort: 'http' }],
    });
    expect(JSON.stringify(ofKind('Ingress'))).toContain(
      `"service":{"name":"${service?.metadata.name}","port":{"name":"http"}}`,
    );
  });

  it('differs between regions only in the region and its duties', () => {
    const [home, away] = ['us-east', 'eu-west'].map((region) =>
      readFileSync(join(folder, `worker-${region}.yaml`), 'utf8')
        .replaceAll(region, 'REGION')
        .split('\n')
        .slice(1),
    );
    expect(away?.filter((line) => !line.includes('WORKER_DUTIES'))).toEqual(home);
    expect(away?.find((line) => line.includes('WORKER_DUTIES'))).toContain('value: probe');
  });
});
