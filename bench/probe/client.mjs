// Runs checks of one side, `floor` or `pharos`, so that neither pays for the memory of the other. Replies to each order with the
// CPU time of this process per check, in microseconds.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import '../script.mjs';

const [benchmark, side, ports = '{}'] = process.argv.slice(2);
const bundle = join(process.cwd(), 'dist', 'bench', `${benchmark}.mjs`);
const { createRunner } = await import(pathToFileURL(bundle).href);
const run = createRunner(side, JSON.parse(ports));

process.on('message', async (order) => process.send?.(await run(order)));
process.send?.('ready');
