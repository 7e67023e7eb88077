import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { newDataDirectory } from '#src/tests/dataDirectory.ts';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { startSandbox, type SandboxProcess } from '#src/tests/process/sandboxProcess.ts';

declare module 'vitest' {
  interface ProvidedContext {
    servers: {
      /** Removed after the run. `template` in it is the data directory of a new server. */
      directory: string;
      /** The servers' payments service, a sandbox that is never killed. */
      serviceUrl: string;
    };
  }
}

let directory: string | undefined;
let service: SandboxProcess | undefined;

/** One payments service for all tests, and one database to copy, because the first start takes seconds. */
export async function setup(project: TestProject): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), 'countinghouse-servers-'));
  service = await startSandbox({ DATA_DIR: 'memory' });
  const template = join(directory, 'template');
  renameSync(await newDataDirectory('countinghouse-template'), template);
  const dashboard = await startDashboard({ DATA_DIR: template, PAYMENTS_BASE_URL: service.baseUrl });
  await dashboard.stop();
  project.provide('servers', { directory, serviceUrl: service.baseUrl });
}

export async function teardown(): Promise<void> {
  await service?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}
