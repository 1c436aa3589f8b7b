// If a registry or mirror offers only packages for its own platform, npm omits the others from the lockfile, and "npm ci"
// fails on every other system with "Missing … from lock file". These functions find and add the missing entries.

/**
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean, os?: string[], cpu?: string[], libc?: string[],
 *   optionalDependencies?: Record<string, string> }} Entry
 * @typedef {Record<string, Entry>} Entries the "packages" of a lockfile, by path
 */

const SYSTEMS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ');
const PROCESSORS = 'arm64 arm ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' ');

/**
 * The optional dependencies without an entry in a lockfile.
 * @param {Entries} entries
 */
export function findMissing(entries) {
  return Object.entries(entries).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !findEntry(entries, parent, name))
      .map(([name, version]) => ({ parent, name, version })),
  );
}

/**
 * The entries, including the missing ones with their version and platform.
 * @param {Entries} entries
 */
export function complete(entries) {
  const added = findMissing(entries).map(({ parent, name, version }) => {
    const { dev } = entries[parent] ?? {};
    return [
      `node_modules/${name}`,
      { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true },
    ];
  });
  const all = { ...entries, ...Object.fromEntries(added) };
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/**
 * The platform in the name of a package such as `@next/swc-linux-x64-musl`.
 * @param {string} name
 */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : null;
  return {
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os === 'linux' && libc ? { libc: [libc] } : {}),
    ...(os ? { os: [os] } : {}),
  };
}

/**
 * Finds a package like Node does: next to the parent, then further up.
 * @param {Entries} entries
 * @param {string} parent
 * @param {string} name
 */
function findEntry(entries, parent, name) {
  const places = parent === '' ? [] : parent.split('/node_modules/');
  const folders = places.map(
    (_, depth) => `${places.slice(0, places.length - depth).join('/node_modules/')}/`,
  );
  return [...folders, ''].map((folder) => entries[`${folder}node_modules/${name}`]).find((entry) => entry);
}
