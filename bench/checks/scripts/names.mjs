// Lets this process resolve the names below bench.test with the DNS server that `?server=` names: it is imported before
// anything else. The system's resolver cannot be changed without being root. Other names are the system's.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const resolver = new dns.Resolver();
resolver.setServers([new URL(import.meta.url).searchParams.get('server') ?? '']);
const system = { callback: dns.lookup, promise: dns.promises.lookup };

/** @typedef {import('node:dns').LookupAddress[]} Addresses */

/** @param {string} name */
const isOwn = (name) => /\.bench\.test\.?$/.test(name);

/**
 * @param {string} name
 * @param {(error: Error | null, addresses: Addresses) => void} done
 */
function resolve(name, done) {
  resolver.resolve4(name, (error, addresses = []) =>
    done(
      error,
      addresses.map((address) => ({ address, family: 4 })),
    ),
  );
}

/**
 * As the sockets of Node.js call it.
 * @param {string} name
 * @param {import('node:dns').LookupAllOptions} options
 * @param {(error: Error | null, addresses: Addresses | string, family?: number) => void} done
 */
function lookup(name, options, done) {
  if (!isOwn(name)) return system.callback(name, options, done);
  resolve(name, (error, addresses) => {
    const [first] = addresses;
    if (error || options.all || !first) done(error, addresses);
    else done(null, first.address, first.family);
  });
}

/**
 * As `systemResolver` calls it.
 * @param {string} name
 * @param {import('node:dns').LookupAllOptions} options
 * @returns {Promise<Addresses>}
 */
function lookupAll(name, options) {
  if (!isOwn(name)) return system.promise(name, options);
  return new Promise((done, reject) =>
    resolve(name, (error, addresses) => (error ? reject(error) : done(addresses))),
  );
}

Object.assign(dns, { lookup });
Object.assign(dns.promises, { lookup: lookupAll });
syncBuiltinESMExports();
