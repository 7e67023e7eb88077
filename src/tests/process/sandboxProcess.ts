import { freePort, spawnProgram, type Program } from './program.ts';

/** The built sandbox in a process of its own. */
export interface SandboxProcess extends Program {
  /** Resolves when it has ended, with the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
}

/** Starts the built sandbox on a free port without waiting until it answers. */
export async function spawnSandbox(env: Record<string, string>): Promise<SandboxProcess> {
  const port = await freePort();
  const program = spawnProgram({
    name: 'sandbox',
    port,
    env: { SANDBOX_PORT: String(port), SANDBOX_DEPOSITS: '50', ...env },
    probe: '/v1/balances',
  });
  return { ...program, ended: program.end.then(({ signal }) => signal) };
}

/** Starts the built sandbox and waits until it answers; throws with its output when it ends instead. */
export async function startSandbox(env: Record<string, string>): Promise<SandboxProcess> {
  const sandbox = await spawnSandbox(env);
  await sandbox.answers();
  return sandbox;
}
