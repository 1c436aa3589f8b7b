import { mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** @typedef {import('./read-document.mjs').OpenApiDocument} OpenApiDocument */

/**
 * Writes `types.gen.ts`, the types of all schemas and operations, with the generator of Hey API.
 * @param {string} root
 * @param {OpenApiDocument} document
 * @param {string} folder
 */
export async function generateTypes(root, document, folder) {
  const { createClient } = await loadGenerator(root);
  const output = join(folder, `.types.${process.pid}`);
  await createClient({
    input: leaveOutFailures(document),
    output: { path: output },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
  await rename(join(output, 'types.gen.ts'), join(folder, 'types.gen.ts'));
  await rm(output, { recursive: true });
}

/**
 * The client throws errors and sets headers itself. Without them, the types are half as long.
 * @param {OpenApiDocument} document
 */
function leaveOutFailures(document) {
  const copy = structuredClone(document);
  const groups = [...Object.values(copy.paths), ...Object.values(copy.webhooks)];
  for (const operation of groups.flatMap((group) => Object.values(group))) {
    operation.parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
    const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    operation.responses = Object.fromEntries(successes);
  }
  return copy;
}

/**
 * The generator prints with the compiler API of TypeScript 5, which TypeScript 7 does not have. oazapfts, the generator of the
 * second client, depends on version 5, so this one borrows it.
 * @param {string} root
 * @returns {Promise<typeof import('@hey-api/openapi-ts')>}
 */
async function loadGenerator(root) {
  const folder = join(root, 'node_modules', '.cache', 'pharos');
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, 'generate-types.mjs');
  const typescript = createRequire(createRequire(join(root, 'package.json')).resolve('oazapfts')).resolve(
    'typescript',
  );
  await build({
    stdin: { contents: "export { createClient } from '@hey-api/openapi-ts';", resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { typescript },
    external: [typescript],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    target: 'node20',
    logLevel: 'error',
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}
