import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childEnvironment } from '@/lib/env';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { borrowTenant } from './testing/borrow-tenant';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'clients', 'typescript');
const consumer = join(root, 'app', 'api', 'testing', 'client-consumer.ts');
const setting = borrowTenant();
let project: string;
let receiver: Receiver;

/** An empty project in which the packed client is installed, without a registry. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'pharos-consumer-'));
  const env = childEnvironment({ npm_config_cache: join(project, '.npm') });
  await run('npm', ['pack', '--pack-destination', project], { cwd: source, env });
  const tarball = (await readdir(project)).find((name) => name.endsWith('.tgz')) ?? '';
  await writeFile(join(project, 'package.json'), '{"name": "consumer", "private": true, "type": "module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], {
    cwd: project,
    env,
  });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver?.close();
  if (project !== undefined) await rm(project, { recursive: true });
});

const installed = () => join(project, 'node_modules', '@pharos', 'client');

/** Of a program for Node.js: without the types of a browser. */
const FOR_NODE = { lib: ['ES2022'], types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] };
const FOR_OTHERS = { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] };

/** Compiles the TypeScript files below a folder of the project, with every check, also of the declarations of the package. */
async function compile(folder: string, environment: object): Promise<void> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    target: 'ES2022',
    module: 'NodeNext',
    rootDir: '.',
    ...environment,
  };
  await writeFile(join(project, folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [compiler, '-p', join(project, folder)]).catch(({ stdout }) => {
    throw new Error(stdout);
  });
}

describe('the package @pharos/client', () => {
  it('contains what was built, and installs nothing else', async () => {
    const manifest = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect(await readdir(join(project, 'node_modules', '@pharos'))).toEqual(['client']);
    const others = (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'));
    expect(others).toEqual(['@pharos']);
    expect((await readdir(installed())).sort()).toEqual(['README.md', 'dist', 'package.json']);
    const files = await readdir(join(installed(), 'dist'), { recursive: true });
    expect(files.filter((name) => !/\.d\.ts$|^generated$/.test(name)).sort()).toEqual([
      'LICENSE',
      'index.js',
    ]);
  });

  it('is at most 20 KB of JavaScript with gzip', async () => {
    const text = await readFile(join(installed(), 'dist', 'index.js'));
    expect(gzipSync(text).length).toBeLessThan(20_000);
  });

  it('runs in Node.js with its types: lists monitors, and verifies what the service signed', async () => {
    const { service, tenant } = setting;
    const names = ['Shop', 'Blog', 'Mail'];
    for (const name of names) {
      await tenant.api('POST', '/monitors', { name, url: 'http://127.0.0.1:9/', enabled: false });
    }
    const { body: endpoint } = await tenant.api('POST', '/webhooks', { url: `${receiver.url}/signed` });
    await tenant.api('POST', `/webhooks/${endpoint.id}/test`);
    const { headers, body } = await receiver.waitFor(({ path }) => path === '/signed');
    await mkdir(join(project, 'program'));
    await copyFile(consumer, join(project, 'program', 'consumer.ts'));
    await compile('program', FOR_NODE);
    const input = {
      url: service.url,
      key: tenant.apiKey,
      webhook: { headers, body, secret: endpoint.secret },
    };
    const program = join(project, 'program', 'consumer.js');
    const { stdout } = await run(process.execPath, [program, JSON.stringify(input)]);
    expect(JSON.parse(stdout)).toEqual({
      names: names.reverse(),
      event: `webhook.test of ${endpoint.id}`,
      refused: 'VALIDATION_ERROR: name, interval',
    });
  });

  it('compiles every example of its README', async () => {
    const readme = await readFile(join(installed(), 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
    expect(examples.length).toBeGreaterThan(5);
    await mkdir(join(project, 'examples'));
    const [first = '', ...others] = examples;
    await writeFile(join(project, 'examples', 'example0.ts'), first);
    for (const [index, example] of others.entries()) {
      const text = `import type { Pharos } from '@pharos/client';\ndeclare const pharos: Pharos;\n${example}`;
      await writeFile(join(project, 'examples', `example${index + 1}.ts`), text);
    }
    await compile('examples', FOR_OTHERS);
  });
});
