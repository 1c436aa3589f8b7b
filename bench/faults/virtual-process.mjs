// Loaded before everything else in a process under test: `node --import "file:///…?factor=20&origin=…&control=…&source=…"`.
// Its clock and its timers run `factor` times as fast as real time since `origin`, plus `jumpMs` of the control file. Its
// connections come from the address `source`, so that targets and proxies know who connects, and fail while the control file
// says `isCutOff`. The product knows nothing of it.
import dgram from 'node:dgram';
import { readFileSync, watchFile } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers';
import promises from 'node:timers/promises';

const settings = new URL(import.meta.url).searchParams;
const factor = Number(settings.get('factor'));
const origin = Number(settings.get('origin'));
const controlFile = settings.get('control');
const source = settings.get('source');

const RealDate = Date;
const realNow = Date.now;
const realPerformanceNow = performance.now.bind(performance);
let control = { jumpMs: 0, isCutOff: false };
if (controlFile) {
  const readControl = () => {
    try {
      control = JSON.parse(readFileSync(controlFile, 'utf8'));
    } catch {
      // It is being written; the next look reads it.
    }
  };
  readControl();
  watchFile(controlFile, { interval: 100, persistent: false }, readControl);
}

/** @param {string} host */
const unreachable = (host) =>
  Object.assign(new Error(`connect ENETUNREACH ${host}`), { code: 'ENETUNREACH', syscall: 'connect' });

const now = () => Math.floor(origin + (realNow() - origin) * factor + control.jumpMs);

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
const realCpuUsage = process.cpuUsage.bind(process);
process.cpuUsage = (previous) => {
  const { user = 0, system = 0 } = previous ?? {};
  const used = realCpuUsage();
  return { user: used.user * factor - user, system: used.system * factor - system };
};

/** @param {number | undefined} ms */
const scaled = (ms) => (ms === undefined ? ms : ms / factor);

for (const name of /** @type {const} */ (['setTimeout', 'setInterval'])) {
  const real = timers[name];
  const fast = Object.assign(
    /** @type {(handler: (...words: unknown[]) => void, ms?: number, ...args: unknown[]) => NodeJS.Timeout} */ (
      (handler, ms, ...args) => real(handler, scaled(ms), ...args)
    ),
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
    if (control.isCutOff && options?.host) {
      process.nextTick(() => this.destroy(unreachable(options.host)));
      return this;
    }
    // @ts-expect-error The method is overloaded.
    return connect.apply(this, args);
  };
  const send = dgram.Socket.prototype.send;
  /** @param {any[]} args */
  dgram.Socket.prototype.send = function (...args) {
    const callback = args.at(-1);
    if (!control.isCutOff || typeof callback !== 'function')
      return send.apply(this, /** @type {any} */ (args));
    process.nextTick(callback, unreachable('the resolver'));
  };
}
syncBuiltinESMExports();
