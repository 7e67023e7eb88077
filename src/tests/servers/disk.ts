import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { vi } from 'vitest';

const BLOCK = 4096;

/** The content that a directory would have after a power cut. */
export interface Disk {
  /**
   * Copies every file as it was at its last fsync. With `torn`, random blocks written since are included, because a disk
   * may write them back in any order.
   */
  left(to: string, torn: boolean): void;
  end(): void;
}

/** Watches this process write files of a directory. What the directory holds at first counts as synced. */
export function watchDisk(directory: string, kept: string): Disk {
  fs.cpSync(directory, kept, { recursive: true });
  /** Path within the directory, by file descriptor. */
  const opened = new Map<number, string>();
  /** Blocks written since the last fsync, by path. */
  const dirty = new Map<string, Set<number>>();
  const { openSync, writeSync, fsyncSync } = fs;

  const bring = (name: string, to: string, chosen: (block: number) => boolean): void => {
    const from = join(directory, name);
    if (!fs.existsSync(to)) {
      fs.mkdirSync(dirname(to), { recursive: true });
      fs.copyFileSync(from, to);
      return;
    }
    const [source, target] = [openSync(from, 'r'), openSync(to, 'r+')];
    fs.ftruncateSync(target, fs.fstatSync(source).size);
    const block = Buffer.alloc(BLOCK);
    for (const at of dirty.get(name) ?? []) {
      const length = chosen(at) ? fs.readSync(source, block, 0, BLOCK, at * BLOCK) : 0;
      writeSync(target, block, 0, length, at * BLOCK);
    }
    fs.closeSync(source);
    fs.closeSync(target);
  };

  const spies = [
    vi.spyOn(fs, 'openSync').mockImplementation((path, ...how) => {
      const file = openSync(path, ...how);
      const whole = resolve(String(path));
      if (`${whole}/`.startsWith(`${directory}/`)) opened.set(file, whole.slice(directory.length + 1));
      else opened.delete(file);
      return file;
    }),
    vi.spyOn(fs, 'writeSync').mockImplementation((file: number, ...what: unknown[]) => {
      const written: number = Reflect.apply(writeSync, fs, [file, ...what]);
      const name = opened.get(file);
      const position = what[3];
      if (name === undefined) return written;
      if (typeof position !== 'number')
        throw new Error('A write that names no place in the file is not followed here.');
      const blocks = dirty.get(name) ?? new Set();
      dirty.set(name, blocks);
      const last = Math.floor((position + Math.max(written, 1) - 1) / BLOCK);
      for (let at = Math.floor(position / BLOCK); at <= last; at += 1) blocks.add(at);
      return written;
    }),
    vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      const name = opened.get(file);
      // A file outside the directory needs no sync.
      if (name === undefined) return;
      fsyncSync(file);
      const [from, to] = [join(directory, name), join(kept, name)];
      if (!fs.existsSync(from)) return;
      if (fs.statSync(from).isDirectory()) {
        fs.mkdirSync(to, { recursive: true });
        for (const gone of fs.readdirSync(to).filter((entry) => !fs.existsSync(join(from, entry))))
          fs.rmSync(join(to, gone), { recursive: true });
      } else {
        bring(name, to, () => true);
        dirty.delete(name);
      }
    }),
  ];
  return {
    left(to, torn) {
      // A spy keeps its arguments, which hold the memory of every database opened so far.
      for (const spy of spies) spy.mockClear();
      fs.cpSync(kept, to, { recursive: true });
      const written = [...dirty.keys()].filter((name) => fs.existsSync(join(to, name)));
      for (const name of torn ? written : []) bring(name, join(to, name), () => Math.random() < 0.5);
    },
    end: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}
