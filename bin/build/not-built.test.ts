import { expect, it } from 'vitest';
import { explainNotBuilt } from './not-built.mjs';

it('a build for another major version of Node.js is called that', () => {
  expect(explainNotBuilt('/opt/pharos', { builtFor: '20', node: '22' })).toBe(
    'Pharos was built for Node.js 20, and this is Node.js 22. It must be built again, and this user cannot write to /opt/pharos: run "npm run build" as its owner first.',
  );
});

it.each(['22', undefined])('any other build is just missing', (builtFor) => {
  expect(explainNotBuilt('/opt/pharos', { builtFor, node: '22' })).toBe(
    'Pharos is not built, and this user cannot write to /opt/pharos: run "npm run build" as its owner first.',
  );
});
