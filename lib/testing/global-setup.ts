import type { TestProject } from 'vitest/node';
import { startTestServer } from './database-server';

/** Starts the one PostgreSQL of a test run and tells the tests where it is. Vitest calls what this returns at the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  project.provide('databaseUrl', server.url);
  return server.stop;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The test server's maintenance database; `createTestDatabase` makes databases beside it. */
    databaseUrl: string;
  }
}
