/** @type {import('next').NextConfig} */
const config = {
  // The build that a web process runs (docs/decisions/0073).
  distDir: process.env.WEB_BUILD ?? '.next',
  poweredByHeader: false,
  // Metadata is rendered with the page, as for bots, instead of in a part of its own, which takes about a twentieth of a page's CPU.
  htmlLimitedBots: /.*/,
  // The web server does it (bin/web/requests/compressed-response.ts).
  compress: false,
  reactStrictMode: true,
  typedRoutes: false,
  // An API path with a trailing slash gets a response, not a redirect.
  skipTrailingSlashRedirect: true,
  // `npm run types` checks them: a fifth of a build.
  typescript: { ignoreBuildErrors: true },
  // Native or wasm-loading packages that a bundler must leave alone.
  serverExternalPackages: ['@node-rs/argon2', 'koffi', 'pg', 'pino', '@prisma/adapter-pg'],
  experimental: {
    isrFlushToDisk: false,
    // A route is loaded when it is first requested: loading all 175 at every start took 1.2 s of CPU and 110 MB.
    preloadEntriesOnStart: false,
    // It takes a fifth of a build to write, 250 MB, and grows.
    turbopackFileSystemCacheForBuild: false,
    // A field of a megabyte is still rejected as a field that is too long.
    serverActions: { bodySizeLimit: '2mb' },
  },
  // The workers of pages: that which reads files to import may run WebAssembly, and connect to nothing; that of notifications, only to us.
  headers: async () => [
    {
      source: '/push-worker.js',
      headers: [
        {
          key: 'Content-Security-Policy',
          value: "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
        },
      ],
    },
    {
      source: '/import-reader/:file*',
      headers: [
        {
          key: 'Content-Security-Policy',
          value: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'none'",
        },
      ],
    },
  ],
  // Browsers ask for it while the head that names the real one is still on its way.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/icon.svg' }],
};

export default config;
