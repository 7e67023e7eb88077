/** Tells whether an attempt is still being made somewhere. For looks only: safety never depends on it. */
export interface AttemptLocks {
  /** Holds until the returned function is called, or the page is gone. */
  hold: (attemptId: string) => () => void;
  /** null where nobody can tell. */
  isFree: (attemptId: string) => Promise<boolean | null>;
}

/** Web Locks where the browser has them (HTTPS and localhost), else locks that know nothing. */
export const webLocks: AttemptLocks = {
  hold: (attemptId) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    try {
      manager()
        ?.request(nameOf(attemptId), () => held)
        .catch(() => undefined);
    } catch {
      // Nobody can tell, then.
    }
    return () => release();
  },
  isFree: async (attemptId) => {
    try {
      const locks = await manager()?.query();
      if (!locks) return null;
      const all = [...(locks.held ?? []), ...(locks.pending ?? [])];
      return !all.some(({ name }) => name === nameOf(attemptId));
    } catch {
      return null;
    }
  },
};

function manager(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

function nameOf(attemptId: string): string {
  return `operation-attempt:${attemptId}`;
}
