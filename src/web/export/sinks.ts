import { createBlob } from '#src/web/storage/blobs.ts';
import { saveBlob } from '#src/web/ui/saveFile.ts';

/** Where an export is written, in order; write and close throw FileLost where there is nothing to go on with. */
export interface Sink {
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Gives the person the file. */
  close: (name: string) => Promise<void>;
  /** Leaves no file. */
  discard: () => Promise<void>;
  /** The file name that the person chose; null: named at the end. */
  name: string | null;
}

/** A file that could not be written to its end: what is on disk is not known, so that it is given up. */
export class FileLost extends Error {
  override readonly name = 'FileLost';
}

/** Kept by the browser until it is whole, then downloaded. */
export function downloadSink(type: string): Sink {
  let file = createBlob(type);
  return {
    name: null,
    write: async (bytes) => file.add(bytes),
    close: async (name) => saveBlob(name, file.blob()),
    discard: async () => {
      file = createBlob(type);
    },
  };
}

interface ChosenFile extends FileSystemFileHandle {
  /** Absent in some browsers. */
  remove?: () => Promise<void>;
}

declare global {
  interface Window {
    /** Absent in many browsers. */
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<ChosenFile>;
  }
}

export function canStream(): boolean {
  return window.showSaveFilePicker !== undefined;
}

/** Asks for a place and streams to it; null when the person chose none. Must be called in a click. */
export async function fileSink(suggestedName: string): Promise<Sink | null> {
  if (window.showSaveFilePicker === undefined) return null;
  let handle: ChosenFile;
  try {
    handle = await window.showSaveFilePicker({ suggestedName });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
  const stream = await handle.createWritable();
  return {
    name: handle.name,
    write: (bytes) => orLost(stream.write(bytes)),
    close: () => orLost(stream.close()),
    discard: async () => {
      await stream.abort();
      // The browser made it, or emptied it, when it was chosen.
      if ((await handle.getFile()).size === 0) await handle.remove?.();
    },
  };
}

async function orLost(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    throw new FileLost(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
