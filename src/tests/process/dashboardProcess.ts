import { freePort, spawnProgram, type Program } from './program.ts';

/** The built dashboard server in a process of its own. */
export interface Dashboard extends Program {
  port: number;
}

/** Starts the built server without waiting until it answers, by default on a free port. */
export async function spawnDashboard(env: Record<string, string>, at?: number): Promise<Dashboard> {
  const port = at ?? (await freePort());
  const program = spawnProgram({
    name: 'start',
    port,
    env: { PORT: String(port), ...env },
    probe: '/healthz',
  });
  return { ...program, port };
}

/** Starts it and waits until it answers. */
export async function startDashboard(env: Record<string, string>, at?: number): Promise<Dashboard> {
  const dashboard = await spawnDashboard(env, at);
  await dashboard.answers();
  return dashboard;
}
