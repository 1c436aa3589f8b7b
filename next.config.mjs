/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: false,
  // Native or wasm-loading packages that a bundler must leave alone.
  serverExternalPackages: ['@node-rs/argon2', 'koffi', 'pg', 'pino', '@prisma/adapter-pg'],
  experimental: { isrFlushToDisk: false },
};

export default config;
