/** Tools to build, lint or test that the built application does not need. */
export const TOOLS = [
  '@biomejs/biome',
  '@next/swc-linux-x64-gnu',
  '@playwright/test',
  '@tailwindcss/postcss',
  'esbuild',
  'prisma',
  'tailwindcss',
  'typescript',
  'vitest',
];
