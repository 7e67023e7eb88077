import type { TestProject } from 'vitest/node';
import { startSandbox, type SandboxProcess } from '#src/tests/process/sandboxProcess.ts';
import { postgresPrograms } from './programs.ts';
import { startPostgres, type PostgresServer } from './server.ts';

let server: PostgresServer | undefined;
let sandbox: SandboxProcess | undefined;

/** The contract suite's service on a real PostgreSQL, where this machine has one. */
export async function setup(project: TestProject): Promise<void> {
  const programs = postgresPrograms();
  if (programs === undefined) {
    process.stdout.write('postgres: not installed here, so the contract suite ran on PGlite only\n');
    return;
  }
  server = await startPostgres(programs);
  sandbox = await startSandbox(server.env);
  project.provide('service', { baseUrl: sandbox.baseUrl, key: null });
}

export async function teardown(): Promise<void> {
  await sandbox?.stop();
  await server?.stop();
}
