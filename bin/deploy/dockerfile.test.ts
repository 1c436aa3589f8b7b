import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const text = read('Dockerfile');
/** The lines of each stage, from its FROM on. */
const stages = text
  .split(/^(?=FROM )/m)
  .slice(1)
  .map((stage) => stage.trimEnd().split('\n'));
const stageNamed = (name: string) => stages.find(([from]) => from?.endsWith(` AS ${name}`)) ?? [];
const product = stages.at(-1) ?? [];
const probe = stageNamed('probe');
const copiesOf = (stage: string[]) => stage.filter((line) => line.startsWith('COPY'));

describe('the Dockerfile', () => {
  it('has commands shown that enter a container with the name of docs/operate/containers.md', () => {
    const [, name] = /^ENV COMMAND_PREFIX="docker exec (\w+) node bin\/pharos\.mjs"$/m.exec(text) ?? [];
    const guide = read('docs/operate/containers.md');
    expect(guide).toContain(`docker run --detach --init --name ${name} `);
  });

  it('runs only existing scripts, and installs from the lockfile', () => {
    const scripts = [...text.matchAll(/\bnode(?: |", ")(bin\/[\w.-]+)/g)].map(([, path = '']) => path);
    expect([...new Set(scripts)].toSorted()).toEqual([
      'bin/build-probe.mjs',
      'bin/build.mjs',
      'bin/is-live.mjs',
      'bin/pack.mjs',
      'bin/pharos.mjs',
    ]);
    for (const path of scripts) expect(existsSync(new URL(path, root)), path).toBe(true);
    expect(stageNamed('sources')).toContain('RUN npm ci');
  });

  it('copies nothing except the packed files', () => {
    expect(copiesOf(product)).toEqual(['COPY --from=build /packed ./']);
  });

  it('runs as an unprivileged user, with a health check', () => {
    expect(product).toContain('USER node');
    const check = product.find((line) => line.startsWith('HEALTHCHECK'));
    expect(check).toMatch(/CMD \["node", "bin\/is-live\.mjs"\]$/);
    expect(product.indexOf('USER node')).toBeLessThan(
      product.findIndex((line) => line.startsWith('ENTRYPOINT')),
    );
  });

  it('has an image of a probe alone: its program and koffi, as an unprivileged user', () => {
    expect(copiesOf(probe)).toEqual([
      'COPY --from=build-probe /app/clients/probe/dist ./',
      'COPY --from=build-probe /app/node_modules/koffi node_modules/koffi',
      'COPY --from=build-probe /app/node_modules/@koromix node_modules/@koromix',
    ]);
    const { bin } = JSON.parse(read('clients/probe/package.json'));
    expect(bin).toEqual({ 'pharos-probe': 'dist/pharos-probe.mjs' });
    const end = ['USER node', 'VOLUME /var/lib/pharos-probe', 'ENTRYPOINT ["node", "pharos-probe.mjs"]'];
    expect(probe.filter((line) => /^(USER|ENTRYPOINT|CMD|EXPOSE|VOLUME)/.test(line))).toEqual(end);
  });

  it('builds everything on the same version of Node.js', () => {
    const bases = stages.map(([from = '']) => from.split(' ')[1]).filter((base) => base?.includes(':'));
    expect(new Set(bases)).toEqual(new Set(['node:24-bookworm-slim']));
  });

  it('keeps secrets, data and local builds out of the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.env', '.data', '.git', 'node_modules', '.next', '.next-*', 'dist']),
    );
  });
});
