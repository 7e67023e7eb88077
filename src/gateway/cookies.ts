import { parse } from 'hono/utils/cookie';

/** The gateway's cookies. The port is in every name, since cookies ignore ports. */
export interface Cookies {
  /** Sealed sessions among the cookies of a request, the best protected first, each with its name. */
  sealed(header: string | undefined): { name: string; value: string }[];
  /** The name that this browser can keep, told by which probes came back. */
  nameFor(header: string | undefined): string;
  set(name: string, value: string): string;
  /** Set-Cookie lines that forget the session under both names. */
  clear(): string[];
  /** What this browser was last told of the journal, in one cookie for all its sessions; null: nothing. */
  journal(header: string | undefined): string | null;
  /** The Set-Cookie line of that: a late answer brings back no session with it. `session`: the session's cookie. */
  setJournal(session: string, mark: string): string;
  /** Set-Cookie lines that HTML answers carry, to learn whether this browser takes Secure cookies here. */
  probes(): string[];
}

/** As long as browsers keep a cookie. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60;
const BASE = 'HttpOnly; SameSite=Strict; Path=/';

function line(name: string, value: string): string {
  return `${name}=${value}; ${BASE}${name.startsWith('__Host-') ? '; Secure' : ''}`;
}

/** Cookies for one port and its canonical origin. */
export function createCookies(port: number, origin: string): Cookies {
  const secureName = `__Host-countinghouse-${port}`;
  const plainName = `countinghouse-${port}`;
  const secureProbe = `__Host-countinghouse-probe-${port}`;
  const plainProbe = `countinghouse-probe-${port}`;
  const journalNames = [`__Host-countinghouse-journal-${port}`, `countinghouse-journal-${port}`] as const;
  const asking = new URL(origin).protocol === 'http:';

  return {
    sealed(header) {
      const all = parse(header ?? '');
      const names = asking ? [secureName, plainName] : [secureName];
      return names.flatMap((name) => {
        const value = all[name];
        return value ? [{ name, value }] : [];
      });
    },
    nameFor(header) {
      const all = parse(header ?? '');
      return asking && all[plainProbe] && !all[secureProbe] ? plainName : secureName;
    },
    set: line,
    journal(header) {
      const all = parse(header ?? '');
      return journalNames.map((name) => all[name]).find((value) => value !== undefined) ?? null;
    },
    setJournal: (session, mark) =>
      `${line(journalNames[session.startsWith('__Host-') ? 0 : 1], encodeURIComponent(mark))}; Max-Age=${LONGEST_SECONDS}`,
    clear: () => [`${line(secureName, '')}; Max-Age=0`, `${line(plainName, '')}; Max-Age=0`],
    probes: () => (asking ? [line(secureProbe, '1'), line(plainProbe, '1')] : []),
  };
}
