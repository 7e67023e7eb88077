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
  /** Set-Cookie lines that HTML answers carry, to learn whether this browser takes Secure cookies here. */
  probes(): string[];
}

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
    clear: () => [`${line(secureName, '')}; Max-Age=0`, `${line(plainName, '')}; Max-Age=0`],
    probes: () => (asking ? [line(secureProbe, '1'), line(plainProbe, '1')] : []),
  };
}
