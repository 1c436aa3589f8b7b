import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * @typedef {{ $ref?: string, type?: string, items?: Schema, [other: string]: unknown }} Schema
 * @typedef {{ in: string, name: string, required?: boolean }} Parameter
 * @typedef {{ headers?: Record<string, unknown>, content?: Record<string, { schema: Schema }> }} DocumentedResponse
 * @typedef {{
 *   operationId: string, tags: string[], summary: string, parameters?: Parameter[],
 *   requestBody?: { required?: boolean, content: Record<string, { schema: Schema }> },
 *   responses: Record<string, DocumentedResponse>
 * }} Operation
 * @typedef {{
 *   openapi: string, info: { title: string, version: string }, tags: { name: string, description: string }[],
 *   paths: Record<string, Record<string, Operation>>,
 *   webhooks: Record<string, { post: Operation }>,
 *   components: { schemas: Record<string, Schema> }
 * }} OpenApiDocument
 */

const PROGRAM = `
  import { writeDocument } from '@/app/api/openapi.json/describe';
  const options = { serviceName: 'Pharos', baseUrl: 'https://pharos.example.com/api' };
  writeDocument(options).then((text) => process.stdout.write(text, () => process.exit()));
`;

/**
 * The OpenAPI document, as JSON, from the sources of the routes. It runs in a process of its own, as a server component would.
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function readDocument(root) {
  const folder = join(root, 'node_modules', '.cache', 'pharos');
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `document.${process.pid}.cjs`);
  await build({
    stdin: { contents: PROGRAM, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    // Next has no map of its exports, which imports of modules would need.
    format: 'cjs',
    packages: 'external',
    define: { 'import.meta.url': 'thisFile' },
    banner: { js: "const thisFile = require('node:url').pathToFileURL(__filename).href;" },
    tsconfig: join(root, 'tsconfig.json'),
    target: 'node20',
    logLevel: 'error',
    outfile,
  });
  return runProgram(root, outfile);
}

/**
 * @param {string} root
 * @param {string} program
 * @returns {Promise<string>} what it writes
 */
function runProgram(root, program) {
  const child = spawn(process.execPath, ['--conditions=react-server', program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** @type {Buffer[]} */
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
      else reject(new Error(`The OpenAPI document cannot be composed; see the lines above (exit ${code})`));
    });
  });
}
