// The program of a thread that renders templates (template-threads.ts). It is bundled as dist/template-thread.mjs, with nothing of the
// environment of its process.
import { parentPort } from 'node:worker_threads';
import { renderTemplate } from './render-template';

/** What a thread is asked for; it responds with what `renderTemplate` returns. */
export type Work = { template: string; events: readonly object[] };

parentPort?.on('message', ({ template, events }: Work) => {
  parentPort?.postMessage(renderTemplate(template, events));
});
// Compiles what every template needs before the first is timed.
renderTemplate('{% for each in list %}{{ each | json }}{% endfor %}', [{ list: [1] }]);
parentPort?.postMessage('ready');
