/** What a tab tells the others of this origin about the session. */
export type TabMessage = 'signed-in' | 'signed-out' | 'expired';

const MESSAGES: readonly unknown[] = ['signed-in', 'signed-out', 'expired'] satisfies TabMessage[];
let channel: BroadcastChannel | null = null;

/** Listens to the other tabs, once; without BroadcastChannel each tab learns by its own next request. */
export function listenToTabs(heard: (message: TabMessage) => void): void {
  if (channel !== null) return;
  try {
    channel = new BroadcastChannel('session');
  } catch {
    return;
  }
  channel.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (isMessage(event.data)) heard(event.data);
  });
}

function isMessage(value: unknown): value is TabMessage {
  return MESSAGES.includes(value);
}

export function tellTabs(message: TabMessage): void {
  try {
    channel?.postMessage(message);
  } catch {
    // A closed channel: the other tabs learn by their own next request.
  }
}
