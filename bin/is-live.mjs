#!/usr/bin/env node
// `node bin/is-live.mjs PORT`: exits 0 if a Pharos process responds on this port. For health checks in containers, whose
// images have no curl.
const [port = '3000'] = process.argv.slice(2);

try {
  const { ok } = await fetch(`http://localhost:${port}/api/live`, { signal: AbortSignal.timeout(4000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
