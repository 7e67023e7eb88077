import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

/** When a process began, as the kernel counts it; empty where that cannot be read. Tells a reused pid from the old one. */
function beginningOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function lives(pid: number, beginning: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: somebody else's process, alive all the same.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return beginning === '' || beginningOf(pid) === beginning;
}

function create(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${process.pid} ${beginningOf(process.pid)}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** From creating the file to writing the pid takes far less. */
const WRITING_MS = 200;

function textOf(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').trim();
    if (text !== '') return text;
    // Just being made, or left so by a kill.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITING_MS);
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** The pid of the live holder; null when there is no lock. */
function holder(path: string): number | 'dead' | null {
  const text = textOf(path);
  if (text === null) return null;
  const [pid = '', beginning = ''] = text.split(' ');
  const number = Number(pid);
  return Number.isInteger(number) && number > 0 && lives(number, beginning) ? number : 'dead';
}

/** Takes an exclusive lock file, or throws naming the process that holds it. Answers the function that frees it. */
export function lockDirectory(path: string): () => void {
  const free = () => rmSync(path, { force: true });
  if (create(path)) return free;
  const held = holder(path);
  if (typeof held === 'number') {
    throw new Error(`The database is in use by process ${held} (${path}). Stop it, or choose another SANDBOX_DATA.`);
  }
  // Two starts may find the same dead holder: only the one that gets the guard takes over.
  const guard = `${path}.takeover`;
  // Removed only when a kill left it behind: removing one that is free would take it from whoever makes it now.
  if (holder(guard) === 'dead') rmSync(guard, { force: true });
  if (!create(guard)) throw new Error(`The database is being opened by another process (${guard}).`);
  try {
    if (typeof holder(path) === 'number') throw new Error(`The database is in use (${path}).`);
    free();
    if (!create(path)) throw new Error(`The database is in use (${path}).`);
    return free;
  } finally {
    rmSync(guard, { force: true });
  }
}
