import type { TestProject } from 'vitest/node';
import { startSandbox, type SandboxProcess } from '#src/tests/process/sandboxProcess.ts';

let sandbox: SandboxProcess | undefined;

/** Names the service under test: CONTRACT_BASE_URL with CONTRACT_API_KEY, else one sandbox in memory. */
export async function setup(project: TestProject): Promise<void> {
  const baseUrl = process.env['CONTRACT_BASE_URL'];
  if (baseUrl !== undefined) {
    const key = process.env['CONTRACT_API_KEY'];
    if (key === undefined) throw new Error('CONTRACT_BASE_URL needs CONTRACT_API_KEY beside it.');
    process.stdout.write(`contract: ${baseUrl}; what needs the controls of a sandbox is left out\n`);
    project.provide('service', { baseUrl: baseUrl.replace(/\/$/, ''), key });
    return;
  }
  sandbox = await startSandbox({ DATA_DIR: 'memory' });
  project.provide('service', { baseUrl: sandbox.baseUrl, key: null });
}

export async function teardown(): Promise<void> {
  await sandbox?.stop();
}
