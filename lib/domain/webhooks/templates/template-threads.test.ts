import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TemplateThreads, templateThreads } from './template-threads';

const event = { event: 'monitor.down' };
const nest = (inner: string) => `${'{% for a in (1..400) %}'.repeat(3)}${inner}${'{% endfor %}'.repeat(3)}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'threads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A pool whose threads do what a script does with each message, after they were ready. */
async function poolOf(handler: string, killMs?: number): Promise<TemplateThreads> {
  const script = join(folder, `${handler.length}.mjs`);
  const ready = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready');";
  await writeFile(script, `${ready} parentPort.on('message', (work) => { ${handler} });`);
  return new TemplateThreads({ script, ...(killMs === undefined ? {} : { killMs }) });
}

const RESPOND = "parentPort.postMessage([{ text: 'done', problem: null }]);";
const done = [{ text: 'done', problem: null }];

describe('templates', () => {
  it('are rendered off the event loop, which turns meanwhile', async () => {
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    const before = process.cpuUsage();
    const [rendered] = await templateThreads.render('org_1', nest('x'), [event]);
    clearInterval(turning);
    expect(rendered?.text).toBeNull();
    expect(turns).toBeGreaterThan(5);
    // The thread counts too: one rendering for at most 250 ms, and starting it.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });

  it('are rendered in the order in which they came, more of them than there are threads', async () => {
    const rendered = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        templateThreads.render('org_1', `{{ event }} ${index}`, [event]),
      ),
    );
    expect(rendered.flat().map(({ text }) => text)).toEqual(
      Array.from({ length: 20 }, (_, index) => `monitor.down ${index}`),
    );
  });

  it('of another organization do not wait for all of one', async () => {
    // Each takes a while, so that a thread that is held up for a moment changes little.
    const pool = await poolOf(`Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); ${RESPOND}`);
    const order: string[] = [];
    const render = async (organization: string) => {
      await pool.render(organization, '', []);
      order.push(organization);
    };
    await Promise.all([...Array(20).fill('many'), 'one'].map(render));
    expect(order.indexOf('one')).toBeLessThan(10);
  });

  it('have nothing of the environment of the process', async () => {
    const pool = await poolOf(
      'parentPort.postMessage([{ text: JSON.stringify([Object.keys(process.env), process.execArgv]), problem: null }]);',
    );
    expect(await pool.render('org_1', '', [])).toEqual([{ text: '[[],[]]', problem: null }]);
  });
});

describe('a thread', () => {
  it('that does not respond is killed, and another one renders the next template', async () => {
    const pool = await poolOf(`if (work.template === 'spin') for (;;); ${RESPOND}`);
    const killed = [{ text: null, problem: 'takes longer than 250 ms' }];
    expect(await pool.render('org_1', 'spin', [])).toEqual(killed);
    expect(await pool.render('org_1', '', [])).toEqual(done);
  });

  it('that needs too much memory fails alone', async () => {
    const pool = await poolOf(
      `if (work.template === 'grow') { const all = []; for (;;) all.push(new Array(100_000).fill(work)); } ${RESPOND}`,
      30_000,
    );
    expect(await pool.render('org_1', 'grow', [])).toEqual([
      { text: null, problem: 'needs too much memory' },
    ]);
    expect(await pool.render('org_1', '', [])).toEqual(done);
  });

  it('that cannot start fails the template, and says so', async () => {
    const pool = new TemplateThreads({ script: join(folder, 'missing.mjs') });
    const [rendered] = await pool.render('org_1', '', []);
    expect(rendered?.problem).toBe('cannot be rendered: its thread does not start');
  });
});
