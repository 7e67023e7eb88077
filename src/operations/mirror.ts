/** How tabs of one browser hear that the journal changed. For looks only: safety never depends on it. */
export interface Mirror {
  tell: () => void;
  listen: (heard: () => void) => void;
}

/** By BroadcastChannel; where the browser lacks it, tabs read again when they are shown. */
export function browserMirror(name = 'operations'): Mirror {
  let channel: BroadcastChannel | null = null;
  try {
    channel = new BroadcastChannel(name);
  } catch {
    // Tabs still read again on pageshow and when they become visible.
  }
  return {
    tell: () => {
      try {
        channel?.postMessage('changed');
      } catch {
        // A closed channel tells nobody.
      }
    },
    listen: (heard) => channel?.addEventListener('message', () => heard()),
  };
}
