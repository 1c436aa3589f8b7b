// Loaded before everything else in a process under test: `node --import "file:///…?factor=20&origin=…&jump-file=…&source=…"`.
// Its clock and its timers run `factor` times as fast as real time since `origin`, plus the milliseconds in the jump file. Its
// connections come from the address `source`, so that targets and proxies know who connects. The product knows nothing of it.
import { readFileSync, watchFile } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers';
import promises from 'node:timers/promises';

const settings = new URL(import.meta.url).searchParams;
const factor = Number(settings.get('factor'));
const origin = Number(settings.get('origin'));
const jumpFile = settings.get('jump-file');
const source = settings.get('source');

const RealDate = Date;
const realNow = Date.now;
const realPerformanceNow = performance.now.bind(performance);
let jumpMs = 0;
if (jumpFile) {
  const readJump = () => {
    jumpMs = Number(readFileSync(jumpFile, 'utf8')) || 0;
  };
  readJump();
  watchFile(jumpFile, { interval: 100, persistent: false }, readJump);
}

const now = () => Math.floor(origin + (realNow() - origin) * factor + jumpMs);

class VirtualDate extends RealDate {
  /** @param {any[]} parts */
  constructor(...parts) {
    // @ts-expect-error The constructor is overloaded.
    super(...(parts.length === 0 ? [now()] : parts));
  }
  /** @override */
  static now = now;
  // Next.js copies the own properties of this class.
  /** @override */
  static parse = RealDate.parse;
  /** @override */
  static UTC = RealDate.UTC;
}
// @ts-expect-error It cannot be called without `new`, which nothing does.
globalThis.Date = VirtualDate;
performance.now = () => realPerformanceNow() * factor;

/** @param {number | undefined} ms */
const scaled = (ms) => (ms === undefined ? ms : ms / factor);

for (const name of /** @type {const} */ (['setTimeout', 'setInterval'])) {
  const real = timers[name];
  const fast = Object.assign(
    /** @type {(...args: any[]) => any} */ ((handler, ms, ...args) => real(handler, scaled(ms), ...args)),
    real,
  );
  const promised = promises[name];
  // @ts-expect-error The two are overloaded differently.
  promises[name] = (ms, ...args) => promised(scaled(ms), ...args);
  Object.defineProperty(fast, Symbol.for('nodejs.util.promisify.custom'), { value: promises[name] });
  // @ts-expect-error As above.
  timers[name] = fast;
  // @ts-expect-error As above.
  globalThis[name] = fast;
}
const realTimeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => realTimeout(Math.ceil(ms / factor));

if (source) {
  const connect = net.Socket.prototype.connect;
  /** @param {any[]} args */
  net.Socket.prototype.connect = function (...args) {
    // Normalized arguments of net.connect(), an options object, or a port and a host.
    if (typeof args[0] === 'number') args.splice(0, 2, { port: args[0], host: args[1] });
    const options = Array.isArray(args[0]) ? args[0][0] : args[0];
    if (options?.host === '127.0.0.1') options.localAddress ??= source;
    // @ts-expect-error The method is overloaded.
    return connect.apply(this, args);
  };
}
syncBuiltinESMExports();
